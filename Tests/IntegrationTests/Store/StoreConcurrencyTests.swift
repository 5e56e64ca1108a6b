import Foundation
import Synchronization
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Many threads on one store: no change is lost, and no reader ever sees half of one.
@Suite(.timeLimit(.minutes(30)))
struct StoreConcurrencyTests {
  static let threads = 8
  static let increments = 1_000

  /// Adds one to the counter of a thread, in both tables.
  static func increment(_ counters: inout Counters, _ index: Int) throws {
    let value = (counters.left[index]?.value ?? 0) + 1
    try counters.left.upsert(Counter(id: index, value: value))
    try counters.right.upsert(Counter(id: index, value: value))
  }

  /// The faults of a snapshot, in itself and compared with an earlier one.
  static func problem(in snapshot: Snapshot<Counters>, after earlier: Snapshot<Counters>) -> String? {
    if snapshot.revision < earlier.revision { return "\(snapshot.revision) came after \(earlier.revision)" }
    let (left, right) = (snapshot.value.left, snapshot.value.right)
    if left.count != right.count || !zip(left, right).allSatisfy(==) { return "half of a transaction was seen" }
    // Every transaction adds one, so the revision is the sum.
    if left.reduce(0, { $0 + $1.value }) != snapshot.revision { return "the value is not that of its revision" }
    return nil
  }

  @Test func nothingIsLostAndNothingIsTorn() throws {
    let store = Store(Counters())
    let writersLeft = Atomic(Self.threads)
    let problems = Mutex<[String]>([])
    // Two readers read as long as there is a writer. More would take the writers' time.
    onThreads(Self.threads + 2) { index in
      if index < Self.threads {
        for _ in 0..<Self.increments { _ = try? store.write { try Self.increment(&$0, index) } }
        writersLeft.subtract(1, ordering: .relaxed)
      } else {
        var last = store.snapshot()
        repeat {
          let next = store.snapshot()
          if let problem = Self.problem(in: next, after: last) { problems.withLock { $0.append(problem) } }
          last = next
        } while writersLeft.load(ordering: .relaxed) > 0
      }
    }
    #expect(problems.withLock { $0.prefix(5) } == [])
    #expect(store.revision == Self.threads * Self.increments)
    #expect(store.read { $0.left.map(\.value) } == Array(repeating: Self.increments, count: Self.threads))
    #expect(store.read { $0.left == $0.right })
    #expect(store.snapshot().value.allViolations() == [])
  }

  // A working reader neither delays a writer nor sees its changes.
  @Test func aReaderAndAWriterDoNotWaitForEachOther() throws {
    let store = Store(Counters())
    try store.write { try Self.increment(&$0, 0) }
    let (isReading, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    onThreads(2) { index in
      if index == 0 {
        store.read { counters in
          isReading.signal()
          mayGoOn.wait()
          #expect(counters.left[0]?.value == 1)
        }
      } else {
        isReading.wait()
        #expect(throws: Never.self) { try store.write { try Self.increment(&$0, 0) } }
        mayGoOn.signal()
      }
    }
    #expect(store.revision == 2)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // A long transaction does not delay readers either.
  @Test func aTransactionDoesNotHoldReadersUp() throws {
    let store = Store(Counters())
    let (isWriting, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    onThreads(2) { index in
      if index == 0 {
        _ = try? store.write { counters in
          try Self.increment(&counters, 0)
          isWriting.signal()
          mayGoOn.wait()
        }
      } else {
        isWriting.wait()
        #expect(store.read { $0.left.isEmpty })
        #expect(store.snapshot().revision == 0)
        #expect(store.status.revision == 0)
        mayGoOn.signal()
      }
    }
    #expect(store.revision == 1)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // A save that hangs in the disk delays neither readers nor writers, only those that wait for it.
  @Test func aSaveHoldsNobodyUp() throws {
    let fileSystem = InMemoryFileSystem(directories: ["/dir"])
    let store = try Store<Counters>.open(
      at: URL(fileURLWithPath: "/dir/store.json"), options: StoreOptions(policy: .immediate), fileSystem: fileSystem,
      scheduler: DispatchScheduler())
    let (isSaving, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isHeld = Atomic(true)
    fileSystem.injectFault { call in
      if call.name == "write", isHeld.exchange(false, ordering: .relaxed) {
        isSaving.signal()
        mayGoOn.wait()
      }
      return nil
    }
    try store.write { try Self.increment(&$0, 0) }
    isSaving.wait()
    for _ in 0..<100 { try store.write { try Self.increment(&$0, 0) } }
    #expect(store.read { $0.left[0]?.value } == 101)
    #expect(store.status.isSaving)
    #expect(store.durableRevision == 0)
    mayGoOn.signal()
    try store.closeAndWait()
    #expect(store.durableRevision == 101)
    // Two saves: the one that hung, and one for all changes that came meanwhile.
    #expect(store.status.saves == 2)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // N callers that ask for one tag at once get one tag.
  @Test func racingCallersGetOneTag() throws {
    let store = Store(Notebook(sources: NotebookSources(now: { Date(timeIntervalSinceReferenceDate: 0) })))
    let ids = Mutex<Set<SnapshotNotebook.Tag.ID>>([])
    onThreads(Self.threads) { index in
      for number in 0..<100 {
        let name = index % 2 == 0 ? "Paris \(number)" : " paris   \(number) "
        guard let tag = try? store.write({ $0.tag(named: name) }) else { continue }
        ids.withLock { _ = $0.insert(tag.id) }
      }
    }
    #expect(ids.withLock { $0.count } == 100)
    #expect(store.read { $0.tags.count } == 100)
    #expect(store.snapshot().value.allViolations() == [])
  }
}
