import Synchronization
import Testing

@testable import SnapshotStore

/// A turn that a test grants.
private final class TestTurn: FileTurn {
  enum Event: Equatable {
    case began, ran, cancelled
  }

  let events = Mutex<[Event]>([])
  /// Called while the save waits for the turn.
  private let wait: @Sendable (TestTurn) -> Void
  private let isGranted: Bool

  init(isGranted: Bool = true, wait: @escaping @Sendable (TestTurn) -> Void = { _ in }) {
    self.isGranted = isGranted
    self.wait = wait
  }

  func run(_ body: () -> Void) {
    events.withLock { $0.append(.began) }
    wait(self)
    guard isGranted, !isCancelled else { return }
    body()
    events.withLock { $0.append(.ran) }
  }

  func cancel() { events.withLock { $0.append(.cancelled) } }

  var isCancelled: Bool { events.withLock { $0.contains(.cancelled) } }
}

/// A save runs exactly once, in a turn if there is one in time.
@Suite struct SaveTurnsTests {
  private let timers = Timers()

  private final class Timers: Sendable {
    let all = Mutex<[@Sendable () -> Void]>([])

    func fire() { for work in all.withLock({ $0 }) { work() } }
  }

  private var turns: SaveTurns {
    SaveTurns(limit: .seconds(5)) { [timers] time, work in
      #expect(time == .seconds(5))
      timers.all.withLock { $0.append(work) }
    }
  }

  @Test func withoutCoordinationASaveRunsAtOnce() {
    #expect(turns.run { 1 } == 1)
    #expect(timers.all.withLock { $0.isEmpty })
  }

  @Test func aSaveRunsInItsTurn() {
    let (turns, turn) = (turns, TestTurn())
    turns.use { turn }
    var count = 0
    let seen = turns.run { () -> [TestTurn.Event] in
      count += 1
      return turn.events.withLock { $0 }
    }
    #expect(seen == [.began])
    #expect(turn.events.withLock { $0 } == [.began, .ran])
    #expect(count == 1)
    // The timer of a turn that is over does no harm.
    timers.fire()
    turns.use(nil)
    #expect(turns.run { 2 } == 2)
    #expect(turn.events.withLock { $0 } == [.began, .ran, .cancelled])
  }

  /// The store's changes must not be lost because another program does not answer.
  @Test func aSaveRunsWithoutATurnThatFailsOrTakesTooLong() {
    let turns = turns
    var count = 0
    turns.use { TestTurn(isGranted: false) }
    turns.run { count += 1 }
    #expect(count == 1)
    let slow = TestTurn { [timers] _ in timers.fire() }
    turns.use { slow }
    turns.run { count += 1 }
    #expect(slow.events.withLock { $0 } == [.began, .cancelled])
    #expect(count == 2)
  }

  /// The other program has the turn until this save is over: to wait for the turn would be to wait for ever.
  @Test func aSaveDoesNotWaitForAProgramThatWaitsForIt() {
    let turns = turns
    // The request comes while the save waits.
    let turn = TestTurn { turn in
      turns.whileRequested {
        #expect(turn.isCancelled)
        #expect(turns.run { 7 } == 7)
      }
    }
    turns.use { turn }
    var count = 0
    turns.run { count += 1 }
    #expect(count == 1)
    #expect(turn.events.withLock { $0 } == [.began, .cancelled])
    // The request comes first.
    turns.whileRequested { turns.run { count += 1 } }
    #expect(count == 2)
    #expect(turn.events.withLock { $0 }.count == 2)
  }
}
