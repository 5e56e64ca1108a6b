import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Background blocks that wait, and code that waits for them: closing, other blocks, other threads. Nothing hangs, and
/// no block is silently dropped.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct StoreBackgroundWaitTests {
  private let store = Store(Counters())

  private static func wait(_ semaphore: DispatchSemaphore, _ place: SourceLocation = #_sourceLocation) async {
    #expect(await semaphore.arrives(), "it hangs", sourceLocation: place)
  }

  private func values(_ store: Store<Counters>) -> [Int: Int] {
    store.read { Dictionary(uniqueKeysWithValues: $0.left.map { ($0.id, $0.value) }) }
  }

  /// Begins a block for each id without waiting.
  private static func begin(_ ids: Range<Int>, on store: Store<Counters>) {
    for id in ids { store.performBackground { try $0.set(id, to: id) } }
  }

  // MARK: The right of way

  /// Others wait until the block is done, and not until its time is over. The block itself never waits.
  @Test func onlyOthersGiveWay() async {
    let right = RightOfWay()
    let (hasBegun, hasWaited) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let order = Mutex<[String]>([])
    right.take(for: .seconds(30)) {
      right.giveWay()
      Thread.detachNewThread {
        hasBegun.signal()
        right.giveWay()
        order.withLock { $0.append("other") }
        hasWaited.signal()
      }
      hasBegun.wait()
      // A thread that does not wait takes some microseconds.
      if hasWaited.wait(timeout: .now() + .milliseconds(20)) == .success { hasWaited.signal() }
      order.withLock { $0.append("block") }
    }
    #expect(await hasWaited.arrives())
    #expect(order.withLock { $0 } == ["block", "other"])
    right.giveWay()
  }

  // MARK: Closing

  @Test(arguments: [true, false]) func whatIsQueuedBeforeCloseIsSaved(isBlocking: Bool) async throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    Self.begin(0..<200, on: store)
    if isBlocking { try store.closeAndWait() } else { try await store.close() }
    #expect(try test.stored().left.map(\.id) == Array(0..<200))
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aBlockThatFailsUnheardIsLogged() async throws {
    let test = StoreUnderTest()
    let messages = Mutex<[String]>([])
    let isLogged = DispatchSemaphore(value: 0)
    var options = StoreOptions()
    options.log = { message in
      messages.withLock { $0.append(message) }
      isLogged.signal()
    }
    let store = try test.open(Counters.self, options)
    try store.closeAndWait()
    Self.begin(1..<2, on: store)
    await Self.wait(isLogged)
    #expect(messages.withLock { $0 } == ["store.json: a background block failed: the store is closed"])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func closingInACompletionWaitsForTheOthers() async throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    let (areBegun, isClosed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    store.performBackground {
      areBegun.wait()
      try $0.set(1, to: 1)
    } completion: { _ in
      #expect(throws: Never.self) { try store.closeAndWait() }
      isClosed.signal()
    }
    Self.begin(2..<101, on: store)
    areBegun.signal()
    await Self.wait(isClosed)
    #expect(try test.stored().left.map(\.id) == Array(1...100))
    #expect(store.snapshot().value.allViolations() == [])
  }

  // On the thread of the block, and in a task that it starts. The block itself goes on.
  @Test func closingInsideOfABlockFails() async {
    await #expect(processExitsWith: .success) {
      let store = Store(Counters())
      try await store.performBackground { value in
        let error = #expect(throws: SnapshotError.self) { try store.closeAndWait() }
        #expect(error?.code == .wouldDeadlock)
        let isDone = DispatchSemaphore(value: 0)
        Task {
          await #expect(throws: SnapshotError.self) { try await store.close() }
          isDone.signal()
        }
        isDone.wait()
        try value.set(1, to: 1)
      }
      #expect(store.read { $0.left.count } == 1)
      try await store.close()
    }
  }

  @Test func blocksOfAStoreThatIsDeallocatedAreSaved() throws {
    let test = StoreUnderTest()
    var store: Store<Counters>? = try test.open(Counters.self)
    let goesOn = DispatchSemaphore(value: 0)
    store?.performBackground {
      goesOn.wait()
      try $0.set(1, to: 1)
    }
    store?.performBackground { try $0.set(2, to: 2) }
    store = nil
    goesOn.signal()
    let limit = Date(timeIntervalSinceNow: 600)
    while try test.stored().left.count < 2, Date() < limit { sched_yield() }
    #expect(try test.stored().left.map(\.id) == [1, 2])
    #expect(try test.stored().allViolations() == [])
  }

  // MARK: Waiting for other threads

  // As in a block that waits by `DispatchQueue.main.sync`.
  @Test func aBlockThatWaitsForAWriteThatConflictsFailsInTheEnd() async throws {
    let isDone = DispatchSemaphore(value: 0)
    let error = Mutex<(any Error)?>(nil)
    let runs = Mutex(0)
    store.performBackground { [store] value in
      let run = runs.withLock {
        $0 += 1
        return $0
      }
      try value.set(1, to: -run)
      let hasWritten = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        #expect(throws: Never.self) { try store.write { try $0.set(1, to: run) } }
        hasWritten.signal()
      }
      hasWritten.wait()
    } completion: { result in
      if case .failure(let failure) = result { error.withLock { $0 = failure } }
      isDone.signal()
    }
    await Self.wait(isDone)
    let refusal = error.withLock { $0 } as? TransactionRefusal
    #expect(refusal?.conflicts.map(\.place) == ["left 1, value"])
    #expect(values(store) == [1: runs.withLock { $0 }])
    #expect(store.snapshot().value.allViolations() == [])
  }

  // MARK: Waiting for other blocks

  @Test(arguments: [false, true]) func aBlockMayWaitForAnother(byATask: Bool) async throws {
    let isDone = DispatchSemaphore(value: 0)
    store.performBackground { [store] value in
      try value.set(1, to: 1)
      let isInnerDone = DispatchSemaphore(value: 0)
      if byATask {
        Task {
          try await store.performBackground { try $0.set(2, to: 2) }
          isInnerDone.signal()
        }
      } else {
        store.performBackground({ try $0.set(2, to: 2) }, completion: { _ in isInnerDone.signal() })
      }
      isInnerDone.wait()
    } completion: { _ in
      isDone.signal()
    }
    await Self.wait(isDone)
    #expect(values(store) == [1: 1, 2: 2])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aCompletionMayWaitForABlockAndItsCompletion() async throws {
    let isDone = DispatchSemaphore(value: 0)
    store.performBackground {
      try $0.set(1, to: 1)
    } completion: { [store] _ in
      let isNextDone = DispatchSemaphore(value: 0)
      store.performBackground({ try $0.set(2, to: 2) }, completion: { _ in isNextDone.signal() })
      isNextDone.wait()
      isDone.signal()
    }
    await Self.wait(isDone)
    #expect(values(store) == [1: 1, 2: 2])
    #expect(store.snapshot().value.allViolations() == [])
  }

  // A block that nobody waits for comes after the block in which it was begun, and sees its changes.
  @Test func aBlockBegunInsideOfAnotherComesAfterIt() async throws {
    let isDone = DispatchSemaphore(value: 0)
    let seen = Mutex<[Int]>([])
    func begin(_ body: @escaping @Sendable (inout Counters) throws -> Void) { store.performBackground(body) }
    begin { [store] value in
      store.performBackground { value in
        seen.withLock { $0 = value.left.map(\.id) }
      } completion: { _ in
        isDone.signal()
      }
      try value.set(1, to: 1)
    }
    await Self.wait(isDone)
    #expect(seen.withLock { $0 } == [1])
    #expect(store.snapshot().value.allViolations() == [])
  }
}
