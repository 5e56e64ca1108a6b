import Foundation
import Synchronization
import Testing

@testable import SnapshotStore

/// The clock and the timers of the machine.
@Suite(.timeLimit(.minutes(10)))
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
}
