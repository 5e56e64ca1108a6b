import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The records that salvage reads from a damaged file, and its report on the rest.
@Suite struct SalvageTests {
  private let original: Notebook

  init() throws { original = try Notebook.small() }

  private func salvage(
    _ format: FileFormat, _ damage: ([UInt8]) throws -> [UInt8]
  ) throws -> Salvaged<Notebook> {
    try Salvaged(of: damage(encoded(original, format, checksum: false)))
  }

  private static let texts: [FileFormat] = [.json, .xml, .ndjson]

  // MARK: Records

  @Test(arguments: texts) func aRecordThatIsMalformed(format: FileFormat) throws {
    let salvaged = try salvage(format) {
      $0.replacing(
        format == .xml ? "<string>First</string>" : "\"First\"", with: format == .xml ? "<string>Fi" : "\"Fi")
    }
    #expect(salvaged.value.notes.ids.elementsEqual([1001]))
    #expect(salvaged.value.tags.count == 2 && salvaged.value.attachments.count == 2)
    let loss = try #require(salvaged.losses.first)
    #expect(loss.kind == .record && loss.table == "notes" && loss.index == 0 && loss.id == "1000")
    #expect(loss.code == .malformed && loss.excerpt.contains("Fi"))
    #expect(loss.position?.line != nil && loss.byteCount > 100)
    #expect(salvaged.lossCount == 1)
    #expect(salvaged.tables.map(\.count) == [2, 0, 1, 2])
  }

  /// A line names the table of its record. Neither record goes to `deletedNotes`, which could hold both.
  @Test func aLineBelongsToTheTableThatItNames() throws {
    let lines = """
      {"table":"books","record":{"id":3}}
      {"table":"notes","record":{"id":5,"creationDate":"2014-01-02T03:04:05Z"}}

      """
    let salvaged = try Salvaged<Notebook>(of: Array(lines.utf8))
    #expect(salvaged.value.deletedNotes.isEmpty)
    #expect(salvaged.losses.first { $0.kind == .record }?.id == "5")
    #expect(salvaged.losses.first { $0.kind == .record }?.code == .missingKey)
    let kept = try SnapshotFile.encode(salvaged.content, as: .json)
    #expect(String(decoding: kept, as: UTF8.self).contains("\"books\":[\n{\"id\":3}\n]"))
  }

  /// Tools that print JSON for people put a space after the colon, or a line break.
  @Test func theSpaceBeforeATable() throws {
    for space in [" ", "\n", "\t \n"] {
      let salvaged = try salvage(.json) {
        $0.replacing("\"notes\":[", with: "\"notes\":\(space)[").replacing("\"First\"", with: "\"Fi")
      }
      #expect(salvaged.value.notes.ids.elementsEqual([1001]))
      #expect(salvaged.losses.map(\.table) == ["notes"])
      #expect(salvaged.tables.map(\.count) == [2, 0, 1, 2], "\(salvaged.report)")
    }
  }

  @Test(arguments: texts) func aKeyThatIsNotKnown(format: FileFormat) throws {
    let salvaged = try salvage(format) {
      $0.replacing(
        format == .xml ? "<key>text</key>" : "\"text\":",
        with: format == .xml ? "<key>extra</key><true/><key>text</key>" : "\"extra\":true,\"text\":")
    }
    // As in a store.
    #expect(salvaged.value.notes.ids.elementsEqual([1000, 1001]))
    #expect(salvaged.isComplete, "\(salvaged.report)")
    #expect(salvaged.content.unknownKeys.map(\.description) == ["notes.extra, in 1 record"])
  }

  @Test(arguments: texts) func invalidUTF8(format: FileFormat) throws {
    let salvaged = try salvage(format) { bytes in
      var bytes = bytes
      guard let range = bytes.firstRange(of: Array("Second".utf8)) else { return bytes }
      bytes[range.lowerBound + 2] = 0xFF
      return bytes
    }
    #expect(salvaged.value.notes.ids.elementsEqual([1000]))
    #expect(salvaged.losses.map(\.reason) == ["the text is not valid UTF-8"])
    #expect(salvaged.losses.first?.excerpt.contains("Se\u{FFFD}ond") == true)
  }

  /// The first good one is kept, and an equal one is no loss.
  @Test func duplicates() throws {
    let file = """
      {"snapshot":{"schema":"notebook","version":1},"deletedNotes":[
      {"id":1},
      {"id":1,"deletionDate":"2001-01-01T00:00:00Z"},
      {"id":1},
      {"id":2}
      ],"attachments":[],"notes":[],"tags":[]}
      """
    let salvaged = try Salvaged<Notebook>(of: Array(file.utf8))
    #expect(salvaged.value.deletedNotes.ids.elementsEqual([1, 2]))
    #expect(salvaged.value.deletedNotes[1]?.deletionDate == nil)
    #expect(salvaged.losses.map(\.code) == [.duplicate], "\(salvaged.report)")
    #expect(salvaged.losses.first?.index == 1 && salvaged.losses.first?.position?.line == 3)
  }

  // MARK: Layouts

  /// Other tools indent, or write everything on one line. A broken record there ends where the next one begins.
  @Test(arguments: [true, false]) func foreignLayouts(isPretty: Bool) throws {
    let bytes = try encoded(try Notebook.ofEveryKind(), .json, checksum: false)
    let value = try JSONSerialization.jsonObject(with: Data(bytes))
    let foreign = Array(
      try JSONSerialization.data(
        withJSONObject: value, options: isPretty ? [.prettyPrinted, .sortedKeys] : [.sortedKeys]))
    let whole = try Salvaged<Notebook>(of: foreign)
    #expect(whole.isComplete && whole.value.notes.count == 3)
    // A missing quotation mark. A file of one line has no place behind it where reading can go on.
    for (old, new) in [("\"archived\"", "\"archived"), ("\"sortDate\"", "sortDate\"")] {
      let salvaged = try Salvaged<Notebook>(of: foreign.replacing(old, with: new))
      #expect(!salvaged.isComplete && salvaged.value.attachments.count == 2)
      #expect(salvaged.value.notes.count == (isPretty ? 2 : 0), "\(salvaged.report)")
      let rest = Array(foreign.replacing(old, with: new).suffix(100))
      #expect(isPretty ? salvaged.value.tags.count == 2 : salvaged.unusedBytes.firstRange(of: rest) != nil)
    }
  }

  // MARK: Frames

  @Test func aHeaderThatIsDestroyed() {
    each(Self.texts) { (format: FileFormat) throws in
      let salvaged = try salvage(format) { bytes in
        var bytes = bytes
        guard let range = bytes.firstRange(of: Array("snapshot".utf8)) else { return bytes }
        for index in 0..<range.upperBound { bytes[index] = UInt8(ascii: "#") }
        return bytes
      }
      #expect(try salvaged.value.lines() == original.lines(), "\(salvaged.report)")
      #expect(!salvaged.isComplete)
    }
  }

  /// Nothing tells which table it was. Its records are kept under the name that the file has now.
  @Test(arguments: [FileFormat.json, .xml]) func aTableWithADamagedName(format: FileFormat) throws {
    let salvaged = try salvage(format) { bytes in
      var bytes = bytes
      guard let range = bytes.lastRange(of: Array("notes".utf8)) else { return bytes }
      bytes.replaceSubrange(range, with: "nates".utf8)
      return bytes.replacing("First", with: "Fi\u{1}st")
    }
    #expect(salvaged.value.notes.isEmpty)
    #expect(salvaged.content.unknownKeys.first { $0.table == "nates" }?.count ?? 0 >= 1)
    #expect(salvaged.losses.contains { $0.kind == .table && $0.table == "notes" })
  }

  @Test func aTableThatIsMissing() throws {
    let salvaged = try salvage(.json) { Array($0[..<($0.firstRange(of: Array("\"tags\":[\n".utf8))?.lowerBound ?? 0)]) }
    #expect(salvaged.losses.contains { $0.kind == .table && $0.table == "tags" && $0.code == .missingKey })
    // The note's tags are made again from their ids, and the report says so.
    #expect(salvaged.value.tags.ids.elementsEqual(["new york", "paris"]))
    #expect(salvaged.value.tags["paris"]?.name == "paris")
    #expect(salvaged.losses.filter { $0.kind == .repair }.count == 2)
    #expect(salvaged.value.allViolations() == [])
  }

  @Test func attachmentsThatAreLost() throws {
    let salvaged = try salvage(.json) { $0.replacing("{\"id\":\"film\"", with: "{\"id\"\"film\"") }
    #expect(salvaged.value.notes[1000]?.attachments == ["photo"])
    #expect(salvaged.losses.map(\.kind) == [.record, .repair])
    #expect(salvaged.report.last?.contains("notes 1000") == true && salvaged.report.last?.contains("“film”") == true)
  }

  // MARK: Binary lists

  /// A list without its end has lost the table of its objects.
  @Test func aBinaryListThatIsCutOff() throws {
    let bytes = try encoded(original, .binary)
    #expect(throws: SnapshotError.self) { try Salvaged<Notebook>(of: Array(bytes.dropLast(40))) }
  }

  /// With another count, the names of a list stand before the values of others.
  @Test func theNamesOfABinaryListThatDoNotAddUp() throws {
    let bytes = try encoded(original, .binary, checksum: false)
    for count: UInt8 in [4, 6] {
      var damaged = bytes
      let top = "bplist00".utf8.count
      try #require(bytes[top] == 0xD5)
      damaged[top] = 0xD0 | count
      #expect(throws: SnapshotError.self) { try Salvaged<Notebook>(of: damaged) }
    }
  }

  @Test func aRecordOfABinaryList() throws {
    let damaged = try salvage(.binary) { bytes in
      var bytes = bytes
      guard let range = bytes.firstRange(of: Array("First".utf8)) else { return bytes }
      bytes[range.lowerBound + 2] = 0xFF
      return bytes
    }
    #expect(damaged.value.notes.ids.elementsEqual([1001]))
    #expect(damaged.losses.first { $0.kind == .record }?.id == "1000")
    #expect(!damaged.unusedBytes.isEmpty)
  }

  // MARK: Refusals

  @Test func whatIsNoSnapshotIsRefused() throws {
    for text in ["prose", "[]", "{}", "<html></html>", "{\"a\":1}", "bplist00 and nothing more"] {
      #expect(throws: SnapshotError.self) { try Salvaged<Notebook>(of: Array(text.utf8)) }
    }
    let empty = #expect(throws: SnapshotError.self) { try Salvaged<Notebook>(of: []) }
    #expect(empty?.code == .emptyFile)
    let large = #expect(throws: SnapshotError.self) {
      try Salvaged<Notebook>(of: [1, 2, 3], limits: ReadLimits(fileSize: 2), path: "x")
    }
    #expect(large?.code == .tooLarge && large?.path == "x")
  }

  /// Another schema is refused, unless the checksum shows that the header may be damaged.
  @Test func otherSchemas() throws {
    for (old, new, code) in [
      ("\"notebook\"", "\"dashboard\"", SnapshotError.Code.wrongSchema),
      ("\"version\":1", "\"version\":2", .newerVersion),
    ] {
      let plain = try encoded(original, .json, checksum: false).replacing(old, with: new)
      let error = #expect(throws: SnapshotError.self) { try Salvaged<Notebook>(of: plain) }
      #expect(error?.code == code)
      let damaged = try Salvaged<Notebook>(of: encoded(original, .json).replacing(old, with: new))
      #expect(try damaged.value.lines() == original.lines())
      #expect(damaged.losses.contains { $0.code == code } && damaged.checksum == .mismatch)
    }
  }

  /// The report can be printed, whatever the file contains.
  @Test func messagesAreSafe() throws {
    let salvaged = try salvage(.json) {
      $0.replacing("\"text\":\"First\"", with: "\"\u{202E}\(String(repeating: "x", count: 500))\\u001B[31m\":\"First\"")
    }
    #expect(salvaged.lossCount == 1)
    for line in salvaged.report {
      #expect(!line.unicodeScalars.contains { $0.isUnsafeInMessage } && line.unicodeScalars.count < 400)
    }
  }
}
