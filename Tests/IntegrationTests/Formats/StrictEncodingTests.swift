import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Text files are UTF-8, well formed, with or without a byte order mark.
@Suite struct StrictEncodingTests {
  static let textFormats = FileFormat.allCases.filter(\.isText)

  @Test(arguments: textFormats)
  func aByteOrderMarkIsAccepted(format: FileFormat) throws {
    let bytes = try Crafted.withoutChecksum(Crafted.document(["notes": [try Crafted.note(1)]], as: format), format)
    let marked = [0xEF, 0xBB, 0xBF] + bytes
    #expect(try SnapshotSummary(of: marked).format == format)
    #expect(try SnapshotFile.decode(Notebook.self, from: marked).notes.ids == [1])
    expectRefusal(of: [0xEF, 0xBB, 0xBF] + marked, .unknownFormat)
  }

  @Test func invalidUTF8IsRefusedWhereItStands() {
    each(
      Self.textFormats,
      [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE2, 0x82],
        [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98],
        [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
      ] as [[UInt8]]
    ) { (format: FileFormat, sequence: [UInt8]) throws in
      let note = try Crafted.note(1, changing: ["text": "é\nMARK"])
      let bytes = Crafted.document(["notes": [note]], as: format)
      let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "MARK".utf8) })
      let bad = bytes[..<start] + sequence + bytes[(start + 4)...]
      let error = expectRefusal(of: Array(bad), .malformed, containing: "not valid UTF-8")
      #expect(error?.position?.offset == start)
      #expect(error?.position?.line != nil)
      // At the very end a sequence may be cut.
      expectRefusal(of: bytes[..<start] + sequence, .malformed, containing: "not valid UTF-8")
    }
  }

  @Test func otherEncodingsOfUnicodeAreRefused() {
    each(Self.textFormats, [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian]) {
      (format: FileFormat, encoding: String.Encoding) throws in
      let text = String(decoding: Crafted.document([:], as: format), as: UTF8.self)
      for marked in [text, "\u{FEFF}" + text] {
        let bytes = Array(try #require(marked.data(using: encoding)))
        expectRefusal(of: bytes, .unknownFormat, containing: "not UTF-8 text")
      }
    }
  }

  /// Invalid UTF-8 is found in comments and keys as well as in texts.
  @Test func everyByteOfATextFileIsChecked() throws {
    for (before, after) in [
      ("<!-- ", " --><plist>"), ("<?xml ", "?>"), ("<plist><dict><key>", "</key>"), ("{\"", "\"}"),
    ] {
      expectRefusal(of: Array(before.utf8) + [0xFF] + Array(after.utf8), .malformed, containing: "not valid UTF-8")
    }
  }

  @Test func aMarkAloneIsNoFile() { expectRefusal(of: [0xEF, 0xBB, 0xBF], .unknownFormat) }
}
