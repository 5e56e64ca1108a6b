import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The checksum is that of POSIX `cksum`, so anyone can verify a file without this library.
@Suite struct ChecksumTests {
  @Test(
    arguments: [
      ("", 4_294_967_295), ("123456789", 930_766_865), ("a", 1_220_704_766), ("\0", 4_215_202_376),
    ] as [(String, UInt32)])
  func knownValues(text: String, checksum: UInt32) {
    #expect(Checksum.cksum(Array(text.utf8)[...]) == checksum)
  }

  @Test func aSliceCountsFromItsOwnStart() {
    #expect(Checksum.cksum(Array("xx123456789y".utf8)[2..<11]) == 930_766_865)
  }

  /// At these sizes the length, which is part of the sum, takes another byte.
  @Test(.enabled(if: Tool("cksum") != nil)) func theToolAgrees() {
    each([0, 1, 255, 256, 65_535, 65_536, 1_000_003]) { (count: Int) throws in
      var generator = SeededGenerator(seed: UInt64(count))
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      let folder = try TemporaryFolder()
      let file = folder.url("bytes")
      try Data(bytes).write(to: file)
      let output = try #require(try Tool("cksum")?.run([file.path])).output
      #expect(output.hasPrefix("\(Checksum.cksum(bytes[...])) \(count) "))
    }
  }

  /// The commands in the comment on `FileFormat.prefix`, with `tail` and `cksum`.
  @Test(.enabled(if: Tool("cksum") != nil && Tool("tail") != nil)) func aFileIsVerifiedWithTailAndCksum() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let encoded = try SnapshotEncoding(of: try Notebook.tiny(), as: format, threads: 1)
      let folder = try TemporaryFolder()
      let file = folder.url("notebook")
      try Data(try #require(encoded.bytes.array())).write(to: file)
      let rest =
        switch format {
        case .json, .ndjson: "-n +2"
        case .xml: "-n +9"
        case .binary: "-c +14"
        }
      let command = "tail \(rest) '\(file.path)' | cksum"
      let output = try #require(try Tool("sh")?.run(["-c", command])).output
      #expect(output.hasPrefix("\(encoded.checksum) "))
    }
  }

  @Test func anEditIsRefusedUnlessItIsAccepted() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = try SnapshotFile.encode(try Notebook.tiny(), as: format)
      let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "image/png".utf8) })
      let edited = Array(bytes[..<start] + "image/gif".utf8 + bytes[(start + 9)...])
      expectRefusal(of: edited, .checksumMismatch, containing: "delete the checksum from the file")
      #expect(try SnapshotSummary(of: edited).checksum == .mismatch)
      let notebook = try SnapshotFile.decode(
        Notebook.self, from: edited, options: ReadOptions(acceptsChecksumMismatch: true))
      #expect(notebook.attachments.first?.mimeType == "image/gif")
      // Without the checksum the edit needs no acceptance.
      let bare = try Crafted.withoutChecksum(edited, format)
      #expect(try SnapshotFile.decode(Notebook.self, from: bare).attachments.first?.mimeType == "image/gif")
    }
  }

  /// The checksum exists, but not at its usual place: the file went through another tool.
  @Test func aFileThatWasLaidOutAnewIsAMismatch() throws {
    let bytes = try SnapshotFile.encode(try Notebook.tiny(), as: .json)
    for text in [
      String(decoding: bytes, as: UTF8.self).replacing(",\n\"schema\"", with: ",\"schema\""),
      "\u{FEFF}" + String(decoding: bytes, as: UTF8.self), " " + String(decoding: bytes, as: UTF8.self),
      String(decoding: bytes, as: UTF8.self) + "\n",
    ] {
      expectRefusal(of: text, .checksumMismatch)
      #expect(throws: Never.self) {
        try SnapshotFile.decode(
          Notebook.self, from: Array(text.utf8), options: ReadOptions(acceptsChecksumMismatch: true))
      }
    }
  }
}
