/// When a store writes its file.
public enum SavePolicy: Equatable, Sendable {
  /// Once nothing has changed for `delay`, and at the latest `maxDelay` after the first change that is not saved: what a
  /// crash can cost is `maxDelay` and the time of one save. The usual choice is half a second and five seconds.
  ///
  /// A store whose saves take long waits longer than `delay`, ten times the last save, but never past `maxDelay`.
  case automatic(delay: Duration = .milliseconds(500), maxDelay: Duration = .seconds(5))
  /// At once after every change; changes made during a save are saved together after it.
  case immediate
  /// Only when `flush` or `close` is called.
  case manual
  /// Never: the store refuses every change.
  case readOnly
}
