import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Records whose ids the table makes, and records that are found by a unique key.
struct DrawnIDTests {
  private struct Drawn<ID: Codable & Comparable & Hashable & Sendable>: Record {
    let id: ID
    var name = ""
    static var byName: Index<Drawn, String> { Index("name", unique: true, key: \Drawn.name) }
    static var indexes: Indexes<Drawn> { Indexes(byName) }
  }

  @Test func numbersAreExactInEveryReader() throws {
    var table = Table<Drawn<Int>>()
    for number in 0..<1_000 {
      let record = try table.insert { Drawn(id: $0, name: "\(number)") }
      #expect(Int(exactly: Double(record.id)) == record.id && record.id < 1 << 53)
      #expect(table[record.id] == record)
    }
    #expect(table.count == 1_000)
  }

  @Test func textsAndUniversalIDs() throws {
    var (texts, ids) = (Table<Drawn<String>>(), Table<Drawn<UUID>>())
    for number in 0..<100 {
      let text = try texts.insert { Drawn(id: $0, name: "\(number)") }
      #expect(text.id.wholeMatch(of: /[0-9a-z]{20}/) != nil)
      try ids.insert { Drawn(id: $0, name: "\(number)") }
    }
    #expect(texts.count == 100 && ids.count == 100)
  }

  @Test func whatFailsChangesNothing() throws {
    var table = Table<Drawn<Int>>()
    try table.insert { Drawn(id: $0, name: "a") }
    let error = #expect(throws: SnapshotError.self) { try table.insert { Drawn(id: $0, name: "a") } }
    #expect(error?.code == .uniqueKeyTaken)
    #expect(throws: CancellationError.self) { try table.insert { _ in throw CancellationError() } }
    #expect(table.count == 1)
  }

  @Test func aRecordWithAUniqueKeyIsChangedOrAdded() throws {
    var table = Table<Drawn<Int>>()
    let first = try table.update(in: Drawn.byName, at: "a", default: Drawn(id: 1, name: "a")) { $0.id }
    #expect(first == 1 && table.count == 1)
    let second = try table.update(in: Drawn.byName, at: "a", default: Drawn(id: 2, name: "a")) { record in
      record.name = "b"
      return record.id
    }
    #expect(second == 1 && table.map(\.name) == ["b"])
    #expect(throws: CancellationError.self) {
      try table.update(in: Drawn.byName, at: "c", default: Drawn(id: 3, name: "c")) { _ in throw CancellationError() }
    }
    let error = #expect(throws: SnapshotError.self) {
      try table.update(in: Drawn.byName, at: "c", default: Drawn(id: 1, name: "c")) { _ in }
    }
    #expect(error?.code == .idTaken)
    #expect(table.count == 1)
  }
}
