/// The layout of a binary property list, from the 32 bytes at its end.
struct BinaryLayout {
  let source: SourceText
  let objectCount: Int
  let top: Int
  let offsetTable: Int
  let offsetWidth: Int
  let referenceWidth: Int

  init(_ source: SourceText) throws(SnapshotError) {
    let bytes = source.bytes
    func failure(_ message: String) -> SnapshotError {
      SnapshotError(.malformed, message, position: SnapshotError.Position(offset: max(0, bytes.count - 32)))
    }
    guard bytes.starts(with: "bplist00".utf8) else {
      throw SnapshotError(
        .unknownFormat, "not a binary property list of version 00", position: SnapshotError.Position(offset: 0))
    }
    // At least the magic number, one object, its offset and the trailer.
    guard bytes.count >= 8 + 1 + 1 + 32 else { throw failure("the binary property list is cut off") }
    let trailer = bytes.count - 32
    self.source = source
    offsetWidth = Int(bytes[trailer + 6])
    referenceWidth = Int(bytes[trailer + 7])
    let count = Self.integer(bytes, at: trailer + 8, width: 8)
    let top = Self.integer(bytes, at: trailer + 16, width: 8)
    let table = Self.integer(bytes, at: trailer + 24, width: 8)
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth), count >= 1, count <= UInt64(trailer),
      top < count, table >= 9, table <= UInt64(trailer), UInt64(trailer) - table == count * UInt64(offsetWidth)
    else { throw failure("the end of the binary property list is damaged or cut off") }
    objectCount = Int(count)
    self.top = Int(top)
    offsetTable = Int(table)
  }

  /// The offset of an object's marker. The caller has checked that the object is below `objectCount`.
  func offset(of object: Int) throws(SnapshotError) -> Int {
    let entry = offsetTable + object * offsetWidth
    let offset = Self.integer(source.bytes, at: entry, width: offsetWidth)
    guard offset >= 8, offset < UInt64(offsetTable) else {
      throw SnapshotError(
        .malformed, "an object lies outside of the file", position: SnapshotError.Position(offset: entry))
    }
    return Int(offset)
  }

  /// The count in or after a marker, and the start of the elements. The elements are checked to lie before `end`.
  @inline(__always)
  static func extent<Bytes: RandomAccessCollection<UInt8>>(
    _ bytes: Bytes, at offset: Int, elementWidth: Int, end: Int
  ) throws(BinaryExtentFailure) -> (count: Int, start: Int) where Bytes.Index == Int {
    var count = UInt64(bytes[offset] & 0x0F)
    var start = offset + 1
    if count == 15 {
      guard start < end else { throw .count(start) }
      let width = 1 << Int(bytes[start] & 0x0F)
      guard bytes[start] & 0xF0 == 0x10, width <= 8, start + 1 + width <= end else { throw .count(start) }
      count = integer(bytes, at: start + 1, width: width)
      start += 1 + width
    }
    guard start <= end, count <= UInt64((end - start) / elementWidth) else { throw .elements }
    return (Int(count), start)
  }

  /// The bytes from an offset on as a number, most significant byte first. The caller has checked that they are in the
  /// file.
  @inline(__always)
  static func integer<Bytes: RandomAccessCollection<UInt8>>(
    _ bytes: Bytes, at offset: Int, width: Int
  ) -> UInt64 where Bytes.Index == Int {
    var value: UInt64 = 0
    for index in offset..<offset + width { value = value << 8 | UInt64(bytes[index]) }
    return value
  }
}

/// The reason why the elements of an object could not be located.
enum BinaryExtentFailure: Error {
  /// The count at an offset is damaged.
  case count(Int)
  /// The elements reach beyond the end.
  case elements
}
