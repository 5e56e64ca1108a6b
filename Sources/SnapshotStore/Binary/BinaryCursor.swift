/// A position for direct reading of records in a binary list.
struct BinaryCursor {
  var place: ByteCursor
  var position: BinaryPosition
}

/// Properties in a binary list, in the order in which `BinaryWriter` writes them.
extension BinaryPosition {
  func bool(at offset: Int, _ place: ByteCursor) throws(NeedsFallback) -> Bool {
    switch place.bytes[offset] {
    case 0x08: return false
    case 0x09: return true
    default: throw NeedsFallback()
    }
  }

  mutating func integer(at offset: Int, _ place: ByteCursor) throws(NeedsFallback) -> Int64 {
    guard (0x10...0x13).contains(place.bytes[offset]) else { throw NeedsFallback() }
    // An integer of eight bytes is signed.
    return Int64(bitPattern: try fixed(offset, width: 1 << Int(place.bytes[offset] & 0x0F), place))
  }

  mutating func number(at offset: Int, marker: UInt8, _ place: ByteCursor) throws(NeedsFallback) -> Double {
    guard place.bytes[offset] == marker else { throw NeedsFallback() }
    return Double(bitPattern: try fixed(offset, width: 8, place))
  }

  mutating func texts(at offset: Int, _ place: ByteCursor) throws(NeedsFallback) -> [String] {
    let width = referenceWidth
    guard place.bytes[offset] & 0xF0 == 0xA0,
      let (count, start) = extent(at: offset, elementWidth: width, in: place.bytes),
      count <= place.elementCount
    else { throw NeedsFallback() }
    var texts: [String] = []
    for index in 0..<count {
      guard let object = reference(place.bytes, at: start + index * width),
        let element = self.offset(of: object, in: place.bytes)
      else { throw NeedsFallback() }
      cost += 1
      texts.append(try text(at: element, place))
    }
    try pass(offset, start + count * width)
    return texts
  }

  mutating func text(at offset: Int, _ place: ByteCursor) throws(NeedsFallback) -> String {
    let marker = place.bytes[offset] & 0xF0
    let width = marker == 0x50 ? 1 : 2
    guard marker == 0x50 || marker == 0x60,
      let (count, start) = extent(at: offset, elementWidth: width, in: place.bytes)
    else { throw NeedsFallback() }
    try pass(offset, start + count * width)
    let content = UnsafeBufferPointer(rebasing: place.bytes[start..<start + count * width])
    guard marker == 0x50 else {
      guard var text = UTF16Text.text(of: UnsafeRawBufferPointer(content)), !text.withUTF8(ByteText.isNullLike),
        text.utf8.count <= place.textSize
      else { throw NeedsFallback() }
      return charging(text)
    }
    guard count <= place.textSize, ByteText.isASCII(content), !ByteText.isNullLike(content) else {
      throw NeedsFallback()
    }
    return charging(String(decoding: content, as: UTF8.self))
  }

  /// Charges the cost of a text beyond its object, as `BinaryObjects` does.
  private mutating func charging(_ text: String) -> String {
    let length = text.utf8.count
    if length > 64 { cost += length / 64 }
    return text
  }

  /// The bytes after an object's marker, as a number.
  private mutating func fixed(_ offset: Int, width: Int, _ place: ByteCursor) throws(NeedsFallback) -> UInt64 {
    try pass(offset, offset + 1 + width)
    return BinaryPosition.integer(place.bytes, at: offset + 1, width: width)
  }

  /// Moves to the end of an object. The object must lie behind the last one and before the record.
  private mutating func pass(_ offset: Int, _ end: Int) throws(NeedsFallback) {
    guard offset >= self.end, end <= record else { throw NeedsFallback() }
    self.end = end
  }
}
