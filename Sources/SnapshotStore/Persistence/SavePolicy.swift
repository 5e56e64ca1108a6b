/// When a store writes its file.
public enum SavePolicy: Equatable, Sendable {
  /// Once nothing has changed for `delay`, and at the latest `maxDelay` after the first change that is not saved. The usual
  /// choice is half a second and five seconds.
  ///
  /// A store whose saves take long waits longer than `delay`: ten times as long as the last save took, but never past
  /// `maxDelay`. ``StoreStatus/saveDelay`` tells how long that is. A crash can cost what was changed during that time and one
  /// save; under constant changes, during `maxDelay`, or one save if that is longer, and one more save.
  case automatic(delay: Duration = .milliseconds(500), maxDelay: Duration = .seconds(5))
  /// At once after every change; changes made during a save are saved together after it.
  case immediate
  /// Only when `flush` or `close` is called.
  case manual
  /// Never: the store refuses every change.
  case readOnly
}
