/// Writes a document as a binary property list (`bplist00`). Apple's CFBinaryPList.c describes the format.
///
/// Each container is written after its elements. The first object, at byte 8, is the checksum. Keys and truth values
/// are written once and shared. References are always four bytes wide, so no second pass is needed.
struct BinaryWriter: ~Copyable {
  /// The number of bytes before the first byte of this writer: the magic and the checksum object.
  static let prefixCount = 13

  /// The finished pieces.
  private var bytes = PiecedBytes()
  private var checksum = Checksum()
  /// The offsets of the objects, relative to the base offset of their pieces.
  private var offsets: [(base: Int, offsets: [Int])] = [(0, [8])]
  /// The piece that is being written.
  private var sink = ByteSink()
  private(set) var objects = BinaryObjectList(next: 1, shared: BinarySharedObjects())

  private var keys: [UInt32] = []
  private var values: [UInt32] = []
  private var records: [UInt32] = []

  init(_ content: HeaderContent) {
    var headerKeys = [objects.write(key: "checksum", to: &sink)]
    var header: [UInt32] = [0]
    headerKeys.append(objects.write(key: "schema", to: &sink))
    header.append(objects.write(content.schema, to: &sink))
    headerKeys.append(objects.write(key: "version", to: &sink))
    header.append(objects.write(Int64(content.version), to: &sink))
    for member in content.more() {
      headerKeys.append(objects.write(key: member.key.text, to: &sink))
      header.append(objects.write(member.value, to: &sink))
    }
    keys = [objects.write(key: "snapshot", to: &sink)]
    values = [objects.write(keys: headerKeys, values: header, to: &sink)]
  }

  mutating func beginTable(_ name: String) {
    keys.append(objects.write(key: name, to: &sink))
    records = []
  }

  mutating func write(_ record: Item) { records.append(objects.write(record, to: &sink)) }

  /// Records that were written elsewhere, with the objects up to their end.
  struct Part {
    let block: ByteBlock
    let checksum: Checksum
    let objects: BinaryObjectList
    let records: [UInt32]
  }

  /// Appends records. Their object numbers must follow those of the records here.
  mutating func append(_ part: Part) {
    precondition(part.objects.next - UInt32(part.objects.offsets.count) == objects.next)
    finishPiece()
    offsets.append((bytes.count + Self.prefixCount, part.objects.offsets))
    bytes.append(part.block)
    checksum.append(part.checksum)
    records += part.records
    objects = part.objects.continued
  }

  mutating func endTable() { values.append(objects.write(array: records, to: &sink)) }

  /// Writes a single value.
  mutating func write(_ value: Item, as name: String) {
    keys.append(objects.write(key: name, to: &sink))
    values.append(objects.write(value, to: &sink))
  }

  /// All bytes except for the prefix with the checksum, and the checksum.
  mutating func finish() -> (bytes: PiecedBytes, checksum: UInt32) {
    let top = objects.write(keys: keys, values: values, to: &sink)
    let count = UInt64(objects.next)
    finishPiece()
    let table = bytes.count + Self.prefixCount
    let width = [1, 2, 4].first { table < 1 << (8 * $0) } ?? 8
    appendOffsets(width)
    sink.append(0, times: 6)
    sink.append(UInt8(width))
    sink.append(4)
    sink.append(bigEndian: count)
    sink.append(bigEndian: UInt64(top))
    sink.append(bigEndian: UInt64(table))
    finishPiece()
    return (bytes, checksum.value)
  }

  private mutating func appendOffsets(_ width: Int) {
    sink = ByteSink(capacity: width * offsets.reduce(0) { $0 + $1.offsets.count } + 32)
    for (base, offsets) in offsets {
      for offset in offsets {
        switch width {
        case 1: sink.append(UInt8(base + offset))
        case 2: sink.append(bigEndian: UInt16(base + offset))
        case 4: sink.append(bigEndian: UInt32(base + offset))
        default: sink.append(bigEndian: base + offset)
        }
      }
    }
  }

  /// Ends the current piece and begins another one.
  private mutating func finishPiece() {
    offsets.append((bytes.count + Self.prefixCount, objects.offsets))
    objects = objects.continued
    var sink = ByteSink()
    swap(&sink, &self.sink)
    checksum.append(Checksum(UnsafeRawBufferPointer(sink.bytes)))
    bytes.append(sink.finish())
  }
}
