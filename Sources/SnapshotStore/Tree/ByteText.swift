/// Searches in bytes, eight at a time.
enum ByteText {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The byte order mark of UTF-8.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// White space in JSON and XML.
  static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Whether two runs of bytes are equal.
  @inline(__always)
  static func equal(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let (a, b) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
    if count >= 8 {
      var index = 0
      while index + 8 < count {
        if a.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          != b.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        {
          return false
        }
        index += 8
      }
      // The last eight bytes. They may overlap with the word before.
      return a.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        == b.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    }
    var difference: UInt8 = 0
    for index in 0..<count {
      difference |= a.load(fromByteOffset: index, as: UInt8.self) ^ b.load(fromByteOffset: index, as: UInt8.self)
    }
    return difference == 0
  }

  /// One of 64 bits for some bytes, by their number, the first and the last one. Equal bytes have the same bit.
  @inline(__always)
  static func bit(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    let ends = count == 0 ? 0 : Int(bytes[0]) ^ Int(bytes[count - 1]) << 1
    return 1 << UInt64((ends ^ count << 3) & 63)
  }

  /// The offset of the first quotation mark, backslash or control character from `start` on. The count if there is
  /// none.
  @inline(__always)
  static func endOfPlainJSON(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard let base = bytes.baseAddress else { return start }
    let raw = UnsafeRawPointer(base)
    var index = start
    while index + 8 <= bytes.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let quote = zeroes(word ^ (0x22 * ones))
      let backslash = zeroes(word ^ (0x5C * ones))
      // A byte below 0x20 borrows from its high bit. `~word` leaves out bytes from 0x80 on.
      let control = (word &- 0x20 * ones) & ~word & highs
      let found = quote | backslash | control
      // Marks above the first true one may be false because of a borrow. The lowest mark is always true.
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count, bytes[index] != 0x22, bytes[index] != 0x5C, bytes[index] >= 0x20 { index += 1 }
    return index
  }

  /// The offset of the quotation mark that ends a string, and whether the string has escapes. The offset is nil if
  /// there is no such mark, or if a control character comes first.
  @inline(__always)
  static func endOfJSONString(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (end: Int?, hasEscapes: Bool) {
    var hasEscapes = false
    var index = endOfPlainJSON(bytes, from: start)
    while index < bytes.count {
      if bytes[index] == 0x22 { return (index, hasEscapes) }
      guard bytes[index] == 0x5C else { break }
      hasEscapes = true
      index = endOfPlainJSON(bytes, from: index + 2)
    }
    return (nil, hasEscapes)
  }

  /// The offset from `start` on of the first byte that may need an escape in JSON; the count if there is none.
  ///
  /// Such a byte is a quotation mark, a backslash, a control character, or 0xC2 or 0xE2. These two begin sequences of
  /// which some are written with an escape.
  @inline(__always)
  static func endOfPlainText(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard let base = bytes.baseAddress else { return start }
    let raw = UnsafeRawPointer(base)
    var index = start
    while index + 8 <= bytes.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let quote = zeroes(word ^ (0x22 * ones)) | zeroes(word ^ (0x5C * ones)) | zeroes(word ^ (0x7F * ones))
      let control = (word &- 0x20 * ones) & ~word & highs
      // With bit 5 set, 0xC2 becomes 0xE2, so one comparison finds both.
      let sequence = zeroes((word | 0x20 * ones) ^ (0xE2 * ones))
      let found = quote | control | sequence
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count {
      switch bytes[index] {
      case 0x22, 0x5C, 0x7F, 0xC2, 0xE2, ..<0x20: return index
      default: index += 1
      }
    }
    return index
  }

  /// The offset of the first byte from `start` on that may need a reference in XML; the count if there is none.
  ///
  /// Such a byte is `<`, `&`, a control character other than tab and line feed, or 0xEF, which begins U+FFFE and
  /// U+FFFF. `>` is one too if `stopsAtGreater` is true.
  @inline(__always)
  static func endOfPlainXML(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, stopsAtGreater: Bool = false
  ) -> Int {
    guard let base = bytes.baseAddress else { return start }
    let raw = UnsafeRawPointer(base)
    var index = start
    while index < bytes.count {
      if index + 8 <= bytes.count {
        let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        // With bit 1 set, `<` becomes `>`, so one comparison finds both.
        let angle = zeroes((stopsAtGreater ? word | 0x02 * ones : word) ^ ((stopsAtGreater ? 0x3E : 0x3C) * ones))
        let other = zeroes(word ^ (0x26 * ones)) | zeroes(word ^ (0xEF * ones))
        let control = (word &- 0x20 * ones) & ~word & highs
        let found = angle | other | control
        if found == 0 {
          index += 8
          continue
        }
        index += found.trailingZeroBitCount / 8
      }
      switch bytes[index] {
      case 0x09, 0x0A: index += 1
      case ..<0x20, UInt8(ascii: "<"), UInt8(ascii: "&"): return index
      case UInt8(ascii: ">") where stopsAtGreater: return index
      case 0xEF where index + 2 < bytes.count && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE: return index
      default: index += 1
      }
    }
    return index
  }

  /// Whether every character of some valid UTF-8 is a `Char` of XML 1.0, section 2.2.
  static func isXML(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var start = 0
    while true {
      let end = endOfPlainXML(utf8, from: start)
      guard end < utf8.count else { return true }
      guard [UInt8(ascii: "&"), UInt8(ascii: "<"), 0x0D].contains(utf8[end]) else { return false }
      start = end + 1
    }
  }

  /// The offset of the first byte from `start` on that has a value; nil if there is none.
  static func firstIndex(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let raw = UnsafeRawPointer(base)
    let wanted = UInt64(byte) * ones
    var index = start
    while index + 8 <= bytes.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let found = zeroes(word ^ wanted)
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count {
      if bytes[index] == byte { return index }
      index += 1
    }
    return nil
  }

  /// Whether all bytes are ASCII. O(bytes).
  static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    let raw = UnsafeRawPointer(base)
    var index = 0
    while index + 32 <= bytes.count {
      let a = raw.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
      if (a[0] | a[1] | a[2] | a[3]) & highs != 0 { return false }
      index += 32
    }
    var rest: UInt8 = 0
    while index < bytes.count {
      rest |= bytes[index]
      index += 1
    }
    return rest < 0x80
  }

  /// Whether a text is at an offset.
  @inline(__always)
  static func isNext(_ text: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard let base = bytes.baseAddress, bytes.count - offset >= length else { return false }
    return equal(base + offset, text.utf8Start, length)
  }

  /// Whether a text is one or more `$` and then `null`. It stands for null in property lists; see `Representation`.
  @inline(__always)
  static func isNullLike(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= 5, bytes[0] == UInt8(ascii: "$") else { return false }
    let start = bytes.count - 4
    return isNext("null", bytes, at: start) && bytes[..<start].allSatisfy { $0 == UInt8(ascii: "$") }
  }

  /// Sets the high bit of every byte that is zero. May also set it in bytes above the lowest such byte.
  @inline(__always)
  private static func zeroes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }
}
