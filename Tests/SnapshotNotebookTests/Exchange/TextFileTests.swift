import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Text files in common encodings.
struct TextFileTests {
  @Test func texts() {
    each(
      [
        (Array("é\0".utf8), "é\0"), ([0xEF, 0xBB, 0xBF, 0x61], "a"),
        ([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF], "\u{FEFF}"),
        ([], ""),
        ([0xFE, 0xFF, 0x00, 0x61, 0xD8, 0x3D, 0xDE, 0x00], "a😀"),
        ([0xFF, 0xFE, 0x61, 0x00, 0x3D, 0xD8, 0x00, 0xDE], "a😀"),
        ([0xFF, 0xFE], ""),
      ] as [([UInt8], String)]
    ) { (bytes: [UInt8], text: String) in
      #expect(TextFile.text(of: bytes).map { Array($0.utf8) } == Array(text.utf8))
    }
  }

  @Test func whatIsNoText() {
    each(
      [
        [0xE9], [0x61, 0xC3], [0xEF, 0xBB, 0xBF, 0xFF], [0xFE, 0xFF, 0x00], [0xFF, 0xFE, 0x61],
        [0xFF, 0xFE, 0x3D, 0xD8],
        [0xED, 0xA0, 0x80],
      ] as [[UInt8]]
    ) { (bytes: [UInt8]) in
      #expect(TextFile.text(of: bytes) == nil)
    }
  }

  /// An import of a file reads what an import of a folder reads.
  @Test(arguments: [true, false]) func importsReadUTF16(isBigEndian: Bool) throws {
    func bytes(_ text: String) -> [UInt8] {
      "\u{FEFF}\(text)".utf16.flatMap { unit in
        withUnsafeBytes(of: isBigEndian ? unit.bigEndian : unit.littleEndian) { Array($0) }
      }
    }
    #expect(try ForeignContent(csv: bytes("text\na😀\n")).notes.map(\.text) == ["a😀"])
    #expect(try ForeignContent(ndjson: bytes("{\"text\":\"a😀\"}\n")).notes.map(\.text) == ["a😀"])
    let vesper = "[{\"uniqueID\":1,\"text\":\"a😀\"}]"
    let own = try ForeignContent(vesper: Array(vesper.utf8)).notes
    #expect(try ForeignContent(vesper: bytes(vesper)).notes.map(\.text) == own.map(\.text) && own.count == 1)
    #expect(throws: SnapshotError.self) { try ForeignContent(csv: Array(bytes("text\na\n").dropLast())) }
  }
}
