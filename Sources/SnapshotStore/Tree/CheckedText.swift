/// Texts of bytes that were checked before.
extension String {
  /// The text of bytes that are known to be UTF-8, without a second check of them.
  ///
  /// A file in text is checked as a whole; see `SourceText`. Any part of it between two ASCII characters is UTF-8 too.
  /// O(bytes).
  init(checkedUTF8 bytes: UnsafeBufferPointer<UInt8>) {
    assert(String(validating: bytes, as: UTF8.self) != nil, "The bytes were not checked.")
    // A text of ASCII is checked as fast as it is copied, and keeps the mark that it is ASCII.
    #if compiler(>=6.2)
      if bytes.count > 15, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), !ByteText.isASCII(bytes) {
        self.init(copying: UTF8Span(unchecked: bytes.span))
        return
      }
    #endif
    self.init(decoding: bytes, as: UTF8.self)
  }
}
