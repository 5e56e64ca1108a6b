/// How a search folds texts, so that case, accents and invisible characters make no difference.
///
/// Each scalar is folded by itself, without regard to locale. It is decomposed canonically. Scalars without a meaning
/// for a search are left out (see `isLeftOut`). The rest is mapped to upper case and then to lower case, so `ß` becomes
/// `ss` and `ﬁ` becomes `fi`. A text in NFC and the same text in NFD fold alike.
///
/// Foundation's `folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)` keeps marks that do not
/// stand on a Latin, Greek or Cyrillic letter. This folding differs from it in three ways:
///
/// - Hebrew and Arabic points, variation selectors, joiners and soft hyphens are left out too.
/// - `ı` becomes `i`.
/// - Hangul is decomposed, so the beginning of a syllable is found in it.
enum SearchFolding {
  /// The folded form of a scalar in UTF-8. Slow: `FoldingTable` caches it.
  static func utf8(of scalar: Unicode.Scalar) -> [UInt8] {
    var folded = ""
    for part in CanonicalDecomposition.scalars(of: scalar) where !isLeftOut(part) {
      for lower in part.properties.lowercaseMapping.unicodeScalars {
        for upper in lower.properties.uppercaseMapping.unicodeScalars {
          folded.unicodeScalars.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
        }
      }
    }
    // There is room for four times the length. No scalar needs more.
    let scalars = folded.unicodeScalars.filter { !isLeftOut($0) }
    let bytes = Array(String(String.UnicodeScalarView(scalars)).utf8)
    return bytes.count <= 4 * UTF8.width(scalar) ? bytes : Array(String(scalar).utf8)
  }

  /// Whether a scalar is an accent, a point, a mark around a character, or invisible by itself, such as a soft hyphen.
  ///
  /// Marks with other combining classes are parts of letters: strokes, the marks of kana, the vowels of Thai and
  /// Tibetan.
  private static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch properties.canonicalCombiningClass.rawValue {
    case 10...36, 200...: return true
    default: return properties.generalCategory == .enclosingMark || properties.isDefaultIgnorableCodePoint
    }
  }

  /// The folded text in UTF-8.
  static func folded(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { utf8 in
      [UInt8](unsafeUninitializedCapacity: capacity(for: utf8.count)) { $1 = fold(utf8, into: $0) }
    }
  }

  /// The capacity in bytes that `fold` needs for a text of `count` bytes. It writes eight bytes at a time.
  static func capacity(for count: Int) -> Int { 4 * count + 16 }

  /// Folds valid UTF-8 and returns the number of bytes written.
  static func fold(_ text: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard let input = text.baseAddress.map({ UnsafeRawPointer($0) }), let start = output.baseAddress else { return 0 }
    precondition(output.count >= capacity(for: text.count))
    let table = FoldingTable.shared
    let out = UnsafeMutableRawPointer(start)
    var (index, end) = (0, 0)
    while index < text.count {
      if index + 8 <= text.count {
        // Copies the ASCII bytes before the first other byte. The bytes written after them are overwritten later.
        let word = input.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let count = (word & highs).trailingZeroBitCount / 8
        if count > 0 {
          out.storeBytes(of: lowercased(word), toByteOffset: end, as: UInt64.self)
          index += count
          end += count
          continue
        }
      } else if text[index] < 0x80 {
        out.storeBytes(of: lowercased(text[index]), toByteOffset: end, as: UInt8.self)
        index += 1
        end += 1
        continue
      }
      let (scalar, length) = decode(text, at: index)
      index += length
      end += table.write(scalar, to: out + end)
    }
    return end
  }

  /// The scalar at an offset of valid UTF-8 that is not ASCII, and its number of bytes.
  @inline(__always)
  static func decode(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> (scalar: UInt32, length: Int) {
    func bits(_ offset: Int) -> UInt32 { UInt32(text[index + offset] & 0x3F) }
    let first = UInt32(text[index])
    if first < 0xE0 { return ((first & 0x1F) << 6 | bits(1), 2) }
    if first < 0xF0 { return ((first & 0x0F) << 12 | bits(1) << 6 | bits(2), 3) }
    return ((first & 0x07) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), 4)
  }

  /// Whether the text is ASCII, so that only capital letters need folding.
  static func isASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let input = text.baseAddress.map({ UnsafeRawPointer($0) }) else { return true }
    var index = 0
    var all: UInt64 = 0
    while index + 8 <= text.count {
      all |= input.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < text.count {
      all |= UInt64(text[index])
      index += 1
    }
    return all & highs == 0
  }

  private static let highs: UInt64 = 0x8080_8080_8080_8080

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  /// Eight bytes, with the ASCII letters among them in lower case. Bit 7 of each sum tells whether the letter is at
  /// least `A`, or above `Z`. Bytes beyond ASCII may change, and so may the bytes above them.
  private static func lowercased(_ word: UInt64) -> UInt64 {
    let fromA = word &+ 0x3F3F_3F3F_3F3F_3F3F
    let aboveZ = word &+ 0x2525_2525_2525_2525
    return word | ((fromA & ~aboveZ & highs) >> 2)
  }
}
