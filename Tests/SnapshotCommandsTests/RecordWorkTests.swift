import Foundation
import Testing

@testable import SnapshotCommands
@testable import SnapshotStore
@testable import TestSupport

/// What the commands for records do with many records, and with records of known types.
@Suite struct RecordWorkTests {
  // MARK: Time

  private static func record(_ number: Int, _ name: String) -> UntypedRecord {
    ["id": UntypedValue(number), "name": UntypedValue(name), "tags": ["a", "b"]]
  }

  private static func table(_ count: Int, _ name: (Int) -> String = { "Name \($0)" }) -> UntypedTable {
    UntypedTable(name: "t", items: (0..<count).map { record(2 * $0, name($0)).item })
  }

  private static func content(_ table: UntypedTable) -> SnapshotContent<UntypedModel> {
    var content = SnapshotContent<UntypedModel>(schema: "x", version: 1)
    content[table: "t"] = table
    return content
  }

  private static func query(_ text: String) throws -> Query { try Query(text) }

  /// Operations on a number of records. At four times the size, each takes at most eight times as long.
  private static var operations: [(name: String, prepare: (Int) throws -> ScalingMeter.Operation)] {
    [
      (
        "put of new records",
        { count in
          let (old, new) = (table(count), (0..<count).map { record(2 * $0 + 1, "New") })
          return { () throws in
            var table = old
            #expect(try table.put(new, isForced: false).added == count)
          }
        }
      ),
      (
        "put of changed records",
        { count in
          let (old, new) = (table(count), (0..<count).reversed().map { record(2 * $0, "New") })
          return { () throws in
            var table = old
            #expect(try table.put(new, isForced: false).changed == count)
          }
        }
      ),
      (
        "put into an empty table",
        { count in
          let new = (0..<count).map { record($0, "New") }
          return { () throws in
            var table = UntypedTable(name: "t")
            #expect(try table.put(new, isForced: false).added == count)
          }
        }
      ),
      (
        "watching changes of all records",
        { count in
          let query = try query("name starts with \"N\"")
          let (old, new) = (content(table(count)), content(table(count) { "New \($0)" }))
          let before = WatchedRecords(old, table: nil, query)
          return { () throws in
            #expect(WatchedRecords(new, table: "t", query).changes(since: before).count == count)
          }
        }
      ),
      (
        "watching a record of many keys",
        { count in
          func content(_ value: Int) -> SnapshotContent<UntypedModel> {
            let members = (0..<count).map { (key: "k\($0)", value: UntypedValue($0 == count / 2 ? value : 0)) }
            let record = UntypedRecord(uniqueKeysWithValues: [(key: "id", value: 1)] + members)
            return Self.content(UntypedTable(name: "t", items: [record.item]))
          }
          let before = WatchedRecords(content(0), table: nil, Query(all: []))
          let new = content(1)
          return { () throws in
            let after = WatchedRecords(new, table: nil, Query(all: []))
            #expect(after.changes(since: before).first?.keys == ["k\(count / 2)"])
          }
        }
      ),
      (
        "watching other records",
        { count in
          let query = Query(all: [])
          let (old, new) = (content(table(count)), content(UntypedTable(name: "t", items: [])))
          let before = WatchedRecords(old, table: nil, query)
          return { () throws in #expect(WatchedRecords(new, table: nil, query).changes(since: before).count == count) }
        }
      ),
      (
        "a search of records with keys of their own",
        { count in
          let records = (0..<count).map { UntypedValue(["id": 1, "key \($0)": 2] as UntypedRecord) }
          let query = try query("id == 1")
          return { () throws in
            var search = RowSearch(query, atMost: .max, keepsRecords: true, noting: query.paths)
            for record in records { _ = search.add(record) }
            var whole = RowSearch(query, atMost: .max, keepsRecords: true, noting: query.paths)
            whole.append(search)
            #expect(whole.keys.columns.count == count + 1)
          }
        }
      ),
      (
        "a search with many paths",
        { count in
          let query = try query((0..<count).map { "k\($0)" }.joined(separator: " or "))
          let record = UntypedValue(["id": 1] as UntypedRecord)
          return { () throws in
            var search = RowSearch(query, atMost: .max, keepsRecords: true, noting: query.paths)
            _ = search.add(record)
            search.append(search)
            #expect(search.unseen.count == count)
          }
        }
      ),
      (
        "a census of keys of their own",
        { count in
          let records = (0..<count).map { UntypedValue(["id": 1, "key \($0)": 2] as UntypedRecord) }
          return { () throws in
            var census = PropertyCensus(records)
            census.append(PropertyCensus(records))
            #expect(census.properties.count == count + 1 && census.count == 2 * count)
          }
        }
      ),
    ]
  }

  @Test func fourTimesTheRecordsTakeNotMuchLonger() {
    each(Self.operations.indices) { (index: Int) throws in
      let (name, prepare) = Self.operations[index]
      let ratio = try ScalingMeter.ratio(100, prepare)
      #expect(ratio <= ScalingMeter.limit, "\(name): \(ratio)")
    }
  }

  // MARK: Parts

  /// A fold in parts finds what a fold of the whole finds.
  @Test func partsAreJoined() {
    each(SeededGenerator.seeds(20)) { (seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let keys = ["id", "a", "b", "c"]
      let values: [UntypedValue] = [1, 2.5, "x", true, .null, [1, "y"], []]
      let records = (0..<20).map { _ -> UntypedValue in
        if Int.random(in: 0..<5, using: &generator) == 0 { return "plain" }
        var record = UntypedRecord()
        for key in keys.shuffled(using: &generator).prefix(Int.random(in: 0...4, using: &generator)) {
          record[key] = values.randomElement(using: &generator)
        }
        return UntypedValue(record)
      }
      let cut = Int.random(in: 0...20, using: &generator)
      let query = try Query("a == 1 or nowhere")
      func search(_ records: ArraySlice<UntypedValue>) -> RowSearch {
        var search = RowSearch(query, atMost: .max, keepsRecords: true, noting: query.paths)
        for record in records { _ = search.add(record) }
        return search
      }
      let whole = search(records[...])
      var joined = search(records[..<cut])
      joined.append(search(records[cut...]))
      #expect(joined.count == whole.count && joined.matchCount == whole.matchCount)
      #expect(joined.unseen == whole.unseen && joined.keys.columns == whole.keys.columns)
      let all = PropertyCensus(records)
      var census = PropertyCensus(Array(records[..<cut]))
      census.append(PropertyCensus(Array(records[cut...])))
      #expect(census.properties.map { "\($0)" } == all.properties.map { "\($0)" })
      #expect(census.plainValues.map { "\($0)" } == all.plainValues.map { "\($0)" } && census.count == 20)
    }
  }

  // MARK: Known types

  /// A file of the tool's own model is changed with its types, also where ids are under other keys.
  @Test func recordsOfKnownTypesAreChanged() throws {
    let folder = try TemporaryFolder()
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let url = folder.url("odd.\(format)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(SnapshotFile.encode(OddModel.sample(), as: format)).write(to: url)
      let counts = try TableChange<OddModel>.run(url.path, table: OddModel.gadgetTable) { table in
        var record = try #require(table[1].record)
        record["serial no."] = 50
        return (try table.put([record], isForced: false), true)
      }
      #expect(counts == (1, 0, 0))
      let model = try SnapshotFile.read(OddModel.self, at: url)
      #expect(model.gadgets.map(\.id) == [-3, 7, 8, 50, 100] && model.gadgets[50]?.name == "Gadget 7")
      #expect(try SnapshotFile.encode(model, as: format) == SnapshotFile.readBytes(at: url))
      // The types refuse what the records do not tell.
      var id = ""
      let error = #expect(throws: CommandFailure.self) {
        try TableChange<OddModel>.run(url.path, table: "spots") { table in
          id = RecordID(of: table[0], under: RecordID.key(of: table))?.shown ?? ""
          table[0] = UntypedValue(["label": 7, "place": table[0].record?["place"] ?? .null] as UntypedRecord)
          return ((), true)
        }
      }
      // The record is named by its id. The bytes that were decoded are in no file of the user.
      #expect(!id.isEmpty && error?.message == "spots \(id), label: expected text, found an integer")
      #expect(try SnapshotFile.encode(model, as: format) == SnapshotFile.readBytes(at: url))
    }
  }
}
