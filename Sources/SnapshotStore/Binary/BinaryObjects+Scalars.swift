/// Numbers, dates, data and texts of a binary property list.
extension BinaryObjects {
  /// The count in or after a marker, and the start of the elements. The elements are checked to be inside the file.
  func extent(at offset: Int, elementWidth: Int) throws(SnapshotError) -> (count: Int, start: Int) {
    do throws(BinaryExtentFailure) {
      return try BinaryLayout.extent(bytes, at: offset, elementWidth: elementWidth, end: layout.offsetTable)
    } catch {
      switch error {
      case .count(let start): throw failure("a count is damaged", start)
      case .elements: throw failure("an object reaches beyond the end of the file", offset)
      }
    }
  }

  func scalar(at offset: Int) throws(SnapshotError) -> Item.Content {
    switch bytes[offset] {
    case 0x00: return .null
    case 0x08: return .bool(false)
    case 0x09: return .bool(true)
    case 0x10...0x14: return try integer(at: offset)
    case 0x22: return .real(FloatBits.double(Float(bitPattern: UInt32(try fixed(at: offset, width: 4)))))
    case 0x23: return .real(Double(bitPattern: try fixed(at: offset, width: 8)))
    case 0x33: return .date(Double(bitPattern: try fixed(at: offset, width: 8)))
    case 0x40...0x4F:
      let (count, start) = try extent(at: offset, elementWidth: 1)
      if count > limits.textSize { throw failure(limits.textMessage("data"), offset, .limitExceeded) }
      return .data(Array(bytes[start..<start + count]))
    case 0x50...0x6F:
      guard case .string(let text) = try text(at: offset) else { break }
      // A text that is UTF-16 is only text.
      if bytes[offset] < 0x60, let content = StandIn.content(of: text, among: BinaryFormat.standIns) { return content }
      return Representation.unescapingNull(text)
    default: break
    }
    throw failure("an object of unknown type", offset)
  }

  /// The bytes after a marker as a number.
  private func fixed(at offset: Int, width: Int) throws(SnapshotError) -> UInt64 {
    guard offset + 1 + width <= layout.offsetTable else {
      throw failure("an object reaches beyond the end of the file", offset)
    }
    return BinaryLayout.integer(bytes, at: offset + 1, width: width)
  }

  /// One, two and four bytes are unsigned, and eight are signed. Sixteen hold an integer that is too large for eight.
  private func integer(at offset: Int) throws(SnapshotError) -> Item.Content {
    let width = 1 << Int(bytes[offset] & 0x0F)
    guard width == 16 else {
      let value = try fixed(at: offset, width: width)
      return width == 8 ? .integer(Int64(bitPattern: value)) : .of(value)
    }
    let high = try fixed(at: offset, width: 8)
    let low = try fixed(at: offset + 8, width: 8)
    if high == 0 { return .of(low) }
    if high == .max, Int64(bitPattern: low) < 0 { return .integer(Int64(bitPattern: low)) }
    throw failure("the integer is out of range", offset, .invalidValue)
  }

  /// A text in ASCII or UTF-16.
  func text(at offset: Int) throws(SnapshotError) -> Item.Content {
    let content = try anyText(at: offset)
    if let length = content.length, length > limits.textSize {
      throw failure(limits.textMessage(), offset, .limitExceeded)
    }
    return content
  }

  private func anyText(at offset: Int) throws(SnapshotError) -> Item.Content {
    if bytes[offset] & 0xF0 == 0x50 {
      let (count, start) = try extent(at: offset, elementWidth: 1)
      let text: String? = bytes[start..<start + count].withUnsafeBufferPointer { content in
        ByteText.isASCII(content) ? String(decoding: content, as: UTF8.self) : nil
      }
      guard let text else { throw failure("an ASCII text holds other bytes", offset) }
      return .string(text)
    }
    let (count, start) = try extent(at: offset, elementWidth: 2)
    guard let text = bytes[start..<start + 2 * count].withUnsafeBytes({ UTF16Text.text(of: $0) }) else {
      throw failure("a text holds half of a surrogate pair, which is no character", offset)
    }
    return .string(text)
  }
}

extension Item.Content {
  /// The length of a text or data, in bytes.
  var length: Int? {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let bytes): bytes.count
    default: nil
    }
  }
}
