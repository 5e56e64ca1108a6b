import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A batch has the same effect as adding its records one after the other.
struct RecordBatchTests {
  struct Entry<ID: Comparable & Hashable & Codable & Sendable>: Record {
    let id: ID
    var value = 0
  }

  /// Into an empty table and into one that has some of the ids, compared with a dictionary.
  private func check<ID: Comparable & Hashable & Codable & Sendable>(_ ids: [ID], seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for size in [0, ids.count / 2] {
      let old = ids.shuffled(using: &random).prefix(size).map { Entry(id: $0, value: -1) }
      var model = Dictionary(old.map { ($0.id, $0) }) { _, last in last }
      var table = Table<Entry<ID>>()
      for entry in model.values { try table.insert(entry) }
      var batch = RecordBatch<Entry<ID>>()
      for (number, id) in (ids + ids.prefix(ids.count / 4)).shuffled(using: &random).enumerated() {
        try batch.put(Entry(id: id, value: number))
        model[id] = Entry(id: id, value: number)
        #expect(batch[id]?.value == number)
      }
      #expect(batch.count == Set(ids).count)
      try table.upsert(contentsOf: batch)
      let expected = model.values.sorted { $0.id < $1.id }
      #expect(table.map(\.id) == expected.map(\.id))
      #expect(table.map(\.value) == expected.map(\.value))
      #expect(table.invariantViolations() == [])
    }
  }

  @Test func anyOrder() {
    each(SeededGenerator.seeds(4), [1, 2, 300]) { (seed: UInt64, count: Int) throws in
      var random = SeededGenerator(seed: seed)
      let numbers = (0..<count).map { _ in Int64(bitPattern: random.next()) } + [.min, -1, 0, 1, .max]
      let doubles = numbers.map { Double($0) / 7 } + [-.infinity, .infinity, .leastNonzeroMagnitude]
      try check(numbers, seed: seed)
      try check(numbers.map { Int($0) }, seed: seed)
      try check(doubles, seed: seed)
      try check(doubles.map { Date(timeIntervalSinceReferenceDate: $0) }, seed: seed)
      try check(numbers.map { String(UInt64(bitPattern: $0), radix: 36) }, seed: seed)
      try check(numbers.map { UInt128(UInt64(bitPattern: $0)) << 60 | 5 }, seed: seed)
    }
  }

  @Test func negativeZeroIsZero() throws {
    var batch = RecordBatch<Entry<Double>>()
    for (number, id) in [1, -0.0, -1, 0.0].enumerated() { try batch.put(Entry(id: id, value: number)) }
    #expect(batch.count == 3)
    let table = try Table<Entry<Double>>().upserting(batch)
    #expect(table.map(\.value) == [2, 3, 0])
    #expect(table.ids[1].sign == .plus)
  }

  @Test func aNaNIsRefused() {
    each(TableNaNTests.nans) { (nan: Double) throws in
      var batch = RecordBatch<Entry<Double>>()
      try batch.put(Entry(id: 1))
      expectRefusal(.invalidValue) { try batch.put(Entry(id: nan)) }
      #expect(batch.count == 1 && !batch.contains(nan))
      var table = try Table([Entry(id: 2.0)])
      let before = table
      expectRefusal(.invalidValue) { try table.upsert(contentsOf: [Entry(id: 1), Entry(id: nan)]) }
      #expect(table.isIdentical(to: before))
    }
  }

  @Test func anEmptyBatchChangesNothing() throws {
    for records in [[], [Person(id: 1, email: "a")]] {
      var table = try Table(records)
      let before = table
      try table.upsert(contentsOf: RecordBatch())
      try table.upsert(contentsOf: [])
      #expect(table.isIdentical(to: before))
    }
    var batch = RecordBatch<Person>()
    try batch.put(Person(id: 1))
    batch.removeAll()
    #expect(batch.isEmpty && batch[1] == nil)
  }

  /// Only the result of all records counts.
  @Test func keysMayChangeHands() throws {
    var table = try Table((0..<100).map { Person(id: $0, email: "\($0)") })
    try table.upsert(contentsOf: (0..<100).map { Person(id: 99 - $0, email: "\(($0 + 1) % 100)") })
    for id in 0..<100 { #expect(table[id]?.email == "\((100 - id) % 100)") }
    #expect(table.invariantViolations() == [])
  }

  @Test(arguments: [true, false]) func aConflictChangesNothing(isEmpty: Bool) throws {
    var table = try Table(isEmpty ? [] : (0..<100).map { Person(id: $0, email: "\($0)", age: 1, groups: ["a"]) })
    let before = table
    // With a record of the table, or with one of the batch.
    let last = isEmpty ? [Person(id: 7, email: "same"), Person(id: 5, email: "same")] : [Person(id: 200, email: "99")]
    let records = (0..<50).map { Person(id: $0, email: "new \($0)", groups: ["b"]) } + last
    expectRefusal(.uniqueKeyTaken) { try table.upsert(contentsOf: records) }
    #expect(table.isIdentical(to: before))
    #expect(table.invariantViolations() == [])
  }
}

extension Table {
  fileprivate func upserting(_ batch: RecordBatch<Value>) throws -> Table {
    var table = self
    try table.upsert(contentsOf: batch)
    return table
  }
}
