extension SourceText {
  /// Bytes of a damaged file in the format that it is taken for.
  ///
  /// In text, each byte that is not UTF-8 is replaced by a control character, which no format accepts where it would
  /// matter: so only the record is lost in which it stands. Errors have an offset, but neither line nor column, because
  /// counting lines anew for each of very many errors would take for ever.
  init(salvaging bytes: [UInt8], format: FileFormat) {
    if format.isText {
      self.init(UTF8Check.masked(bytes), uncheckedFormat: format)
    } else {
      // The first bytes say nothing that is needed, and so it is no matter if they are damaged.
      let magic = Array("bplist00".utf8)
      self.init(
        bytes.count < magic.count ? bytes : magic + bytes[magic.count...], uncheckedFormat: format)
    }
  }

  /// Whether a byte was replaced because it is not UTF-8.
  func isMasked(_ offset: Int, of original: [UInt8]) -> Bool {
    bytes.indices.contains(offset) && original.indices.contains(offset)
      && bytes[offset] != original[offset]
  }
}

extension UTF8Check {
  /// The same bytes, with U+0001 for each that does not belong to a well-formed sequence. O(bytes).
  fileprivate static func masked(_ bytes: [UInt8]) -> [UInt8] {
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
