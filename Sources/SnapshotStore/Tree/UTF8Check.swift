/// Validation of UTF-8 as the Unicode Standard defines it (table 3-7): no overlong forms, no surrogates, and no values
/// beyond U+10FFFF.
enum UTF8Check {
  /// The offset of the first byte that does not belong to a well-formed sequence; nil if all do. O(bytes).
  static func firstInvalidOffset(in bytes: [UInt8], threads: Int = 1) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      Parallel.map(over: bytes.count, atLeast: 1 << 20, threads: threads) { range in
        // The part in which a sequence starts checks the whole sequence.
        firstInvalidOffset(in: bytes, sequenceStart(range.lowerBound, bytes)..<sequenceStart(range.upperBound, bytes))
      }.lazy.compactMap { $0 }.first
    }
  }

  /// Skips up to three continuation bytes at an offset. They belong to the part before; a fourth belongs to no
  /// sequence.
  private static func sequenceStart(_ offset: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard offset > 0 else { return 0 }
    var start = offset
    while start < min(bytes.count, offset + 3), bytes[start] & 0xC0 == 0x80 { start += 1 }
    return start
  }

  /// The same for a range that begins with a sequence.
  static func firstInvalidOffset(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let raw = UnsafeRawPointer(base)
    var index = range.lowerBound
    while index < range.upperBound {
      if bytes[index] < 0x80 {
        guard index + 8 <= range.upperBound else {
          index += 1
          continue
        }
        let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        // Moves to the first byte of the word that is not ASCII, or to the next word if all are.
        index += (word & 0x8080_8080_8080_8080).trailingZeroBitCount / 8
        continue
      }
      let length = sequenceLength(at: index, in: bytes)
      if length == 0 { return index }
      index += length
    }
    return nil
  }

  /// The length of the multi-byte sequence at an index; 0 if it is not well formed.
  @inline(__always)
  private static func sequenceLength(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let rest = bytes.count - index
    let first = bytes[index]
    guard first >= 0xC2, rest >= 2 else { return 0 }
    let second = bytes[index + 1]
    if first < 0xE0 { return second & 0xC0 == 0x80 ? 2 : 0 }
    guard rest >= 3, bytes[index + 2] & 0xC0 == 0x80, second & 0xC0 == 0x80 else { return 0 }
    if first < 0xF0 {
      // No overlong forms, no surrogates.
      if first == 0xE0 { return second >= 0xA0 ? 3 : 0 }
      if first == 0xED { return second < 0xA0 ? 3 : 0 }
      return 3
    }
    guard first <= 0xF4, rest >= 4, bytes[index + 3] & 0xC0 == 0x80 else { return 0 }
    // No overlong forms, nothing beyond U+10FFFF.
    if first == 0xF0 { return second >= 0x90 ? 4 : 0 }
    if first == 0xF4 { return second < 0x90 ? 4 : 0 }
    return 4
  }

  /// The same bytes, with U+0001 in place of each byte that does not belong to a well-formed sequence. O(bytes).
  static func masked(_ bytes: [UInt8]) -> [UInt8] {
    guard var invalid = firstInvalidOffset(in: bytes) else { return bytes }
    var result = bytes
    while true {
      result[invalid] = 0x01
      let start = invalid + 1
      guard
        let next = bytes.withUnsafeBufferPointer({ firstInvalidOffset(in: $0, start..<$0.count) })
      else {
        return result
      }
      invalid = next
    }
  }
}
