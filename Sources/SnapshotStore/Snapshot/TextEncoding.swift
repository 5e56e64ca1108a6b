/// Encodes the tables of a value as text, leaf by leaf.
struct TextEncoding<Root: Model>: FieldVisitor {
  let root: Root
  let writer: any TextWriter.Type
  let known: EncodedLeaves?
  let unknown: UnknownContent
  let threads: Int
  private let values: EncodedValues<Root>
  private var bytes = PiecedBytes()
  private var checksum = Checksum()
  private var leaves: EncodedLeaves

  /// All bytes except for the prefix with the checksum.
  static func body(
    of content: EncodedContent<Root>, writer: any TextWriter.Type
  ) throws(SnapshotError) -> EncodedBody {
    var encoding = try TextEncoding(of: content, writer: writer)
    try Root.schema.visit(&encoding)
    for member in content.unknown.members {
      switch member {
      case .table(let table): encoding.append(table)
      case .value(let name, let item): encoding.append(item, as: name)
      }
    }
    encoding.frame { $0.end(&$1) }
    return EncodedBody(bytes: encoding.bytes, checksum: encoding.checksum.value, leaves: encoding.leaves)
  }

  private init(of content: EncodedContent<Root>, writer: any TextWriter.Type) throws(SnapshotError) {
    root = content.root
    self.writer = writer
    known = content.known
    unknown = content.unknown
    leaves = content.leaves
    threads = content.threads
    values = try EncodedValues(of: root, unknown)
    let header = values.header
    frame { $0.begin(header, &$1) }
  }

  /// Appends text outside records.
  private mutating func frame(_ write: (any TextWriter.Type, inout ByteSink) -> Void) {
    var sink = ByteSink(capacity: 256)
    write(writer, &sink)
    checksum.append(Checksum(UnsafeRawBufferPointer(sink.bytes)))
    bytes.append(sink.finish())
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) throws(SnapshotError) {
    let table = root[keyPath: path]
    let encoder = LeafEncoder<Value>(
      writer: writer, table: name, describesLeaves: known != nil, unknown: unknown.members(in: name, of: Value.self))
    frame { $0.beginTable(name, isEmpty: table.isEmpty, &$1) }
    let steps = encoder.steps(for: table, known: known?.leaves(of: name) ?? [:])
    // The table holds its nodes, and a held node never changes. So all threads may read them.
    let results = Parallel.map(steps.count, threads: threads) { encoder.perform(steps[$0]) }
    for result in results {
      switch result {
      case .success(let part): append(part, of: name)
      case .failure(let error): throw error
      }
    }
    frame { $0.endTable(isEmpty: table.isEmpty, &$1) }
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) throws(SnapshotError) {
    for member in values[name] { append(member.value, as: member.key.text) }
  }

  private mutating func append(_ value: Item, as name: String) {
    frame { $0.append(value: value, as: name, &$1) }
  }

  /// Appends an array that the schema does not know: a table or a single value.
  private mutating func append(_ table: UntypedTable) {
    if table.isSingleValue { return append(Item(.array(table.items)), as: table.name) }
    frame { writer, sink in
      writer.beginTable(table.name, isEmpty: table.items.isEmpty, &sink)
      for item in table.items { writer.append(item, of: table.name, &sink) }
      if !table.items.isEmpty { writer.endRecords(&sink) }
      writer.endTable(isEmpty: table.items.isEmpty, &sink)
    }
  }

  private mutating func append(_ part: LeafEncoder<some Record>.Part, of table: String) {
    var offset = bytes.count
    for (id, leaf) in part.leaves {
      var moved = leaf
      moved.stretch = PiecedBytes.Stretch(offset: offset, count: leaf.stretch.count, digest: leaf.stretch.digest)
      leaves.add(moved, id, of: table)
      offset += leaf.stretch.count
    }
    checksum.append(part.checksum)
    if let block = part.block {
      bytes.append(block)
    } else {
      for (_, leaf) in part.leaves { bytes.append(leaf.stretch) }
    }
  }
}
