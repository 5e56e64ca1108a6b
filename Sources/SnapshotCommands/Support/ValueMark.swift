import SnapshotStore

/// Tells two values of a store apart: 16 hexadecimal digits, the same on every machine.
///
/// It depends on the schema and its version, the single values, and the records in their order. It does not depend on
/// the format of the file, on spaces, or on what of it is in a journal. It is no protection against forgery: it is a
/// hash of 64 bits.
struct ValueMark: Equatable {
  let text: String

  /// A mark from an argument; nil for any other text.
  init?(_ text: String) {
    guard text.wholeMatch(of: /[0-9a-f]{16}/) != nil else { return nil }
    self.text = text
  }

  /// The mark of the value in a file and its journal. O(bytes).
  init(ofFile path: String) throws {
    let (content, folds) = try FileInput(path).content { _ in RecordsHash() }
    var hash = Hash()
    hash.add("\(content.schemaName)\n\(content.schemaVersion)")
    // A file of a newer program may have a table more, without records.
    for (table, fold) in folds where fold.count > 0 {
      hash.add(table)
      hash.add("\(fold.count) \(fold.sum)")
    }
    for (name, value) in content.values {
      hash.add(name)
      hash.add(value.json)
    }
    let digits = String(hash.value, radix: 16)
    text = String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The hash of the records of a table, in their order.
private struct RecordsHash: RecordFold {
  private(set) var sum: UInt64 = 0
  private(set) var count = 0
  /// The power of the factor with the count.
  private var power: UInt64 = 1

  mutating func add(_ record: UntypedValue) -> Bool {
    var hash = Hash()
    hash.add(record.json)
    append(sum: hash.value, count: 1, power: 0x9E37_79B9_7F4A_7C15)
    return false
  }

  mutating func append(_ next: RecordsHash) { append(sum: next.sum, count: next.count, power: next.power) }

  private mutating func append(sum: UInt64, count: Int, power: UInt64) {
    self.sum = self.sum &* power &+ sum
    self.power = self.power &* power
    self.count += count
  }
}

/// FNV-1a (Fowler, Noll, Vo) of texts, each with its end.
private struct Hash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    // No text in UTF-8 has this byte.
    add(0xFF)
  }

  private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
}
