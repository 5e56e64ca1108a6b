import SnapshotStore

/// A clock that stands still until a test moves it, for `Store.open(at:options:on:clock:)`.
///
/// ```swift
/// let clock = ManualClock()
/// let store = try Store<Dashboard>.open(at: url, on: disk, clock: clock)
/// try store.write { try $0.posts.insert(Post(id: "1", title: "A walk")) }
/// clock.advance(by: .seconds(5))
/// print(store.status.isDirty)                     // false: the store has saved
/// ```
///
/// A store with this clock saves inside ``advance(by:)``, when the clock reaches the time that its `SavePolicy` sets.
/// It also saves inside `flush`. Nothing happens at any other time or on another thread. A test therefore runs in the
/// same way every time, and waits for nothing.
public final class ManualClock: Sendable {
  package let scheduler = ManualScheduler()

  /// A clock at zero.
  public init() {}

  /// The time since the clock was made.
  public var now: Duration { scheduler.now }

  /// Moves the clock. It stops at every moment at which a store has a timer.
  public func advance(by duration: Duration) { scheduler.advance(by: duration) }
}
