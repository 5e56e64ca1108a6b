import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Records with a key that they write and never read, such as the name of their kind for other programs.
struct WrittenKeyTests {
  struct Entry: Record {
    let id: Int
    let kind = "entry"
    var title = ""
    var body = ""
    var changed = Date(timeIntervalSinceReferenceDate: 0)

    static let mergeRules: [MergeRule] = [.modified("changed")]

    enum CodingKeys: CodingKey { case id, kind, title, body, changed }
    init(id: Int) { self.id = id }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      title = try container.decode(String.self, forKey: .title)
      body = try container.decode(String.self, forKey: .body)
      changed = try container.decode(Date.self, forKey: .changed)
    }
  }

  @Test func bothSidesAreMergedByProperty() {
    let base = Entry(id: 1)
    var (ours, theirs) = (base, base)
    ours.title = "a"
    theirs.body = "b"
    let merge = RecordMerge(
      "entries", bases: [base], ours: ours, theirs: theirs, rules: Entry.mergeRules, policy: .ours)
    #expect(merge.record.title == "a" && merge.record.body == "b" && merge.conflicts.isEmpty)
  }

  @Test func theDateOfAChangeIsRenewed() throws {
    var entry = Entry(id: 1)
    entry.title = "a"
    let date = Date(timeIntervalSinceReferenceDate: 5)
    #expect(entry.dated(date, since: Entry(id: 1), by: Entry.mergeRules)?.changed == date)
  }

  @Test func itsLinesAreRead() throws {
    let lines = #"{"id":1,"kind":"entry","title":"a","body":"b","changed":"2001-01-01T00:00:00Z"}"#
    #expect(try Table<Entry>.records(ndjson: Array(lines.utf8)).first?.title == "a")
    let other = lines.replacing("\"entry\"", with: "\"note\"")
    #expect(throws: SnapshotError.self) { try Table<Entry>.records(ndjson: Array(other.utf8)) }
  }

  /// A key that would be lost makes the merge one of whole records.
  @Test func aKeyThatIsWrittenNowhereIsNotLost() throws {
    let item = Item(
      .dictionary([.init(key: "id", value: Item(.integer(1))), .init(key: "x", value: Item(.integer(2)))]))
    #expect(throws: (any Error).self) { try ItemDecoder.decodeWritten(Counter.self, from: item) }
  }
}
