/// Validation of UTF-8 as the Unicode Standard defines it (table 3-7): no overlong forms, surrogates or values beyond
/// U+10FFFF.
enum UTF8Check {
  /// The offset of the first byte that does not belong to a well-formed sequence; nil if all do. O(bytes).
  static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        if bytes[index] < 0x80 {
          index += 1
          continue
        }
        let length = sequenceLength(at: index, in: bytes)
        if length == 0 { return index }
        index += length
      }
      return nil
    }
  }

  /// The length of the multi-byte sequence that starts at an index, or 0 if it is not well formed.
  private static func sequenceLength(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch bytes[index] {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xE1...0xEC, 0xEE...0xEF: (3, 0x80...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: (0, 0...0)
      }
    guard length > 0, index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
    for next in bytes[(index + 2)..<max(index + 2, index + length)] where next & 0xC0 != 0x80 { return 0 }
    return length
  }
}
