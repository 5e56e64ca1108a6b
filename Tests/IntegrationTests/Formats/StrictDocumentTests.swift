import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Invalid statements of a file about itself and its tables.
@Suite struct StrictDocumentTests {
  @Test func aCraftedDocumentIsGoodToBeginWith() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = Crafted.document(["notes": [try Crafted.note(1), try Crafted.note(2)]], as: format)
      #expect(try SnapshotFile.decode(Notebook.self, from: bytes).notes.ids == [1, 2])
      let bare = try Crafted.withoutChecksum(bytes, format)
      #expect(try SnapshotSummary(of: bare).checksum == .absent)
      #expect(try SnapshotFile.decode(Notebook.self, from: bare).notes.ids == [1, 2])
    }
  }

  @Test func anUnknownTableIsRefused() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = Crafted.document(["notes": [try Crafted.note(1)], "folders": []], as: format)
      // A table without records has no line in NDJSON.
      if format == .ndjson { return }
      expectRefusal(of: bytes, .unknownKey, containing: "there is no table “folders” in the schema")
    }
  }

  @Test func anUnknownTableWithRecordsIsRefused() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = Crafted.document(["folders": [["id": 1]]], as: format)
      expectRefusal(of: bytes, .unknownKey, containing: "there is no table “folders” in the schema")
    }
  }

  @Test(arguments: [FileFormat.json, .xml, .binary])
  func aTableThatOccursTwiceIsRefused(format: FileFormat) throws {
    let tables: KeyValuePairs = ["notes": [try Crafted.note(1)], "tags": [tag], "notes": [try Crafted.note(2)]]
    expectRefusal(of: Crafted.document(tables, as: format), .duplicate, containing: "“notes”")
  }

  @Test func recordsMayStandInAnyOrderButNotTwice() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let notes = try [3, 1, 2].map { try Crafted.note($0) }
      let bytes = Crafted.document(["tags": [tag], "notes": notes], as: format)
      #expect(try SnapshotFile.decode(Notebook.self, from: bytes).notes.ids == [1, 2, 3])
      let twice = Crafted.document(["notes": notes + [try Crafted.note(1)]], as: format)
      let error = expectRefusal(of: twice, .duplicate, containing: "have the id “1”", at: "notes[3]")
      #expect(error?.position != nil)
    }
  }

  /// Swift holds both texts equal, so they are one id.
  @Test func idsThatSwiftHoldsEqualAreOneID() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let tags: [Item] = [["id": "\u{E9}", "name": "\u{E9}"], ["id": "e\u{301}", "name": "e\u{301}"]]
      expectRefusal(of: Crafted.document(["tags": tags], as: format), .duplicate, at: "tags[1]")
    }
  }

  @Test func aKeyThatOccursTwiceIsRefused() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      guard case .dictionary(let members) = try Crafted.note(1).content else { return }
      for key in ["id", "tags", "x"] {
        let note = Item(.dictionary(members + [.init(key: key, value: 1), .init(key: key, value: 1)]))
        expectRefusal(
          of: Crafted.document(["notes": [note]], as: format), .duplicate, containing: "“\(key)” occurs twice")
      }
    }
  }

  @Test func aTableThatIsMissingIsEmpty() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let notebook = try SnapshotFile.decode(Notebook.self, from: Crafted.document([:], as: format))
      #expect(notebook.hasSameRecords(as: Notebook()))
    }
  }

  @Test func anotherSchemaOrVersionIsRefused() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let other = Crafted.document([:], as: format, schema: "dash\u{202E}board")
      expectRefusal(of: other, .wrongSchema, containing: "has the schema “dash\\u{202E}board”, not “notebook”")
      expectRefusal(of: Crafted.document([:], as: format, version: 2), .newerVersion, containing: "version 2")
      for version in [0, -1, 1 << 40] {
        expectRefusal(of: Crafted.document([:], as: format, version: version), .wrongSchema, containing: "version")
      }
    }
  }

  /// Schema and version are reported first. They say more than a checksum, which another program may compute
  /// differently.
  @Test func theSchemaIsComparedBeforeTheChecksum() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var bytes = Crafted.document(["notes": [["id": "text"]]], as: format, version: 2)
      if format != .binary { bytes.append(UInt8(ascii: "\n")) }
      expectRefusal(of: bytes, .newerVersion)
    }
  }

  /// A fault of grammar within a record names the record, like any other: `tags[1]` is easier to find than byte 98,304.
  /// In NDJSON the line names it.
  @Test(arguments: [FileFormat.json, .xml, .binary])
  func aFaultOfGrammarNamesTheRecord(format: FileFormat) throws {
    let bad: Item = ["id": "b", "name": "b", "nameModificationDate": ["MARK": "x"]]
    var bytes = try Crafted.withoutChecksum(Crafted.document(["tags": [tag, bad]], as: format), format)
    let fault = format == .binary ? [0x0C] + Array("MAR".utf8) : Array(format == .xml ? "<b/>".utf8 : "\\x41".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "MARK".utf8) })
    // In a binary list the marker before the text is damaged, in the others the text itself.
    let place = format == .binary ? start - 1..<start + 3 : start..<start + 4
    bytes.replaceSubrange(place, with: fault)
    expectRefusal(of: bytes, .malformed, at: "tags[1]")
  }

  @Test func aLimitOfSizeIsKept() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = Crafted.document([:], as: format)
      let limits = ReadLimits(fileSize: bytes.count - 1)
      let error = #expect(throws: SnapshotError.self) {
        try SnapshotFile.decode(Notebook.self, from: bytes, options: ReadOptions(limits: limits))
      }
      #expect(error?.code == .tooLarge)
      #expect(throws: Never.self) {
        try SnapshotFile.decode(
          Notebook.self, from: bytes, options: ReadOptions(limits: ReadLimits(fileSize: bytes.count)))
      }
    }
  }

  @Test func whatIsNeitherJSONNorAListIsRefused() {
    each([
      "5", "true", "\"snapshot\"", "hello", "{ snapshot = { schema = notebook; }; }",
      "snapshot",
      "%PDF-1.7", "PK\u{3}\u{4}", "SQLite format 3\u{0}", " \n\t",
    ]) { (text: String) in
      let error = #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Notebook.self, from: Array(text.utf8)) }
      #expect(["unknownFormat", "malformed"].contains(error?.code.rawValue))
    }
  }

  @Test func anArrayIsNoSnapshot() {
    each(["[]", " [ {} ]", "[[\"snapshot\"]]", "["]) { (text: String) in
      expectRefusal(of: text, .wrongSchema, containing: "it holds an array")
    }
  }

  @Test func noBytesAreNoStore() { expectRefusal(of: "", .emptyFile, containing: "the file is empty") }

  private var tag: Item { ["id": "paris", "name": "Paris"] }
}
