import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Salvage of cut files and of files with changed bits: it ends, its report is true, and it loses little.
@Suite struct SalvageDamageTests {
  private let original: Notebook
  private let lines: [String: String]

  init() throws {
    original = try Notebook.ofEveryKind()
    lines = try original.lines()
  }

  @Test func aFileWithoutDamageIsItself() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      for checksum in [true, false] {
        let salvaged = try Salvaged<Notebook>(of: encoded(original, format, checksum: checksum))
        #expect(salvaged.losses == [] && salvaged.isComplete)
        #expect(try salvaged.value.lines() == lines)
        #expect(salvaged.checksum == (checksum ? .ok : .absent))
        #expect(salvaged.format == format)
      }
    }
  }

  /// Nothing is invented, and no incomplete result is called complete.
  @Test func cutFiles() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = try encoded(original, format)
      var counts: [Int] = []
      for count in Proofs.share(of: Array(stride(from: 1, to: bytes.count, by: 7)), oneIn: 6) {
        guard let salvaged = try? Salvaged<Notebook>(of: Array(bytes[..<count])) else {
          counts.append(0)
          continue
        }
        let found = try salvaged.value.lines()
        let changed = found.filter { lines[$0.key] != $0.value }
        #expect(changed.count <= salvaged.repairs, "\(changed) after \(count) bytes")
        #expect(!salvaged.isComplete, "after \(count) bytes")
        #expect(salvaged.value.allViolations() == [])
        counts.append(found.count)
      }
      // A binary list without its end is refused.
      if format == .binary { return }
      #expect(counts.last.map { $0 >= lines.count - 1 } == true)
      #expect(counts[counts.count / 2] > 1)
    }
  }

  /// In text, a changed bit costs one record, or two if it makes one look like the other. References to them are
  /// repaired. Every other record is there, as it was. In a binary list a shared key of many records may be hit.
  @Test func flippedBits() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var bytes = try encoded(original, format)
      let hit = bytes.indices.dropLast(format == .binary ? 32 : 0).filter { format != .xml || $0 % 3 == 0 }
      for index in Proofs.share(of: hit, oneIn: 24) {
        let bit = UInt8(index * 5 % 8)
        bytes[index] ^= 1 << bit
        defer { bytes[index] ^= 1 << bit }
        guard let salvaged = try? Salvaged<Notebook>(of: bytes) else {
          if format != .binary { Issue.record("nothing: bit \(bit) of byte \(index)") }
          continue
        }
        let found = try salvaged.value.lines()
        let changed = found.filter { lines[$0.key] != $0.value }
        let lost = lines.filter { found[$0.key] != $0.value }
        #expect(!salvaged.isComplete && salvaged.checksum != .ok, "bit \(bit) of byte \(index)")
        if format == .binary { continue }
        // The notes of a tag with a changed name follow it.
        let repairs = salvaged.repairs + (salvaged.hasRenamedTag ? lines.keys.count { $0.hasPrefix("notes ") } : 0)
        #expect(changed.count <= 1 + repairs, "bit \(bit) of byte \(index): \(changed)")
        // With another name, or none, the records of a table are beside the model.
        let tables = Set(salvaged.losses.filter { $0.kind == .table }.compactMap(\.table))
        let missing = lines.keys.count { line in tables.contains { line.hasPrefix($0 + " ") } }
        #expect(lost.count <= 2 + repairs + missing, "bit \(bit) of byte \(index): \(lost) \(salvaged.report)")
      }
    }
  }

  /// A file with very many losses takes time in proportion, and the list of losses is limited.
  @Test(.timeLimit(.minutes(30))) func manyLosses() throws {
    var text = "{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\n\"tags\":[\n"
    let count = Proofs.pick(full: 20_000, quick: 4_000)
    for number in 0..<count { text += "{\"id\":\"\(number)\",\"nam\u{E9}\":\"\(number)\"},\n{\"id\":\n" }
    let salvaged = try Salvaged<Notebook>(of: Array(text.utf8))
    #expect(salvaged.lossCount >= count)
    #expect(salvaged.losses.count <= SalvageLoss.listLimit + 1)
    #expect(salvaged.value.tags.isEmpty)
  }
}

extension Salvaged {
  /// The number of repaired records.
  fileprivate var repairs: Int { losses.count { $0.kind == .repair } }

  fileprivate var hasRenamedTag: Bool {
    losses.contains { $0.kind == .repair && $0.description.contains("so it was renamed to") }
  }
}
