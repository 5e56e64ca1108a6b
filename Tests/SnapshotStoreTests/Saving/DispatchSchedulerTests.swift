import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The clock and the timers of the machine.
@Suite(.timeLimit(.minutes(30)))
struct DispatchSchedulerTests {
  @Test func workRunsAtItsTimeAndInOrder() async {
    let scheduler = DispatchScheduler()
    let (numbers, continuation) = AsyncStream.makeStream(of: (Int, Duration).self)
    let start = scheduler.now
    for number in [3, 1, 2] {
      scheduler.schedule(at: start + .milliseconds(number * 10)) { continuation.yield((number, scheduler.now)) }
    }
    // Further away than any clock counts, and in the past.
    scheduler.schedule(at: .seconds(Int64.max)) { continuation.yield((9, scheduler.now)) }
    scheduler.schedule(at: .seconds(-5)) { continuation.yield((0, scheduler.now)) }
    var order: [Int] = []
    for await (number, time) in numbers {
      #expect(number == 0 || time >= start + .milliseconds(number * 10))
      order.append(number)
      if order.count == 4 { break }
    }
    #expect(order == [0, 1, 2, 3])
  }

  /// A clock may count from a future moment: by a fault of the machine, or in a test.
  @Test func clocksMayBeNegative() async {
    await each([.zero, .seconds(ProcessInfo.processInfo.systemUptime), .seconds(1e9), .seconds(1e18)] as [Duration]) {
      (offset: Duration) async in
      let scheduler = DispatchScheduler(timers: TimerThread { SuspendingClock().now - offset })
      #expect(scheduler.now >= .zero && scheduler.now < .seconds(600))
      let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
      let start = scheduler.now
      scheduler.schedule(at: .seconds(Int64.max)) { continuation.yield(9) }
      scheduler.schedule(at: start + .milliseconds(20)) { continuation.yield(2) }
      scheduler.schedule(at: start + .milliseconds(10)) { continuation.yield(1) }
      scheduler.schedule(at: .seconds(Int64.min)) { continuation.yield(0) }
      var order: [Int] = []
      for await number in numbers.prefix(3) { order.append(number) }
      #expect(order == [0, 1, 2])
    }
  }

  /// A clock that is set back does not end the process either, although no machine's clock should do so.
  @Test func aClockThatIsSetBackTrapsNothing() async {
    let moment = Mutex(SuspendingClock().now)
    let scheduler = DispatchScheduler(timers: TimerThread { moment.withLock { $0 } })
    moment.withLock { $0 = $0.advanced(by: .seconds(-1e12)) }
    #expect(scheduler.now == .seconds(-1e12))
    await withCheckedContinuation { continuation in
      scheduler.schedule(at: scheduler.now) { continuation.resume() }
    }
  }
}
