/// Properties in a binary list, in the order in which `BinaryWriter` writes them; see ``BinaryPosition``.
extension RecordReader {
  /// A reader of the records of a table from an index to another.
  init(_ position: BinaryPosition, _ bytes: UnsafeBufferPointer<UInt8>, index: Int, limit: Int) {
    self.init(.binary, bytes, offset: index, limit: limit, isAtRecord: true)
    binary = position
  }

  /// The place of the value of the next member, which must have a key.
  mutating func binaryValue(_ key: StaticString) throws(RecordMismatch) -> Int {
    guard binary.isNext(key, in: bytes), let offset = binary.value(in: bytes) else { throw RecordMismatch() }
    return offset
  }

  mutating func binaryBool(_ key: StaticString) throws(RecordMismatch) -> Bool {
    switch bytes[try binaryValue(key)] {
    case 0x08: return false
    case 0x09: return true
    default: throw RecordMismatch()
    }
  }

  mutating func binaryInteger(_ key: StaticString) throws(RecordMismatch) -> Int64 {
    let offset = try binaryValue(key)
    guard (0x10...0x13).contains(bytes[offset]) else { throw RecordMismatch() }
    // What has eight bytes is signed.
    return Int64(bitPattern: try binaryFixed(offset, width: 1 << Int(bytes[offset] & 0x0F)))
  }

  mutating func binaryNumber(_ key: StaticString, marker: UInt8) throws(RecordMismatch) -> Double {
    let offset = try binaryValue(key)
    guard bytes[offset] == marker else { throw RecordMismatch() }
    return Double(bitPattern: try binaryFixed(offset, width: 8))
  }

  mutating func binaryText(_ key: StaticString) throws(RecordMismatch) -> String {
    try binaryText(at: try binaryValue(key))
  }

  mutating func binaryTexts(_ key: StaticString) throws(RecordMismatch) -> [String] {
    let offset = try binaryValue(key)
    let width = binary.referenceWidth
    guard bytes[offset] & 0xF0 == 0xA0, let (count, start) = binary.extent(at: offset, elementWidth: width, in: bytes),
      count <= elementCount
    else { throw RecordMismatch() }
    var texts: [String] = []
    for index in 0..<count {
      guard let object = binary.reference(bytes, at: start + index * width),
        let element = binary.offset(of: object, in: bytes)
      else { throw RecordMismatch() }
      binary.cost += 1
      texts.append(try binaryText(at: element))
    }
    try binaryPass(offset, start + count * width)
    return texts
  }

  private mutating func binaryText(at offset: Int) throws(RecordMismatch) -> String {
    let marker = bytes[offset] & 0xF0
    let width = marker == 0x50 ? 1 : 2
    guard marker == 0x50 || marker == 0x60,
      let (count, start) = binary.extent(at: offset, elementWidth: width, in: bytes)
    else { throw RecordMismatch() }
    try binaryPass(offset, start + count * width)
    let content = UnsafeBufferPointer(rebasing: bytes[start..<start + count * width])
    guard marker == 0x50 else {
      guard var text = UTF16Text.text(of: UnsafeRawBufferPointer(content)), !text.withUTF8(ByteText.isNullLike),
        text.utf8.count <= textSize
      else { throw RecordMismatch() }
      return charging(text)
    }
    guard count <= textSize, UTF16Text.isASCII(content), !ByteText.isNullLike(content) else { throw RecordMismatch() }
    return charging(String(decoding: content, as: UTF8.self))
  }

  /// What a text costs beyond its being there, as `BinaryObjects` counts it.
  private mutating func charging(_ text: String) -> String {
    let length = text.utf8.count
    if length > 64 { binary.cost += length / 64 }
    return text
  }

  /// The bytes after the marker of an object as a number.
  private mutating func binaryFixed(_ offset: Int, width: Int) throws(RecordMismatch) -> UInt64 {
    try binaryPass(offset, offset + 1 + width)
    return BinaryPosition.integer(bytes, at: offset + 1, width: width)
  }

  /// Goes on to the end of an object, which must lie behind the last one and before the record.
  private mutating func binaryPass(_ offset: Int, _ end: Int) throws(RecordMismatch) {
    guard offset >= binary.end, end <= binary.record else { throw RecordMismatch() }
    binary.end = end
  }
}
