/// Validation of UTF-8 as the Unicode Standard defines it (table 3-7): no overlong forms, surrogates or values beyond
/// U+10FFFF.
enum UTF8Check {
  /// The offset of the first byte that does not belong to a well-formed sequence; nil if all do. O(bytes).
  static func firstInvalidOffset(in bytes: [UInt8], threads: Int = 1) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      Parallel.map(over: bytes.count, atLeast: 1 << 20, threads: threads) { range in
        // A sequence is looked at as a whole by the part in which it starts.
        firstInvalidOffset(in: bytes, sequenceStart(range.lowerBound, bytes)..<sequenceStart(range.upperBound, bytes))
      }.lazy.compactMap { $0 }.first
    }
  }

  /// The first of up to three bytes from an offset on that does not go on with a sequence. Those that do belong to the
  /// part before; a fourth belongs to no sequence.
  private static func sequenceStart(_ offset: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard offset > 0 else { return 0 }
    var start = offset
    while start < min(bytes.count, offset + 3), bytes[start] & 0xC0 == 0x80 { start += 1 }
    return start
  }

  private static func firstInvalidOffset(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    guard let start = bytes.baseAddress else { return nil }
    var index = range.lowerBound
    while index < range.upperBound {
      if index + 16 <= range.upperBound {
        let raw = UnsafeRawPointer(start + index)
        let word = raw.loadUnaligned(as: UInt64.self) | raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        if word & 0x8080_8080_8080_8080 == 0 {
          index += 16
          continue
        }
      }
      // Text of another script goes on for a while.
      var pause = 0
      while index < range.upperBound, pause < 16 {
        if bytes[index] < 0x80 {
          index += 1
          pause += 1
          continue
        }
        let length = sequenceLength(at: index, in: bytes)
        if length == 0 { return index }
        index += length
        pause = 0
      }
    }
    return nil
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
