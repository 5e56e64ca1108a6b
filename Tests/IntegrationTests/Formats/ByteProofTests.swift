import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Every cut and every changed bit of a file with every kind of field is refused. Without a checksum it is refused, or
/// read as exactly the value of its bytes, as two independent readers agree.
@Suite struct ByteProofTests {
  @Test func everyCutAndEveryFlippedBitIsRefused() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var bytes = try encoded(try Notebook.ofEveryKind(), format)
      for count in Proofs.share(of: bytes.indices, oneIn: 16) where reads(Array(bytes[..<count])) {
        Issue.record("cut off after \(count) bytes")
      }
      for place in Proofs.share(of: 0..<8 * bytes.count, oneIn: 32) {
        let (index, bit) = (place / 8, UInt8(place % 8))
        bytes[index] ^= 1 << bit
        if reads(bytes) { Issue.record("bit \(bit) of byte \(index)") }
        bytes[index] ^= 1 << bit
      }
    }
  }

  /// Without a checksum the accepted value is that of the bytes. It is the same when it is read through the untyped
  /// tree, record by record and never directly. Cut files are refused, except for white space at the end, and whole
  /// lines of newline-delimited JSON.
  @Test func withoutAChecksumTheBytesAreBelieved() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var bytes = try encoded(try Notebook.ofEveryKind(), format, checksum: false)
      var accepted = 0
      for index in Proofs.share(of: bytes.indices, oneIn: 12) {
        let bit = UInt8(index * 3 % 8)
        bytes[index] ^= 1 << bit
        defer { bytes[index] ^= 1 << bit }
        guard let notebook = try? SnapshotFile.decode(Notebook.self, from: bytes, options: ReadOptions(threads: 1))
        else { continue }
        accepted += 1
        var records = TreeRecords()
        try Document(bytes, limits: ReadLimits()).reader.readTables(&records)
        #expect(try notebook.lines() == records.lines, "bit \(bit) of byte \(index)")
        if format == .json { try compareWithFoundation(bytes, notebook) }
      }
      #expect(accepted > Proofs.pick(full: 20, quick: 1))
      for count in Proofs.share(of: bytes.indices, oneIn: 12) where reads(Array(bytes[..<count])) {
        let isRest = bytes[count...].allSatisfy(ByteText.isWhitespace)
        let isLine = format == .ndjson && (bytes[count] == 0x0A || bytes[count - 1] == 0x0A)
        #expect(isRest || isLine, "cut off after \(count) bytes")
      }
    }
  }

  /// Ids and texts as `JSONSerialization` reads them.
  private func compareWithFoundation(_ bytes: [UInt8], _ notebook: Notebook) throws {
    let root = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let notes = root["notes"] as? [[String: Any]] ?? []
    #expect(Set(notes.compactMap { ($0["id"] as? NSNumber)?.int64Value }) == Set(notebook.notes.ids))
    #expect(Set(notes.compactMap { $0["text"] as? String }) == Set(notebook.notes.map(\.text)))
    let tags = root["tags"] as? [[String: Any]] ?? []
    #expect(Set(tags.compactMap { $0["name"] as? String }) == Set(notebook.tags.map(\.name)))
  }

  private func reads(_ bytes: [UInt8]) -> Bool { (try? SnapshotFile.decode(Notebook.self, from: bytes)) != nil }
}

/// Every record, decoded from its item and never directly, as a line of JSON by its table and id.
private struct TreeRecords: DocumentVisitor {
  private(set) var lines: [String: String] = [:]

  init() {}

  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    do {
      while let item = try records.next() {
        switch name {
        case "attachments": try add(name, ItemDecoder.decode(Attachment.self, from: item))
        case "deletedNotes": try add(name, ItemDecoder.decode(DeletedNote.self, from: item))
        case "notes": try add(name, ItemDecoder.decode(Note.self, from: item))
        default: try add(name, ItemDecoder.decode(SnapshotNotebook.Tag.self, from: item))
        }
      }
    } catch {
      throw error as? SnapshotError ?? SnapshotError(.invalidValue, "\(error)")
    }
  }

  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError) {
    throw SnapshotError(.invalidValue, "expected an array of records")
  }

  private mutating func add(_ table: String, _ record: some Record) throws {
    lines["\(table) \(record.id)"] = try SnapshotFile.json(of: record)
  }
}
