import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The exact bytes of a small notebook. They are a promise: files are in repositories, and other programs read them. A
/// change here is a change of format.
@Suite struct LayoutTests {
  @Test func json() throws {
    try expect(
      .json,
      #"""
      {"snapshot":{"checksum":CHECKSUM,
      "schema":"notebook","version":1},
      "attachments":[
      {"id":"a1","mimeType":"image/png","height":2,"width":300}
      ],
      "deletedNotes":[
      {"id":1001,"deletionDate":"2001-01-01T00:00:00Z"}
      ],
      "notes":[
      {"id":1000,"text":"Hi, \"é\"\n\u0001<😀&>","archived":false,"creationDate":"2001-01-01T00:00:00Z","sortDate":"2001-01-01T00:00:00Z","modificationDate":"2001-01-01T00:00:00.5Z","textModificationDate":"2001-01-01T00:00:00.5Z","archivedModificationDate":"2001-01-01T00:00:00Z","sortDateModificationDate":"2001-01-01T00:00:00Z","tagsModificationDate":"2001-01-01T00:00:00Z","attachmentsModificationDate":"2001-01-01T00:00:00Z","tags":["ünter wegs"],"attachments":["a1"]}
      ],
      "tags":[
      {"id":"ünter wegs","name":"Ünter Wegs","nameModificationDate":"2001-01-01T00:00:00Z"}
      ]}

      """#)
  }

  @Test func ndjson() throws {
    try expect(
      .ndjson,
      #"""
      {"snapshot":{"checksum":CHECKSUM}}
      {"snapshot":{"schema":"notebook","version":1}}
      {"table":"attachments","record":{"id":"a1","mimeType":"image/png","height":2,"width":300}}
      {"table":"deletedNotes","record":{"id":1001,"deletionDate":"2001-01-01T00:00:00Z"}}
      {"table":"notes","record":{"id":1000,"text":"Hi, \"é\"\n\u0001<😀&>","archived":false,"creationDate":"2001-01-01T00:00:00Z","sortDate":"2001-01-01T00:00:00Z","modificationDate":"2001-01-01T00:00:00.5Z","textModificationDate":"2001-01-01T00:00:00.5Z","archivedModificationDate":"2001-01-01T00:00:00Z","sortDateModificationDate":"2001-01-01T00:00:00Z","tagsModificationDate":"2001-01-01T00:00:00Z","attachmentsModificationDate":"2001-01-01T00:00:00Z","tags":["ünter wegs"],"attachments":["a1"]}}
      {"table":"tags","record":{"id":"ünter wegs","name":"Ünter Wegs","nameModificationDate":"2001-01-01T00:00:00Z"}}

      """#)
  }

  /// The text of the note has a character that XML cannot hold, so it is in base64. The date with a fraction is text.
  @Test func xml() throws {
    let lines = #"""
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      -<key>snapshot</key>
      -<dict>
      --<key>checksum</key>
      --<integer>CHECKSUM</integer>
      --<key>schema</key>
      --<string>notebook</string>
      --<key>version</key>
      --<integer>1</integer>
      -</dict>
      -<key>attachments</key>
      -<array>
      --<dict>
      ---<key>id</key>
      ---<string>a1</string>
      ---<key>mimeType</key>
      ---<string>image/png</string>
      ---<key>height</key>
      ---<integer>2</integer>
      ---<key>width</key>
      ---<integer>300</integer>
      --</dict>
      -</array>
      -<key>deletedNotes</key>
      -<array>
      --<dict>
      ---<key>id</key>
      ---<integer>1001</integer>
      ---<key>deletionDate</key>
      ---<date>2001-01-01T00:00:00Z</date>
      --</dict>
      -</array>
      -<key>notes</key>
      -<array>
      --<dict>
      ---<key>id</key>
      ---<integer>1000</integer>
      ---<key>text</key>
      ---<string>data:text/plain;charset=utf-8;base64,SGksICLDqSIKATzwn5iAJj4=</string>
      ---<key>archived</key>
      ---<false/>
      ---<key>creationDate</key>
      ---<date>2001-01-01T00:00:00Z</date>
      ---<key>sortDate</key>
      ---<date>2001-01-01T00:00:00Z</date>
      ---<key>modificationDate</key>
      ---<string>2001-01-01T00:00:00.5Z</string>
      ---<key>textModificationDate</key>
      ---<string>2001-01-01T00:00:00.5Z</string>
      ---<key>archivedModificationDate</key>
      ---<date>2001-01-01T00:00:00Z</date>
      ---<key>sortDateModificationDate</key>
      ---<date>2001-01-01T00:00:00Z</date>
      ---<key>tagsModificationDate</key>
      ---<date>2001-01-01T00:00:00Z</date>
      ---<key>attachmentsModificationDate</key>
      ---<date>2001-01-01T00:00:00Z</date>
      ---<key>tags</key>
      ---<array>
      ----<string>ünter wegs</string>
      ---</array>
      ---<key>attachments</key>
      ---<array>
      ----<string>a1</string>
      ---</array>
      --</dict>
      -</array>
      -<key>tags</key>
      -<array>
      --<dict>
      ---<key>id</key>
      ---<string>ünter wegs</string>
      ---<key>name</key>
      ---<string>Ünter Wegs</string>
      ---<key>nameModificationDate</key>
      ---<date>2001-01-01T00:00:00Z</date>
      --</dict>
      -</array>
      </dict>
      </plist>

      """#
    // Tabs, which an editor might change, are shown as hyphens.
    let text = lines.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(repeating: "\t", count: line.prefix { $0 == "-" }.count) + line.drop { $0 == "-" }
    }
    try expect(.xml, text.joined(separator: "\n"))
  }

  /// The notebook without records, byte by byte: a header of three members, and four empty arrays.
  @Test func binary() throws {
    let encoded = try SnapshotEncoding(of: Notebook(), as: .binary, threads: 1)
    var expected = Array("bplist00".utf8)
    func add(_ bytes: UInt8...) { expected += bytes }
    func add(_ text: String) { expected += [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }
    add(0x12)
    expected += BinaryList.bigEndian(UInt64(encoded.checksum), width: 4)
    for key in ["checksum", "schema", "notebook", "version"] { add(key) }
    add(0x10, 1)
    add("snapshot")
    add(0xD3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 5)
    for table in ["attachments", "deletedNotes", "notes", "tags"] {
      add(table)
      add(0xA0)
    }
    add(0xD5, 0, 0, 0, 6, 0, 0, 0, 8, 0, 0, 0, 10, 0, 0, 0, 12, 0, 0, 0, 14)
    add(0, 0, 0, 7, 0, 0, 0, 9, 0, 0, 0, 11, 0, 0, 0, 13, 0, 0, 0, 15)
    add(8, 13, 22, 29, 38, 46, 48, 57, 82, 94, 95, 108, 109, 115, 116, 121, 122)
    expected += BinaryList.trailer(offsetWidth: 1, referenceWidth: 4, count: 17, top: 16, table: 163)
    #expect(encoded.bytes.array() == expected)
  }

  /// A line of the file is a line to every tool, and contains nothing that controls a terminal.
  @Test(arguments: [FileFormat.json, .ndjson])
  func everyRecordIsALineOfHarmlessCharacters(format: FileFormat) throws {
    let notebook = try Notebook.awkward()
    let text = String(decoding: try SnapshotFile.encode(notebook, as: format), as: UTF8.self)
    for scalar in text.unicodeScalars where scalar != "\n" {
      #expect(![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory))
    }
    let lines = text.unicodeScalars.split(separator: "\n").map { String($0) }
    let count = notebook.notes.count + notebook.tags.count + notebook.attachments.count + notebook.deletedNotes.count
    #expect(lines.filter { $0.contains("\"id\":") }.count == count)
    // The two lines of the header, and in JSON two more around each table.
    #expect(lines.count == count + (format == .json ? 2 + 2 * 4 : 2))
    for line in format == .ndjson ? lines : [] {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
  }

  @Test func theTinyNotebookHasItsRecords() throws {
    let notebook = try Notebook.tiny()
    #expect(notebook.allViolations() == [])
    for format in FileFormat.allCases {
      let summary = try SnapshotSummary(of: try SnapshotFile.encode(notebook, as: format))
      #expect(summary.format == format)
      #expect(summary.checksum == .ok)
      #expect(summary.schema == "notebook" && summary.version == 1)
      #expect(summary.tables.map(\.name) == ["attachments", "deletedNotes", "notes", "tags"])
      #expect(summary.tables.map(\.count) == [1, 1, 1, 1])
    }
  }

  private func expect(_ format: FileFormat, _ text: String) throws {
    let encoded = try SnapshotEncoding(of: try Notebook.tiny(), as: format, threads: 1)
    let expected = text.replacing("CHECKSUM", with: "\(encoded.checksum)")
    #expect(String(decoding: try #require(encoded.bytes.array()), as: UTF8.self) == expected)
    #expect(encoded.bytes.array() == Array(expected.utf8))
  }
}
