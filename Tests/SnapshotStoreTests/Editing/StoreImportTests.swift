import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Imports of many records at once: all or none, beside other transactions.
@Suite struct StoreImportTests {
  private static func counters(_ ids: some Sequence<Int>, value: Int = 1) -> some Sequence<Counter> {
    ids.lazy.map { Counter(id: $0, value: value) }
  }

  private struct Stop: Error {}

  @Test func oneTransactionAndProgress() throws {
    let store = Store<Counters>()
    try store.write { try $0.set(5, to: 9) }
    let told = Mutex<[Int]>([])
    let count = try store.importRecords(Self.counters(0..<25), into: \.left, batch: 10) { count in
      told.withLock { $0.append(count) }
      // No reader sees anything before the end.
      #expect(store.read { $0.left.count } == 1)
    }
    #expect(count == 25)
    #expect(told.withLock { $0 } == [10, 20, 25])
    #expect(store.revision == 2)
    #expect(store.read { $0.left.count } == 25)
    #expect(store.read { $0.left[5]?.value } == 1)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func nothingIsPublishedForNothing() throws {
    let store = Store<Counters>()
    #expect(try store.importRecords([], into: \.left) == 0)
    #expect(store.revision == 0)
  }

  @Test func ofTwoWithOneIDTheLaterCounts() throws {
    let store = Store<Counters>()
    let records = [1, 2, 1, 3, 1].enumerated().map { Counter(id: $1, value: $0) }
    for batch in [1, 2, 10] {
      #expect(try store.importRecords(records, into: \.left, batch: batch) == 5)
      #expect(store.read { $0.left.map(\.value) } == [4, 1, 3])
    }
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func whatIsWrittenMeanwhileStays() throws {
    let store = Store<Counters>()
    try store.write { for id in 0..<10 { try $0.set(id, to: 0) } }
    try store.importRecords(Self.counters(5..<15), into: \.left, batch: 4) { _ in
      try store.write { counters in
        counters.left.remove(0)
        counters.left.remove(7)
        try counters.set(1, to: 5)
        try counters.set(100, to: 5)
        try counters.right.upsert(Counter(id: 1, value: 1))
      }
    }
    let value = store.snapshot().value
    #expect(value.left.map(\.id) == Array(1..<15) + [100])
    #expect(value.left.map(\.value) == [5, 0, 0, 0] + Array(repeating: 1, count: 10) + [5])
    #expect(value.right.count == 1)
    #expect(value.allViolations() == [])
  }

  @Test func anErrorLeavesNothing() throws {
    let store = Store<Counters>()
    #expect(throws: Stop.self) {
      try store.importRecords(Self.counters(0..<100), into: \.left, batch: 10) { if $0 == 50 { throw Stop() } }
    }
    #expect(store.revision == 0)
    #expect(throws: Stop.self) {
      try store.importRecords(Self.counters(0..<100), into: \.left, batch: 10, checkpoints: .every(20)) {
        if $0 == 50 { throw Stop() }
      }
    }
    #expect(store.read { $0.left.count } == 40)
    #expect(store.revision == 2)
  }

  @Test func aUniqueIndexRefusesAll() throws {
    let store = Store<Directory>()
    let people = [Person(id: 1, email: "a"), Person(id: 2, email: "b"), Person(id: 3, email: "a")]
    expectRefusal(.uniqueKeyTaken) { try store.importRecords(people, into: \.people) }
    #expect(store.revision == 0)
    // Also with concurrent writes.
    expectRefusal(.uniqueKeyTaken) {
      try store.importRecords(people.prefix(2), into: \.people, batch: 1) { _ in
        _ = try store.write { root in try root.people.upsert(Person(id: 9, email: "b")) }
      }
    }
    #expect(store.read { $0.people.map(\.id) } == [9])
  }

  @Test func checkpoints() throws {
    let store = Store<Counters>()
    let told = Mutex<[[Int]]>([])
    try store.importRecords(Self.counters(0..<25), into: \.left, batch: 4, checkpoints: .every(10)) { count in
      told.withLock { $0.append([count, store.revision]) }
    }
    #expect(told.withLock { $0 } == [[4, 0], [8, 0], [10, 0], [14, 1], [18, 1], [20, 1], [24, 2], [25, 2]])
    #expect(store.revision == 3)
    #expect(store.read { $0.left.count } == 25)
  }

  @Test func aCancelledTaskLeavesNothing() async throws {
    let store = Store<Counters>()
    let task = Task {
      try await store.importRecords(Endless(), into: \.left, batch: 10) { count in
        if count == 30 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(store.revision == 0)
  }

  @Test func aClosedStoreRefusesAtOnce() throws {
    let store = Store<Counters>()
    try store.closeAndWait()
    expectRefusal(.closed) { try store.importRecords([], into: \.left) }
  }

  @Test func oneSaveAtTheEnd() async throws {
    let world = StoreUnderTest()
    let store: Store<Counters> = try world.open()
    let before = world.replacements
    try await store.importRecords(Endless(count: 1_000), into: \.left, batch: 100)
    try await store.flush()
    #expect(world.replacements == before + 1)
    #expect(try world.stored(Counters.self) == store.snapshot().value)
    try await store.close()
  }

  // Imports beside writers, compared with a dictionary: it has the imported records, and otherwise the written ones.
  @Test func randomImports() {
    each(SeededGenerator.seeds(10)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let store = Store<Counters>()
      var expected: [Int: Int] = [:]
      for round in 1...10 {
        let imported = (0..<40).map { _ in Int.random(in: 0..<100, using: &random) }
        var written: [Int: Int?] = [:]
        try store.importRecords(
          Self.counters(imported, value: round), into: \.left, batch: Int.random(in: 1...50, using: &random)
        ) { _ in
          let id = Int.random(in: 0..<100, using: &random)
          let value: Int? = Bool.random(using: &random) ? -round : nil
          written.updateValue(value, forKey: id)
          try store.write { counters in
            if let value { try counters.set(id, to: value) } else { counters.left.remove(id) }
          }
        }
        for (id, value) in written { expected[id] = value }
        for id in imported { expected[id] = round }
        let values = store.read { counters in Dictionary(uniqueKeysWithValues: counters.left.map { ($0.id, $0.value) })
        }
        #expect(values == expected, "seed \(seed)")
      }
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  // Keys that move from record to record, in possible and impossible orders. Concurrent writers have no effect.
  @Test func keysThatMove() {
    each(SeededGenerator.seeds(40), [1, 3]) { (seed: UInt64, batch: Int) throws in
      var random = SeededGenerator(seed: seed)
      let keys = (0..<7).map { "key \($0)" }
      let people = zip(0..<5, keys.shuffled(using: &random)).map { Person(id: $0, email: $1) }
      // Mostly a key that is free by then, so that many imports succeed.
      var holders = people
      let incoming = (0..<6).map { _ in
        let free = keys.filter { key in !holders.contains { $0.email == key } }
        let isBold = Int.random(in: 0..<20, using: &random) == 0
        let id = Int.random(in: 0..<5, using: &random)
        holders[id].email = (isBold ? keys : free).randomElement(using: &random)
        return holders[id]
      }
      let results = try [false, true].map { isDisturbed in
        let store = Store<Directory>()
        try store.write { for person in people { try $0.people.insert(person) } }
        let result = Result {
          try store.importRecords(incoming, into: \.people, batch: batch) { count in
            if isDisturbed { try store.write { _ = try $0.people.upsert(Person(id: 100, email: "\(count)")) } }
          }
        }
        #expect(store.snapshot().value.allViolations() == [])
        return (store.read { $0.people.filter { $0.id < 100 } }, (try? result.get()) == nil)
      }
      #expect(results[0] == results[1], "seed \(seed)")
    }
  }

  /// The result of an import into a directory, errors included.
  private static func outcome(
    _ people: [Person], _ incoming: [Person], batch: Int, checkpoints: ImportCheckpoints = .atEnd
  ) throws -> [String] {
    let store = Store<Directory>()
    try store.write { root in for person in people { try root.people.insert(person) } }
    let result = Result {
      try store.importRecords(incoming, into: \.people, batch: batch, checkpoints: checkpoints)
    }
    #expect(store.snapshot().value.allViolations() == [])
    return store.read { $0.people.map { "\($0.id) \($0.email ?? "") \($0.phones)" } } + ["\(result)"]
  }

  @Test(arguments: [1, 2, 3]) func keysMayBeSwappedAcrossBatches(batch: Int) throws {
    let people = [Person(id: 1, email: "a"), Person(id: 2, email: "b")]
    let swapped = [Person(id: 1, email: "b"), Person(id: 2, email: "a")]
    #expect(try Self.outcome(people, swapped, batch: batch).dropLast() == ["1 b []", "2 a []"])
  }

  // The size of batches has no effect on refusals and messages. Only the end decides, or each checkpoint.
  @Test func theSizeOfBatchesDoesNotMatter() {
    each(SeededGenerator.seeds(20), [ImportCheckpoints.atEnd, .every(5)]) {
      (seed: UInt64, checkpoints: ImportCheckpoints) throws in
      var random = SeededGenerator(seed: seed)
      func person(_ id: Int) -> Person {
        var person = Person(id: id, email: "\(Int.random(in: 0..<12, using: &random))")
        person.phones = (0..<Int.random(in: 0..<3, using: &random)).map { _ in Int.random(in: 0..<20, using: &random) }
        return person
      }
      // Matching records, in any order.
      var directory = Directory()
      for id in 0..<8 { _ = try? directory.people.insert(person(id)) }
      let incoming = (0..<12).map { _ in person(Int.random(in: 0..<8, using: &random)) }
      let expected = try Self.outcome(Array(directory.people), incoming, batch: 100, checkpoints: checkpoints)
      for batch in [1, 2, 3, 7] {
        let outcome = try Self.outcome(Array(directory.people), incoming, batch: batch, checkpoints: checkpoints)
        #expect(outcome == expected, "seed \(seed), batches of \(batch)")
      }
    }
  }

  @Test func aKeyThatAnotherRecordHadMayBeTaken() throws {
    let store = Store<Directory>()
    try store.write { root in
      for person in [Person(id: 1, email: "a"), Person(id: 2, email: "b")] { try root.people.insert(person) }
    }
    let incoming = [Person(id: 2, email: "c"), Person(id: 1, email: "b")]
    try store.importRecords(incoming, into: \.people, batch: 1) { count in
      try store.write { _ = try $0.people.upsert(Person(id: 9, email: "\(count)")) }
    }
    #expect(store.read { $0.people.map(\.email) } == ["b", "c", "2"])
  }

  /// The rule takes its time, and in this time others write.
  private struct Slow: Model {
    var left = Table<Counter>()
    var right = Table<Counter>()
    static let inRule = SmallLock<Callback<Void, Void>?>(nil)
    static let schema = Schema<Slow>(
      "slow", version: 1,
      Field("left", \.left),
      Field("right", \.right),
      rules: [Rule("slow", on: \.left) { _, _ in inRule.withLock { $0 }?() }])
  }

  @Test func othersDoNotKeepAnImportFromItsEnd() throws {
    let store = Store<Slow>()
    Slow.inRule.withLock {
      $0 = Callback {
        let count = store.read { $0.right.count }
        if store.writerLock.isHeldByThisThread || count == 200 { return }
        onThreads(1) { _ in try? store.write { try $0.right.insert(Counter(id: count, value: 0)) } }
      }
    }
    defer { Slow.inRule.withLock { $0 = nil } }
    try store.importRecords(Self.counters(0..<100), into: \.left)
    #expect(store.read { $0.left.count == 100 && (20..<200).contains($0.right.count) })
    #expect(store.snapshot().value.allViolations() == [])
  }
}

/// Counters without end, or a given number of them.
private struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
  var count = Int.max
  private var last = 0

  init(count: Int = .max) { self.count = count }

  func makeAsyncIterator() -> Endless { self }

  mutating func next() async -> Counter? {
    if last == count { return nil }
    last += 1
    return Counter(id: last, value: 1)
  }
}
