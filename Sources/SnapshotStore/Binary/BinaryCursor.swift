/// Where records are read directly in a binary list.
struct BinaryCursor {
  var place: ByteCursor
  var position: BinaryPosition
}

/// Properties in a binary list, in the order in which `BinaryWriter` writes them.
extension BinaryPosition {
  /// The place of the value of the next member, which must have a key.
  mutating func value(_ key: StaticString, _ place: ByteCursor) throws(RecordMismatch) -> Int {
    guard isNext(key, in: place.bytes), let offset = value(in: place.bytes) else { throw RecordMismatch() }
    return offset
  }

  mutating func bool(_ key: StaticString, _ place: ByteCursor) throws(RecordMismatch) -> Bool {
    switch place.bytes[try value(key, place)] {
    case 0x08: return false
    case 0x09: return true
    default: throw RecordMismatch()
    }
  }

  mutating func integer(_ key: StaticString, _ place: ByteCursor) throws(RecordMismatch) -> Int64 {
    let offset = try value(key, place)
    guard (0x10...0x13).contains(place.bytes[offset]) else { throw RecordMismatch() }
    // What has eight bytes is signed.
    return Int64(bitPattern: try fixed(offset, width: 1 << Int(place.bytes[offset] & 0x0F), place))
  }

  mutating func number(_ key: StaticString, marker: UInt8, _ place: ByteCursor) throws(RecordMismatch) -> Double {
    let offset = try value(key, place)
    guard place.bytes[offset] == marker else { throw RecordMismatch() }
    return Double(bitPattern: try fixed(offset, width: 8, place))
  }

  mutating func text(_ key: StaticString, _ place: ByteCursor) throws(RecordMismatch) -> String {
    try text(at: try value(key, place), place)
  }

  mutating func texts(_ key: StaticString, _ place: ByteCursor) throws(RecordMismatch) -> [String] {
    let offset = try value(key, place)
    let width = referenceWidth
    guard place.bytes[offset] & 0xF0 == 0xA0,
      let (count, start) = extent(at: offset, elementWidth: width, in: place.bytes),
      count <= place.elementCount
    else { throw RecordMismatch() }
    var texts: [String] = []
    for index in 0..<count {
      guard let object = reference(place.bytes, at: start + index * width),
        let element = self.offset(of: object, in: place.bytes)
      else { throw RecordMismatch() }
      cost += 1
      texts.append(try text(at: element, place))
    }
    try pass(offset, start + count * width)
    return texts
  }

  private mutating func text(at offset: Int, _ place: ByteCursor) throws(RecordMismatch) -> String {
    let marker = place.bytes[offset] & 0xF0
    let width = marker == 0x50 ? 1 : 2
    guard marker == 0x50 || marker == 0x60,
      let (count, start) = extent(at: offset, elementWidth: width, in: place.bytes)
    else { throw RecordMismatch() }
    try pass(offset, start + count * width)
    let content = UnsafeBufferPointer(rebasing: place.bytes[start..<start + count * width])
    guard marker == 0x50 else {
      guard var text = UTF16Text.text(of: UnsafeRawBufferPointer(content)), !text.withUTF8(ByteText.isNullLike),
        text.utf8.count <= place.textSize
      else { throw RecordMismatch() }
      return charging(text)
    }
    guard count <= place.textSize, UTF16Text.isASCII(content), !ByteText.isNullLike(content) else {
      throw RecordMismatch()
    }
    return charging(String(decoding: content, as: UTF8.self))
  }

  /// What a text costs beyond its being there, as `BinaryObjects` counts it.
  private mutating func charging(_ text: String) -> String {
    let length = text.utf8.count
    if length > 64 { cost += length / 64 }
    return text
  }

  /// The bytes after the marker of an object as a number.
  private mutating func fixed(_ offset: Int, width: Int, _ place: ByteCursor) throws(RecordMismatch) -> UInt64 {
    try pass(offset, offset + 1 + width)
    return BinaryPosition.integer(place.bytes, at: offset + 1, width: width)
  }

  /// Goes on to the end of an object, which must lie behind the last one and before the record.
  private mutating func pass(_ offset: Int, _ end: Int) throws(RecordMismatch) {
    guard offset >= self.end, end <= record else { throw RecordMismatch() }
    self.end = end
  }
}
