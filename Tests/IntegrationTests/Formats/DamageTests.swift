import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Damage is noticed. With a checksum every cut and every changed bit is. Without one, no content makes reading crash
/// or hang, or gives a value that cannot be saved again.
@Suite struct DamageTests {
  @Test func aFileCutOffAnywhereIsRefused() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = try SnapshotFile.encode(try Notebook.tiny(), as: format)
      for count in Proofs.share(of: bytes.indices, oneIn: 8) where opens(Array(bytes[..<count])) {
        Issue.record("cut off after \(count) bytes")
      }
    }
  }

  @Test func everyFlippedBitIsNoticed() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var bytes = try SnapshotFile.encode(try Notebook.tiny(), as: format)
      for place in Proofs.share(of: 0..<8 * bytes.count, oneIn: 16) {
        let (index, bit) = (place / 8, place % 8)
        bytes[index] ^= 1 << UInt8(bit)
        if opens(bytes) { Issue.record("bit \(bit) of byte \(index)") }
        bytes[index] ^= 1 << UInt8(bit)
      }
    }
  }

  /// Disks lose blocks, and editors lose or repeat lines.
  @Test func lostRepeatedAndZeroedStretchesAreNoticed() {
    each(FileFormat.allCases, SeededGenerator.seeds(2)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let bytes = try SnapshotFile.encode(try Notebook.tiny(), as: format)
      for _ in 0..<Proofs.pick(full: 500, quick: 80) {
        let (a, b) = (generator.pick(Array(bytes.indices)), generator.pick(Array(bytes.indices)))
        let stretch = min(a, b)...max(a, b)
        var lost = bytes
        lost.removeSubrange(stretch)
        var repeated = bytes
        repeated.insert(contentsOf: bytes[stretch], at: stretch.upperBound + 1)
        var zeroed = bytes
        zeroed.replaceSubrange(stretch, with: repeatElement(0, count: stretch.count))
        for damaged in [lost, repeated, zeroed] where damaged != bytes && opens(damaged) {
          Issue.record("bytes \(stretch)")
        }
      }
    }
  }

  /// Without a checksum some changes pass, as an edit by hand does. Any value that opens must be an ordinary one.
  @Test(.timeLimit(.minutes(30))) func mutationsWithoutAChecksumNeverCrash() {
    each(FileFormat.allCases, SeededGenerator.seeds(4)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      var shelf = Shelf()
      for id in 0..<2 { try shelf.items.insert(Awkward(id: Int64(id), random: &generator)) }
      let samples = [
        try Crafted.withoutChecksum(try SnapshotFile.encode(try Notebook.tiny(), as: format), format),
        try Crafted.withoutChecksum(try SnapshotFile.encode(shelf, as: format), format),
      ]
      var opened = try tryMutations(
        of: samples[0], as: Notebook.self, Proofs.pick(full: 1_000, quick: 150), &generator)
      opened += try tryMutations(of: samples[1], as: Shelf.self, Proofs.pick(full: 150, quick: 50), &generator)
      // If nothing opened, nothing beyond the first check of the reader was tested. Foundation writes the binary lists
      // in another order in each process, so with one seed another number opens.
      #expect(opened > 0)
    }
  }

  /// Returns how many of the mutations opened.
  private func tryMutations<Root: Model>(
    of bytes: [UInt8], as type: Root.Type, _ count: Int, _ generator: inout SeededGenerator
  ) throws -> Int {
    var opened = 0
    for number in 0..<count {
      let mutated = generator.mutated(bytes)
      if number % 4 == 0 {
        // The reads of `snapshot-cli info` and of the import.
        _ = try? SnapshotSummary(of: mutated)
        _ = try? UntypedDocument(reading: mutated)
      }
      guard let root = try? SnapshotFile.decode(type, from: mutated) else { continue }
      opened += 1
      #expect(root.invariantViolations == [])
      if opened % 8 != 0 { continue }
      for format in FileFormat.allCases {
        let encoded = try SnapshotFile.encode(root, as: format)
        let decoded = try SnapshotFile.decode(type, from: encoded)
        expectExactly(decoded.allRecords, root.allRecords, "as \(format)")
      }
    }
    return opened
  }

  private func opens(_ bytes: [UInt8]) -> Bool { (try? SnapshotFile.decode(Notebook.self, from: bytes)) != nil }
}

extension Model {
  /// Faults of the tables themselves, without the rules of the domain.
  fileprivate var invariantViolations: [String] {
    let domain = Set((wholeViolations() + Self.schema.invalidRecords(of: self)).map(\.description))
    return allViolations().filter { !domain.contains($0) }
  }
}

extension SeededGenerator {
  /// The bytes with one to three changes, most of which fit the format.
  fileprivate mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0...2, using: &self) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &self)
      let end = min(bytes.count, index + Int.random(in: 1...8, using: &self))
      switch Int.random(in: 0..<7, using: &self) {
      case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      case 1: bytes[index] = UInt8(truncatingIfNeeded: next())
      case 2: bytes[index] = pick([0, 0x0F, 0x13, 0x14, 0x7F, 0x80, 0xA1, 0xD1, 0xDF, 0xFF])
      case 3: bytes.removeSubrange(index..<end)
      case 4: bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: bytes.indices, using: &self))
      case 5: bytes.insert(contentsOf: pick(Self.textPieces).utf8, at: index)
      default: bytes[index] = bytes[Int.random(in: bytes.indices, using: &self)]
      }
    }
    return bytes
  }
}
