/// The escapes of JSON strings.
enum JSONEscapes {
  /// The text of a string with escapes. Nil if an escape is unknown or is half of a surrogate pair.
  ///
  /// - Parameter content: the bytes between the quotation marks: valid UTF-8, with a byte after every backslash.
  static func unescaped(_ content: UnsafeBufferPointer<UInt8>) -> String? {
    var isGood = true
    let text = String(unsafeUninitializedCapacity: content.count) { place in
      guard let target = place.baseAddress, let source = content.baseAddress else { return 0 }
      var written = 0
      var start = 0
      while start < content.count {
        let end = ByteText.endOfPlainJSON(content, from: start)
        (target + written).update(from: source + start, count: end - start)
        written += end - start
        guard end < content.count else { break }
        guard let (scalar, length) = scalar(content, at: end) else {
          isGood = false
          return 0
        }
        written += put(scalar, target + written)
        start = end + length
      }
      return written
    }
    return isGood ? text : nil
  }

  /// The character of the escape at an index, and the length of the escape. Nil for half of a surrogate pair and for an
  /// unknown escape.
  static func scalar(_ content: UnsafeBufferPointer<UInt8>, at index: Int) -> (UInt32, Int)? {
    guard index + 1 < content.count else { return nil }
    switch content[index + 1] {
    case UInt8(ascii: "n"): return (0x0A, 2)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return (UInt32(content[index + 1]), 2)
    case UInt8(ascii: "t"): return (0x09, 2)
    case UInt8(ascii: "r"): return (0x0D, 2)
    case UInt8(ascii: "b"): return (0x08, 2)
    case UInt8(ascii: "f"): return (0x0C, 2)
    case UInt8(ascii: "u"):
      guard index + 6 <= content.count else { return nil }
      var value: UInt32 = 0
      for digit in content[index + 2..<index + 6] {
        switch digit {
        case 0x30...0x39: value = value << 4 | UInt32(digit - 0x30)
        case 0x41...0x46: value = value << 4 | UInt32(digit - 0x37)
        case 0x61...0x66: value = value << 4 | UInt32(digit - 0x57)
        default: return nil
        }
      }
      return value & 0xF800 == 0xD800 ? nil : (value, 6)
    default: return nil
    }
  }

  /// Writes a character up to U+FFFF as UTF-8. It never takes more bytes than its escape.
  private static func put(_ scalar: UInt32, _ place: UnsafeMutablePointer<UInt8>) -> Int {
    switch scalar {
    case ..<0x80:
      place[0] = UInt8(scalar)
      return 1
    case ..<0x800:
      place[0] = 0xC0 | UInt8(scalar >> 6)
      place[1] = 0x80 | UInt8(scalar & 0x3F)
      return 2
    default:
      place[0] = 0xE0 | UInt8(scalar >> 12)
      place[1] = 0x80 | UInt8(scalar >> 6 & 0x3F)
      place[2] = 0x80 | UInt8(scalar & 0x3F)
      return 3
    }
  }
}
