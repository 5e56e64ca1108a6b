/// Writes a document as a binary property list (`bplist00`; the format is described in Apple's CFBinaryPList.c).
///
/// Objects are written as they come, each container after what it holds. The first object, at byte 8, is the checksum.
/// Keys and truth values are written once and shared; references are four bytes wide, whatever their number, so that no
/// second pass is needed.
struct BinaryWriter {
  /// Bytes before those that this writer makes: the magic, and the checksum object.
  static let prefixCount = 13

  private var bytes: [UInt8] = []
  private var offsets: [Int] = [8]
  private var keys: [ExactText: UInt32] = [:]
  private var booleans: [Bool: UInt32] = [:]
  private var members: [(key: UInt32, value: UInt32)] = []
  private var records: [UInt32] = []
  private var tableKey: UInt32 = 0

  init(schema: String, version: Int) {
    let header = [
      (key("checksum"), UInt32(0)),
      (key("schema"), write(item: Item(.string(schema)))),
      (key("version"), write(item: Item(.of(version)))),
    ]
    let headerKey = key("snapshot")
    members = [(headerKey, dictionary(header))]
  }

  mutating func beginTable(_ name: String) {
    tableKey = key(name)
    records = []
  }

  mutating func write(_ record: Item) { records.append(write(item: record)) }

  mutating func endTable() { members.append((tableKey, array(records))) }

  mutating func finish() -> [UInt8] {
    let top = dictionary(members)
    let table = bytes.count + Self.prefixCount
    let width = [1, 2, 4].first { table < 1 << (8 * $0) } ?? 8
    for offset in offsets { append(UInt64(offset), width: width) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(width), 4]
    append(UInt64(offsets.count), width: 8)
    append(UInt64(top), width: 8)
    append(UInt64(table), width: 8)
    return bytes
  }

  // MARK: Objects

  /// Writes a value and all that it holds, and returns its number.
  private mutating func write(item: Item) -> UInt32 {
    switch item.content {
    case .null: return string("$null")
    case .bool(let value):
      if let number = booleans[value] { return number }
      let number = begin(value ? 0x09 : 0x08)
      booleans[value] = number
      return number
    case .integer(let value): return integer(value)
    case .unsigned(let value):
      let number = begin(0x14)
      append(0, width: 8)
      append(value, width: 8)
      return number
    case .real(let value), .rounded(let value): return real(value, marker: 0x23)
    case .string(let text): return string(Representation.escapingNull(text))
    case .date(let seconds): return real(seconds, marker: TextDate.isInCalendar(seconds) ? 0x33 : 0x23)
    case .data(let data):
      let number = begin(0x40, count: data.count)
      bytes += data
      return number
    case .array(let items): return array(items.map { write(item: $0) })
    case .dictionary(let members): return dictionary(members.map { (key($0.key), write(item: $0.value)) })
    }
  }

  private mutating func key(_ text: String) -> UInt32 {
    if let number = keys[ExactText(text)] { return number }
    let number = string(text)
    keys[ExactText(text)] = number
    return number
  }

  /// Non-negative integers take one, two or four bytes, or eight with all others.
  private mutating func integer(_ value: Int64) -> UInt32 {
    let number: UInt32
    switch value {
    case 0...0xFF: number = begin(0x10)
    case 0...0xFFFF: number = begin(0x11)
    case 0...0xFFFF_FFFF: number = begin(0x12)
    default: number = begin(0x13)
    }
    append(UInt64(bitPattern: value), width: 1 << Int(bytes[bytes.count - 1] & 0x0F))
    return number
  }

  private mutating func real(_ value: Double, marker: UInt8) -> UInt32 {
    let number = begin(marker)
    append(value.bitPattern, width: 8)
    return number
  }

  private mutating func string(_ text: String) -> UInt32 {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      let number = begin(0x50, count: text.utf8.count)
      bytes.append(contentsOf: text.utf8)
      return number
    }
    let number = begin(0x60, count: text.utf16.count)
    for unit in text.utf16 { append(UInt64(unit), width: 2) }
    return number
  }

  private mutating func array(_ items: [UInt32]) -> UInt32 {
    let number = begin(0xA0, count: items.count)
    for item in items { append(UInt64(item), width: 4) }
    return number
  }

  private mutating func dictionary(_ members: [(key: UInt32, value: UInt32)]) -> UInt32 {
    let number = begin(0xD0, count: members.count)
    for member in members { append(UInt64(member.key), width: 4) }
    for member in members { append(UInt64(member.value), width: 4) }
    return number
  }

  // MARK: Bytes

  private mutating func begin(_ marker: UInt8) -> UInt32 {
    offsets.append(bytes.count + Self.prefixCount)
    bytes.append(marker)
    return UInt32(offsets.count - 1)
  }

  /// Counts from 15 on follow the marker as an integer.
  private mutating func begin(_ marker: UInt8, count: Int) -> UInt32 {
    if count < 15 { return begin(marker | UInt8(count)) }
    let number = begin(marker | 0x0F)
    let power = [0, 1, 2].first { count < 1 << (8 << $0) } ?? 3
    bytes.append(0x10 | UInt8(power))
    append(UInt64(count), width: 1 << power)
    return number
  }

  /// Appends the low bytes of a value, most significant first.
  private mutating func append(_ value: UInt64, width: Int) {
    for byte in (0..<width).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(byte)))) }
  }
}

/// Encodes the tables of a value as a binary list.
struct BinaryEncoding<Root: Model>: FieldVisitor {
  private let root: Root
  private var writer: BinaryWriter

  /// All bytes but the prefix that holds the checksum.
  static func body(of root: Root) throws(SnapshotError) -> [UInt8] {
    var encoding = BinaryEncoding(
      root: root, writer: BinaryWriter(schema: Root.schema.name, version: Root.schema.version))
    try Root.schema.visit(&encoding)
    return encoding.writer.finish()
  }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) throws(SnapshotError) {
    writer.beginTable(name)
    for (index, record) in root[keyPath: table].enumerated() {
      do {
        writer.write(try ItemEncoder.item(forRecord: record))
      } catch {
        throw SnapshotError.encoding(error, at: "\(name)[\(index)]")
      }
    }
    writer.endTable()
  }
}
