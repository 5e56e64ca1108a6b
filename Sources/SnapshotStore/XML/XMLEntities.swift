/// Replaces all references in a text of an XML list at once.
enum XMLEntities {
  /// The text of valid UTF-8 that has no markup except references. Nil if a reference is not one that writers of lists
  /// use.
  static func resolved(_ content: UnsafeBufferPointer<UInt8>) -> String? {
    guard let source = content.baseAddress else { return "" }
    var isGood = true
    // No reference is shorter than the character that it stands for.
    let text = String(unsafeUninitializedCapacity: content.count) { place in
      guard let target = place.baseAddress else { return 0 }
      var written = 0
      var start = 0
      while start < content.count {
        let end = ByteText.endOfPlainXML(content, from: start)
        (target + written).update(from: source + start, count: end - start)
        written += end - start
        guard end < content.count else { break }
        guard let (byte, length) = character(content, at: end) else {
          isGood = false
          return 0
        }
        target[written] = byte
        written += 1
        start = end + length
      }
      return written
    }
    return isGood ? text : nil
  }

  /// The character of the reference at an index, and the length of the reference.
  private static func character(_ content: UnsafeBufferPointer<UInt8>, at index: Int) -> (UInt8, Int)? {
    func isNext(_ reference: StaticString) -> Bool { ByteText.isNext(reference, content, at: index) }
    if isNext("&amp;") { return (UInt8(ascii: "&"), 5) }
    if isNext("&lt;") { return (UInt8(ascii: "<"), 4) }
    if isNext("&gt;") { return (UInt8(ascii: ">"), 4) }
    if isNext("&quot;") { return (UInt8(ascii: "\""), 6) }
    if isNext("&apos;") { return (UInt8(ascii: "'"), 6) }
    if isNext("&#13;") { return (0x0D, 5) }
    return nil
  }
}
