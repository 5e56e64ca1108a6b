/// When a store writes its file.
///
/// ```swift
/// let careful = StoreOptions(policy: .immediate)
/// let store = try Store<Dashboard>.open(at: url, options: careful)
/// ```
public enum SavePolicy: Equatable, Sendable {
  /// After no change for `delay`, and at the latest `maxDelay` after the first unsaved change. The usual values are
  /// half a second and five seconds.
  ///
  /// If saves take long, the store waits longer than `delay`: ten times the duration of the last save, but at most
  /// `maxDelay`. ``StoreStatus/saveDelay`` has the current value. A crash may lose the changes of that time plus one
  /// save. Under constant changes it may lose those of `maxDelay`, or of one save if that is longer, plus one more
  /// save.
  case automatic(delay: Duration = .milliseconds(500), maxDelay: Duration = .seconds(5))
  /// At once after every change. Changes during a save are saved together after it.
  case immediate
  /// Only when `flush` or `close` is called.
  case manual
  /// Never: the store refuses every change.
  case readOnly
}
