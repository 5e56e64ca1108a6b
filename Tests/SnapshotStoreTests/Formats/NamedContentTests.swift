import Testing

@testable import SnapshotStore
@testable import TestSupport

/// What a file says of its tables and values besides their content.
@Suite struct NamedContentTests {
  private static let header = #""snapshot":{"schema":"workspace","version":1"#

  private static func bytes(_ lines: String...) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }

  // MARK: Arrays that are values

  @Test func theHeaderNamesArraysOnlyIfThereAreAny() throws {
    for format in [FileFormat.json, .xml] {
      let none = try SnapshotFile.encode(Counters(), as: format)
      #expect(!String(decoding: none, as: UTF8.self).contains("values"))
      let some = try SnapshotFile.encode(Workspace(), as: format)
      #expect(String(decoding: some, as: UTF8.self).contains("values"))
    }
  }

  @Test func aWrongListIsRefused() {
    each(["1", "{}", "null", #""recent""#, "[1]", #"["recent",null]"#]) { (list: String) throws in
      let bytes = Self.bytes("{\(Self.header),\"values\":\(list)},\"recent\":[]}")
      let error = #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Workspace.self, from: bytes) }
      #expect(error?.code == .invalidValue && error?.dataPath == "snapshot", "\(error.map { "\($0)" } ?? "")")
    }
  }

  /// The schema decides what a known name is, and the lines of newline-delimited JSON what an unknown one is.
  @Test func aListOfOtherNamesDoesNoHarm() throws {
    let json = Self.bytes(
      #"{\#(Self.header),"values":["gone","items","mode"]},"mode":"read","items":[{"id":1,"value":2}]}"#)
    let workspace = try SnapshotFile.decode(Workspace.self, from: json)
    #expect(workspace.items.count == 1 && workspace.mode == .read)
    let lines = Self.bytes(
      #"{\#(Self.header),"values":["a"]}}"#, #"{"table":"a","record":1}"#, #"{"table":"b","record":2}"#,
      #"{"table":"a","record":3}"#)
    let content = try SnapshotFile.decodeContent(UntypedModel.self, from: lines)
    #expect(content.tables.map(\.count) == [2, 1])
  }

  @Test func namesOfAnyFormAreKept() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var content = SnapshotContent<UntypedModel>(schema: "NaN", version: 1)
      for name in [
        "NaN", "2001-01-01T00:00:00Z", "data:;base64,AAAA", "a\0b", "$null",
        "data:text/plain;charset=utf-8;base64,AA==",
      ] {
        content[value: name] = [1]
        content[table: "table \(name)"] = UntypedTable(name: "")
        content[value: "value \(name)"] = "x"
        content[table: "\(name) "]?.append(["id": 1])
      }
      let bytes = try SnapshotFile.encode(content, as: format)
      let again = try SnapshotFile.decodeContent(UntypedModel.self, from: bytes)
      #expect(again.schemaName == "NaN")
      #expect(again.names == content.names)
      #expect(again.values.map(\.name) == content.values.map(\.name))
      #expect(try SnapshotFile.encode(again, as: format) == bytes)
    }
  }

  // MARK: Empty tables

  @Test func salvageKeepsEmptyTablesAndArrays() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var content = SnapshotContent<UntypedModel>(schema: "things", version: 1)
      content[table: "empty"] = UntypedTable(name: "empty")
      content[value: "list"] = [1, 2]
      content[table: "some"] = UntypedTable(name: "some", items: [["id": 1], ["id": 2]])
      var bytes = try SnapshotFile.encode(content, as: format)
      if format.isText { bytes += Array("x".utf8) } else { bytes[12] ^= 1 }
      let salvaged = try Salvaged<UntypedModel>(of: bytes)
      #expect(salvaged.content.tables.map(\.name) == ["empty", "some"], "\(salvaged.losses)")
      #expect(salvaged.content.values.map(\.name) == ["list"])
      guard format == .ndjson else { return }
      let broken = try Salvaged<UntypedModel>(of: bytes + Array("{\"table\":\n".utf8))
      #expect(broken.content.tables.map(\.name).sorted() == ["empty", "some"], "\(broken.losses)")
      #expect(broken.content.tables.map(\.count).sorted() == [0, 2])
    }
  }

  @Test func salvageMissesATableInEveryFormat() throws {
    let start = #"{"snapshot":{"schema":"counters","version":1}}"#
    let (record, empty) = (#"{"table":"left","record":{"id":1,"value":1}}"#, #"{"emptyTable":"right"}"#)
    let whole = try Salvaged<Counters>(of: Self.bytes(start, record, empty, "{"))
    #expect(!whole.losses.contains { $0.kind == .table }, "\(whole.losses)")
    let part = try Salvaged<Counters>(of: Self.bytes(start, record, "{"))
    #expect(part.losses.contains { $0.kind == .table && $0.table == "right" }, "\(part.losses)")
    #expect(part.value.left.count == 1)
  }

  @Test func aLineOfAnEmptyTableIsStrict() {
    each([
      #"{"emptyTable":1}"#, #"{"emptyTable":"left","record":1}"#, #"{"emptyTable":"snapshot"}"#,
      #"{"emptytable":"left"}"#,
      #"{"emptyTable":"other"}"#,
    ]) { (line: String) throws in
      let bytes = Self.bytes(#"{"snapshot":{"schema":"counters","version":1}}"#, line, "")
      #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Counters.self, from: bytes) }
    }
    #expect((try? FileFormat.open(Self.bytes(#"{"emptyTable":"left"}"#, "{}")).0) == .ndjson)
  }
}
