import SnapshotStore

/// A clock that stands still until a test moves it, for `Store.open(at:options:on:clock:)`.
///
/// A store on it saves when the clock has come to the moment at which its `SavePolicy` says so, inside of
/// ``advance(by:)``, and when it is asked to, inside of `flush`. Nothing happens at any other time or on another thread, so
/// that a test goes the same way every time and waits for nothing.
public final class ManualClock: Sendable {
  package let scheduler = ManualScheduler()

  /// A clock at zero.
  public init() {}

  /// The time since the clock was made.
  public var now: Duration { scheduler.now }

  /// Moves the clock on, stopping at every moment on the way at which a store has something to do.
  public func advance(by duration: Duration) { scheduler.advance(by: duration) }
}
