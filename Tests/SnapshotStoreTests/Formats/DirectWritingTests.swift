import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Direct writing gives exactly the bytes of `Codable`, on one thread and on several.
@Suite struct DirectWritingTests {
  @Test func awkwardRecords() {
    each(FileFormat.allCases, SeededGenerator.seeds(3)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      for count in [0, 1, 2, 60] {
        let model = try SampleModel(count, isTame: false, &generator)
        let expected = try SnapshotFile.encode(try PlainModel(model), as: format, threads: 1)
        for threads in [1, 2] {
          let encoded = try SnapshotFile.encode(model, as: format, threads: threads)
          #expect(encoded == expected)
        }
      }
    }
  }

  /// Keys and truth values that first occur in a later part of a table are written there, and nowhere else.
  @Test func aTableOfSeveralParts() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var samples = (0..<3_000).map { Sample(id: $0) }
      for index in [900, 1_500, 2_999] { samples[index].flag = true }
      for index in [1_400, 1_600] { samples[index].dateIfAny = Date(timeIntervalSinceReferenceDate: 1.5) }
      for index in [2_100, 2_101] { samples[index].flagIfAny = index == 2_100 }
      samples[2_999].textsIfAny = ["a", "ß"]
      samples[1_600].textIfAny = "😀 and more than fifteen characters"
      var model = SampleModel()
      model.items = try Table(samples)
      model.others = try Table(samples.suffix(2))
      let expected = try SnapshotFile.encode(try PlainModel(model), as: format, threads: 1)
      for threads in Proofs.pick(full: [1, 2, 5], quick: [3]) {
        #expect(try SnapshotFile.encode(model, as: format, threads: threads) == expected)
      }
      let decoded = try SnapshotFile.decode(SampleModel.self, from: expected, options: ReadOptions(threads: 2))
      #expect(try SnapshotFile.encode(decoded, as: format, threads: 2) == expected)
    }
  }

  /// The limits between the forms of counts and integers in a binary list.
  @Test func lengthsAtTheirBoundaries() throws {
    var model = SampleModel()
    for (id, count) in [14, 15, 255, 256, 65_535, 65_536].enumerated() {
      var sample = Sample(id: Int64(id))
      sample.count = count
      sample.text = String(repeating: "x", count: count)
      sample.textIfAny = String(repeating: "x", count: count - 1) + "é"
      sample.texts = Array(repeating: "", count: min(count, 300))
      try model.items.insert(sample)
    }
    for format in FileFormat.allCases {
      let bytes = try SnapshotFile.encode(model, as: format)
      #expect(try SnapshotFile.encode(try PlainModel(model), as: format) == bytes)
      #expect(try Outcome(direct: bytes, threads: 2) == Outcome(general: bytes))
    }
  }
}
