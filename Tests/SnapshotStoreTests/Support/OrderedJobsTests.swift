import Dispatch
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Jobs in their order, of which some may overtake. The clock stands still until a test moves it.
@Suite(.timeLimit(.minutes(30)))
struct OrderedJobsTests {
  private final class Clock: Sendable {
    private let moment = SmallLock(SuspendingClock().now)
    var now: SuspendingClock.Instant { moment.withLock { $0 } }
    func advance(by time: Duration) { moment.withLock { $0 = $0.advanced(by: time) } }
  }

  private let clock: Clock
  private let timers: TimerThread
  private let jobs: OrderedJobs

  init() {
    let clock = Clock()
    self.clock = clock
    timers = TimerThread { clock.now }
    jobs = OrderedJobs("test", timers: timers)
  }

  private func wait(_ semaphore: DispatchSemaphore, _ place: SourceLocation = #_sourceLocation) async {
    #expect(await semaphore.arrives(), "it hangs", sourceLocation: place)
  }

  /// Moves the clock, and returns when all timers that are due by then have fired.
  private func advance(by time: Duration) async {
    clock.advance(by: time)
    let areFired = DispatchSemaphore(value: 0)
    timers.schedule(at: clock.now) { areFired.signal() }
    await wait(areFired)
  }

  @Test func jobsThatHaveRunLeaveNothingBehind() async {
    for _ in 0..<1_000 {
      jobs.add(mayOvertake: { true }) {}
      jobs.wait()
    }
    #expect(jobs.waitingCount == 0)
    #expect(timers.count <= 1)
    await advance(by: .seconds(1))
    #expect(timers.count == 0)
  }

  @Test func thereIsOneTimerForAllJobsThatWait() async {
    let (goesOn, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    jobs.add { goesOn.wait() }
    // Set a little apart, so that each is due at another time.
    for _ in 0..<100 {
      jobs.add(mayOvertake: { false }) {}
      clock.advance(by: .milliseconds(1))
    }
    #expect(jobs.waitingCount == 100)
    #expect(timers.count == 1)
    for _ in 0..<10 {
      await advance(by: .milliseconds(200))
      #expect(jobs.waitingCount == 100)
      #expect(timers.count == 1)
    }
    jobs.add(mayOvertake: { true }) { isOver.signal() }
    await advance(by: .milliseconds(200))
    #expect(jobs.waitingCount == 101)
    await advance(by: .milliseconds(50))
    // The last one has overtaken all the others.
    await wait(isOver)
    #expect(jobs.waitingCount == 100)
    goesOn.signal()
    jobs.wait()
    #expect(jobs.waitingCount == 0)
    await advance(by: .seconds(1))
    #expect(timers.count == 0)
  }

  @Test func aJobThatHasOvertakenRunsOnce() async {
    let (goesOn, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let runs = SmallLock(0)
    jobs.add { goesOn.wait() }
    jobs.add(mayOvertake: { true }) {
      runs.withLock { $0 += 1 }
      isOver.signal()
    }
    await advance(by: .seconds(1))
    await wait(isOver)
    goesOn.signal()
    jobs.wait()
    #expect(runs.withLock { $0 } == 1)
  }
}
