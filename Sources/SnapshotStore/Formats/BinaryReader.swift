/// Reads a binary property list: a dictionary of the header and of arrays of records.
struct BinaryReader: DocumentReader {
  let source: SourceText
  let limits: ReadLimits
  private let layout: BinaryLayout

  init(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) {
    self.source = source
    self.limits = limits
    layout = try BinaryLayout(source)
  }

  func header() throws(SnapshotError) -> Item? {
    var objects = BinaryObjects(source: source, layout: layout, limits: limits)
    for (key, value, _) in try objects.members(of: layout.top) where key == "snapshot" {
      return try objects.item(value, depth: 2)
    }
    return nil
  }

  func readTables(_ visitor: inout some DocumentVisitor) throws(SnapshotError) {
    var objects = BinaryObjects(source: source, layout: layout, limits: limits)
    for (key, value, keyOffset) in try objects.members(of: layout.top) where key != "snapshot" {
      try visitor.beginTable(key, offset: keyOffset)
      guard let records = try objects.elements(of: value) else {
        throw SnapshotError(
          .invalidValue, "expected an array of records", position: source.position(try layout.offset(of: value)),
          dataPath: key.escapedForMessage(limit: 60))
      }
      for record in records { try visitor.record(try objects.item(record, depth: 3)) }
    }
  }
}

/// Where things are in a binary property list, from the 32 bytes at its end.
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
      SnapshotError(.malformed, message, position: FilePosition(offset: max(0, bytes.count - 32)))
    }
    guard bytes.starts(with: "bplist00".utf8) else {
      throw SnapshotError(.unknownFormat, "not a binary property list of version 00", position: FilePosition(offset: 0))
    }
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

  /// The place of an object's marker.
  func offset(of object: Int) throws(SnapshotError) -> Int {
    let entry = offsetTable + object * offsetWidth
    let offset = Self.integer(source.bytes, at: entry, width: offsetWidth)
    guard offset >= 8, offset < UInt64(offsetTable) else {
      throw SnapshotError(.malformed, "an object lies outside of the file", position: FilePosition(offset: entry))
    }
    return Int(offset)
  }

  static func integer(_ bytes: [UInt8], at offset: Int, width: Int) -> UInt64 {
    bytes[offset..<offset + width].reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// The objects of a binary property list.
///
/// A list may use one object in several places. Long texts and data are kept and shared; a container that holds itself is
/// refused, and the values made are counted, so that a small file cannot unfold without end.
struct BinaryObjects {
  let source: SourceText
  let layout: BinaryLayout
  let limits: ReadLimits
  private var open: [Int] = []
  private var kept: [Int: Item.Content] = [:]
  private var budget: Int
  private var bytes: [UInt8] { source.bytes }

  init(source: SourceText, layout: BinaryLayout, limits: ReadLimits) {
    self.source = source
    self.layout = layout
    self.limits = limits
    budget = max(source.bytes.count, 1_000_000)
  }

  /// The value of an object. `depth` is how deep in the document it stands, the top being 1.
  mutating func item(_ object: Int, depth: Int) throws(SnapshotError) -> Item {
    let offset = try layout.offset(of: object)
    budget -= 1
    if budget < 0 {
      throw failure("the list unfolds into more values than its size allows", offset, .limitExceeded)
    }
    if let content = kept[object] { return Item(content, offset: offset) }
    switch bytes[offset] & 0xF0 {
    case 0xA0, 0xD0:
      if open.contains(object) { throw failure("a container holds itself", offset) }
      if depth > limits.depth { throw failure("nested deeper than \(limits.depth) levels", offset, .limitExceeded) }
      open.append(object)
      let content = try container(object, depth: depth)
      open.removeLast()
      return Item(content, offset: offset)
    default:
      let content = try scalar(at: offset)
      if let length = content.length, length > 64 { kept[object] = content }
      return Item(content, offset: offset)
    }
  }

  private mutating func container(_ object: Int, depth: Int) throws(SnapshotError) -> Item.Content {
    var items: [Item] = []
    if let elements = try elements(of: object) {
      for element in elements { items.append(try item(element, depth: depth + 1)) }
      return .array(items)
    }
    var members: [Item.Member] = []
    for (key, value, offset) in try self.members(of: object) {
      members.append(Item.Member(key: key, value: try item(value, depth: depth + 1), keyOffset: offset))
    }
    return .dictionary(members)
  }

  /// The objects of an array; nil if the object is not one.
  func elements(of array: Int) throws(SnapshotError) -> [Int]? {
    let offset = try layout.offset(of: array)
    guard bytes[offset] & 0xF0 == 0xA0 else { return nil }
    return try references(at: offset, perElement: 1)
  }

  /// The keys, value objects and key offsets of a dictionary.
  mutating func members(of dictionary: Int) throws(SnapshotError) -> [(key: String, value: Int, keyOffset: Int)] {
    let offset = try layout.offset(of: dictionary)
    guard bytes[offset] & 0xF0 == 0xD0 else { throw failure("expected a dictionary", offset, .wrongSchema) }
    let references = try references(at: offset, perElement: 2)
    let count = references.count / 2
    var result: [(key: String, value: Int, keyOffset: Int)] = []
    for index in 0..<count {
      let keyOffset = try layout.offset(of: references[index])
      guard [0x50, 0x60].contains(bytes[keyOffset] & 0xF0), case .string(let key) = try text(at: keyOffset) else {
        throw failure("a key is not text", keyOffset)
      }
      result.append((key, references[count + index], keyOffset))
    }
    let keys = result.map { Item.Member(key: $0.key, value: Item(.null), keyOffset: $0.keyOffset) }
    if let member = Item.duplicateKey(in: keys) {
      throw failure("the key \(member.key.quotedForMessage()) occurs twice", member.keyOffset, .duplicate)
    }
    return result
  }

  func failure(_ message: String, _ offset: Int, _ code: SnapshotError.Code = .malformed) -> SnapshotError {
    SnapshotError(code, message, position: source.position(offset))
  }

  private func references(at offset: Int, perElement: Int) throws(SnapshotError) -> [Int] {
    let width = layout.referenceWidth
    let (count, start) = try extent(at: offset, elementWidth: width * perElement)
    var references: [Int] = []
    references.reserveCapacity(count * perElement)
    for index in 0..<count * perElement {
      let reference = BinaryLayout.integer(bytes, at: start + index * width, width: width)
      guard reference < UInt64(layout.objectCount) else {
        throw failure("a reference to an object that does not exist", start + index * width)
      }
      references.append(Int(reference))
    }
    return references
  }
}

// MARK: - Scalars

extension BinaryObjects {
  /// The count in or after a marker, and where the elements start; the elements are known to be inside of the file.
  private func extent(at offset: Int, elementWidth: Int) throws(SnapshotError) -> (count: Int, start: Int) {
    var count = UInt64(bytes[offset] & 0x0F)
    var start = offset + 1
    if count == 15 {
      let width = 1 << Int(bytes[start] & 0x0F)
      guard bytes[start] & 0xF0 == 0x10, width <= 8, start + 1 + width <= layout.offsetTable else {
        throw failure("a count is damaged", start)
      }
      count = BinaryLayout.integer(bytes, at: start + 1, width: width)
      start += 1 + width
    }
    guard start <= layout.offsetTable, count <= UInt64((layout.offsetTable - start) / elementWidth) else {
      throw failure("an object reaches beyond the end of the file", offset)
    }
    return (Int(count), start)
  }

  private func scalar(at offset: Int) throws(SnapshotError) -> Item.Content {
    switch bytes[offset] {
    case 0x00: return .null
    case 0x08: return .bool(false)
    case 0x09: return .bool(true)
    case 0x10...0x14: return try integer(at: offset)
    case 0x22: return .real(Double(Float(bitPattern: UInt32(try fixed(at: offset, width: 4)))))
    case 0x23: return .real(Double(bitPattern: try fixed(at: offset, width: 8)))
    case 0x33: return .date(Double(bitPattern: try fixed(at: offset, width: 8)))
    case 0x40...0x4F:
      let (count, start) = try extent(at: offset, elementWidth: 1)
      return .data(Array(bytes[start..<start + count]))
    case 0x50...0x6F:
      guard case .string(let text) = try text(at: offset) else { break }
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

  /// One, two and four bytes are unsigned, eight are signed, sixteen hold what eight cannot.
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

  /// ASCII or UTF-16.
  private func text(at offset: Int) throws(SnapshotError) -> Item.Content {
    if bytes[offset] & 0xF0 == 0x50 {
      let (count, start) = try extent(at: offset, elementWidth: 1)
      guard bytes[start..<start + count].allSatisfy({ $0 < 0x80 }) else {
        throw failure("an ASCII text holds other bytes", offset)
      }
      return .string(String(decoding: bytes[start..<start + count], as: UTF8.self))
    }
    let (count, start) = try extent(at: offset, elementWidth: 2)
    let units = (0..<count).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw failure("a text holds half of a surrogate pair, which is no character", offset)
    }
    return .string(text)
  }
}

extension Item.Content {
  /// How long a text or data is, in bytes.
  fileprivate var length: Int? {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let bytes): bytes.count
    default: nil
    }
  }
}
