import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Equal values give equal bytes, however they were made.
@Suite struct SameBytesTests {
  /// Dictionaries and sets that were filled in another order, or with another capacity, iterate in another order.
  @Test func theOrderOfFillingLeavesNoTrace() {
    each(FileFormat.allCases, SeededGenerator.seeds(3)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      // Texts that are equal in two normalisations would make the first one decide.
      let texts = Dictionary((0..<60).map { ("\($0)\(generator.text())", $0) }) { first, _ in first }
      let uuids = (0..<40).map { _ in (generator.uuid(), generator.double()) }
      let reals = (0..<40).map { _ in generator.double() }.filter { !$0.isNaN && $0 != 0 }
      var expected: [UInt8]?
      for _ in 0..<6 {
        let capacity = Int.random(in: 0...500, using: &generator)
        var record = Awkward(id: 1)
        record.numberByText.reserveCapacity(capacity)
        record.words.reserveCapacity(capacity)
        for (text, number) in texts.shuffled(using: &generator) {
          record.numberByText[text] = number
          record.textByNumber[number] = text
          record.words.insert(text)
        }
        for (uuid, double) in uuids.shuffled(using: &generator) { record.doubleByUUID[uuid] = double }
        for real in reals.shuffled(using: &generator) { record.reals.insert(real) }
        var shelf = Shelf()
        try shelf.items.insert(record)
        let bytes = try SnapshotFile.encode(shelf, as: format)
        #expect(bytes == expected ?? bytes)
        expected = bytes
      }
    }
  }

  @Test func theOrderOfInsertionIntoATableLeavesNoTrace() {
    each(FileFormat.allCases, SeededGenerator.seeds(2)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let shelf = try Shelf(random: &generator, count: 40)
      let bytes = try SnapshotFile.encode(shelf, as: format)
      var other = Shelf()
      for record in shelf.items.shuffled(using: &generator) { try other.items.insert(record) }
      try other.items.insert(Awkward(id: 5_000))
      other.items.remove(5_000)
      #expect(try SnapshotFile.encode(other, as: format) == bytes)
    }
  }

  /// A property wrapper passes its encoder on to its value, and so hides a dictionary from the encoder. (A set that is
  /// encoded so cannot be told from an array; one that is encoded through a container is sorted.)
  @Test func aWrappedDictionaryOrSetIsSortedToo() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var bytes: Set<[UInt8]> = []
      for capacity in 0..<12 {
        var record = Wrapped(id: 1)
        record.numbers.reserveCapacity(capacity * 40)
        record.words.values.reserveCapacity(capacity * 40)
        for number in 0..<20 {
          record.numbers["key \(number)"] = number
          record.words.values.insert("word \(number)")
        }
        var root = WrappedModel()
        try root.items.insert(record)
        bytes.insert(try SnapshotFile.encode(root, as: format))
      }
      #expect(bytes.count == 1)
    }
  }
}

private struct Wrapped: Record {
  let id: Int
  @Forwarding var numbers: [String: Int] = [:]
  var words = Words(values: [])
}

@propertyWrapper
private struct Forwarding: Codable, Equatable, Sendable {
  var wrappedValue: [String: Int]

  init(wrappedValue: [String: Int]) { self.wrappedValue = wrappedValue }
  init(from decoder: any Decoder) throws { wrappedValue = try [String: Int](from: decoder) }
  func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

private struct Words: Codable, Equatable, Sendable {
  var values: Set<String>

  init(values: Set<String>) { self.values = values }
  init(from decoder: any Decoder) throws { values = try decoder.singleValueContainer().decode(Set<String>.self) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }
}

private struct WrappedModel: Model {
  var items = Table<Wrapped>()
  static let schema = Schema<WrappedModel>("wrapped", version: 1, Field("items", \.items))
}
