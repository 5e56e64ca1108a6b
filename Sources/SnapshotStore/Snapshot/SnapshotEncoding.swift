/// A value on its way into a file: all bytes, in pieces, and what is known of the leaves of its tables.
struct SnapshotEncoding: Sendable {
  private(set) var bytes: PiecedBytes
  let checksum: UInt32
  /// The leaves that the file will hold, for the next time; none in a binary list, whose objects refer to each other.
  private(set) var leaves: EncodedLeaves

  /// Encodes a value.
  ///
  /// - Parameters:
  ///   - known: leaves in the file that is to be replaced: what the value still has of them is taken from there. Nil if
  ///     nobody will ask for leaves.
  ///   - unknown: what the file holds besides the value. Leaves that were written with other content are not taken.
  ///   - threads: the most that may encode at once.
  /// - Throws: `unencodable` if a record cannot be encoded, or if a name would be in the file twice.
  init<Root: Model>(
    of root: Root, as format: FileFormat, known: EncodedLeaves? = nil, unknown: UnknownContent = UnknownContent(),
    threads: Int
  ) throws(SnapshotError) {
    try unknown.requireWritable(as: format, beside: Root.schema.fields.map(\.name))
    let none = EncodedLeaves(format: format, unknown: unknown)
    guard let writer = format.textWriter else {
      let body = try BinaryEncoding.body(of: root, unknown, threads: threads)
      leaves = none
      checksum = body.checksum
      bytes = PiecedBytes(format.prefix(checksum: checksum))
      bytes.append(body.bytes)
      return
    }
    let reusable = known.map { $0.canBeUsed(for: none) ? $0 : none }
    var encoding = TextEncoding(
      of: root, writer: writer, known: reusable, unknown: unknown, leaves: none, threads: threads)
    try Root.schema.visit(&encoding)
    for table in unknown.tables { encoding.append(table) }
    for value in unknown.values { encoding.append(value.item, as: value.name) }
    encoding.frame { $0.end(&$1) }
    checksum = encoding.checksum.value
    bytes = PiecedBytes(format.prefix(checksum: checksum))
    leaves = encoding.leaves.moved(by: bytes.count)
    bytes.append(encoding.bytes)
    assert(
      isSameAsFull(root, format, unknown, threads),
      "the bytes are not those of a full save: encode(to:) of a record must give the same each time; if it does, report this"
    )
  }

  /// Whether a value has these bytes when all of it is encoded, for debug builds. Not looked at if nothing was taken from the old file, and
  /// of large files only one in 64, by their checksum.
  private func isSameAsFull(
    _ root: some Model, _ format: FileFormat, _ unknown: UnknownContent, _ threads: Int
  ) -> Bool {
    guard bytes.hasOldPieces, bytes.count <= Self.alwaysCheckedSize || checksum % 64 == 0,
      let full = try? SnapshotEncoding(of: root, as: format, unknown: unknown, threads: threads)
    else { return true }
    return full.checksum == checksum && full.bytes.array().map(bytes.isEqual) == true
  }

  /// The size in bytes up to which debug builds compare each save with a full one: some milliseconds of work.
  private static var alwaysCheckedSize: Int { 1 << 17 }
}

/// Encodes the tables of a value as text, leaf by leaf.
private struct TextEncoding<Root: Model>: FieldVisitor {
  let root: Root
  let writer: any TextWriter.Type
  let known: EncodedLeaves?
  let unknown: UnknownContent
  let threads: Int
  private(set) var bytes = PiecedBytes()
  private(set) var checksum = Checksum()
  private(set) var leaves: EncodedLeaves

  init(
    of root: Root, writer: any TextWriter.Type, known: EncodedLeaves?, unknown: UnknownContent, leaves: EncodedLeaves,
    threads: Int
  ) {
    self.root = root
    self.writer = writer
    self.known = known
    self.unknown = unknown
    self.leaves = leaves
    self.threads = threads
    frame { $0.begin(schema: Root.schema.name, version: Root.schema.version, &$1) }
  }

  /// Appends something that belongs to no record.
  mutating func frame(_ write: (any TextWriter.Type, inout ByteSink) -> Void) {
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
    // The table holds the nodes, and nothing changes a node that is held; so all threads may read them.
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
    append(try SingleValueCoding.item(of: root[keyPath: value], name, unknown), as: name)
  }

  mutating func append(_ value: Item, as name: String) {
    frame { $0.append(value: value, as: name, &$1) }
  }

  /// Appends an array that the schema does not know: a table, or a single value. An empty one must not go for lack of a line.
  mutating func append(_ table: UntypedTable) {
    if writer.tellsSingleValues, table.isSingleValue || table.items.isEmpty {
      return append(Item(.array(table.items)), as: table.name)
    }
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
