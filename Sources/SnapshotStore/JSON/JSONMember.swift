/// Finds a member in the text of an object, without reading the others.
enum JSONMember {
  /// The place of the value under a key; nil if the object does not have the key. O(bytes before the value).
  ///
  /// - Parameters:
  ///   - key: the key with its quotation marks and escapes, as `JSONText` writes it.
  ///   - object: the text of an object, as `JSONText` writes it. Any other value has no members.
  static func value(under key: [UInt8], in object: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    guard object.first == UInt8(ascii: "{"), let base = object.baseAddress else { return nil }
    var offset = 1
    while offset < object.count, object[offset] == UInt8(ascii: "\"") {
      guard let end = endOfString(object, from: offset) else { return nil }
      let isMeant = key.withUnsafeBufferPointer { key in
        key.count == end - offset && key.baseAddress.map { ByteText.equal($0, base + offset, key.count) } == true
      }
      let start = end + 1
      guard let valueEnd = endOfValue(object, from: start) else { return nil }
      if isMeant { return start..<valueEnd }
      offset = valueEnd + 1
    }
    return nil
  }

  /// The offset behind the string that begins at an offset.
  private static func endOfString(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    ByteText.endOfJSONString(bytes, from: start + 1).end.map { $0 + 1 }
  }

  /// The offset behind the value that begins at an offset: of the comma or bracket that follows it.
  private static func endOfValue(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var offset = start
    var depth = 0
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        guard let end = endOfString(bytes, from: offset) else { return nil }
        offset = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return offset }
        depth -= 1
      case UInt8(ascii: ","): if depth == 0 { return offset }
      default: break
      }
      offset += 1
    }
    return nil
  }
}
