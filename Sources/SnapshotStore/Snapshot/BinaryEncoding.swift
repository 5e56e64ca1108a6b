/// Encodes the tables of a value as a binary list.
///
/// Objects are numbered through the whole list. Records that write themselves are counted first, which gives the first
/// number of each part. Then the parts are written. Both steps use several threads.
final class BinaryEncoding<Root: Model>: FieldVisitor {
  private let root: Root
  private let unknown: UnknownContent
  private let threads: Int
  private let values: EncodedValues<Root>
  private var writer: BinaryWriter

  private init(of root: Root, _ unknown: UnknownContent, threads: Int) throws(SnapshotError) {
    self.root = root
    self.unknown = unknown
    self.threads = threads
    values = try EncodedValues(of: root, unknown)
    writer = BinaryWriter(values.header)
  }

  /// All bytes except for the prefix with the checksum, and the checksum.
  static func body(
    of root: Root, _ unknown: UnknownContent, threads: Int
  ) throws(SnapshotError) -> (bytes: PiecedBytes, checksum: UInt32) {
    var encoding = try BinaryEncoding(of: root, unknown, threads: threads)
    try Root.schema.visit(&encoding)
    for member in unknown.members {
      switch member {
      case .table(let table):
        encoding.writer.beginTable(table.name)
        for item in table.items { encoding.writer.write(item) }
        encoding.writer.endTable()
      case .value(let name, let item): encoding.writer.write(item, as: name)
      }
    }
    return encoding.writer.finish()
  }

  func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) throws(SnapshotError) {
    let table = root[keyPath: path]
    let more = unknown.members(in: name, of: Value.self)
    writer.beginTable(name)
    // If the file has unknown keys for some records, the whole table is encoded through `Codable`.
    if more.isEmpty, let direct = Value.directCodingIfAny, let first = table.first {
      try requireSameObjects(first, direct, name)
      // The table holds its nodes, and a held node never changes. So all threads may read them.
      withExtendedLifetime(table) { write(Self.parts(of: table), direct) }
    } else {
      for (index, record) in table.enumerated() {
        let item = try ItemEncoder.item(of: record, in: name, at: index)
        writer.write(more.isEmpty ? item : more[record.id].map(item.adding) ?? item)
      }
    }
    writer.endTable()
  }

  func visit<Value>(_ name: String, value: ValuePath<Root, Value>) throws(SnapshotError) {
    for member in values[name] { writer.write(member.value, as: member.key.text) }
  }

  // MARK: Records that write themselves

  /// Some leaves of a table.
  private typealias Leaves<Value: Record> = [UnsafeBufferPointer<RecordBox<Value>>]

  /// Divides a table into parts of about a megabyte, so that all threads have work to the end.
  private static func parts<Value>(of table: Table<Value>) -> [Leaves<Value>] {
    var parts: [Leaves<Value>] = []
    var count = 0
    table.forEachLeaf { _, boxes in
      if count + boxes.count > 1024 || parts.isEmpty {
        parts.append([])
        count = 0
      }
      parts[parts.count - 1].append(boxes)
      count += boxes.count
    }
    return parts
  }

  private func write<Value>(_ parts: [Leaves<Value>], _ direct: _DirectCoding<Value>) {
    if threads == 1 || parts.count == 1 {
      for part in parts { writer.append(Self.write(part, after: writer.objects.continued, direct)) }
      return
    }
    let counts = Parallel.map(parts.count, threads: threads) { index in
      var counter = RecordWriter.binaryCounter()
      for boxes in parts[index] { direct.write(boxes, &counter) }
      return counter.binary.count
    }
    var objects = writer.objects.continued
    let starts = counts.map { count in
      defer { objects.skip(count) }
      return objects
    }
    let written = Parallel.map(parts.count, threads: threads) { index in
      Self.write(parts[index], after: starts[index], direct)
    }
    for part in written { writer.append(part) }
  }

  private static func write<Value>(
    _ leaves: Leaves<Value>, after objects: BinaryObjectList, _ direct: _DirectCoding<Value>
  ) -> BinaryWriter.Part {
    var records = RecordWriter(binary: objects)
    for boxes in leaves { direct.write(boxes, &records) }
    let (list, numbers) = (records.binary.objects, records.binary.numbers)
    let checksum = Checksum(UnsafeRawBufferPointer(records.sink.bytes))
    return BinaryWriter.Part(block: records.finish(), checksum: checksum, objects: list, records: numbers)
  }

  /// Traps if a record does not write itself as `Codable` encodes it. The file might then not be readable.
  private func requireSameObjects<Value>(
    _ record: Value, _ direct: _DirectCoding<Value>, _ table: String
  ) throws(SnapshotError) {
    var general = writer.objects.continued
    var sink = ByteSink()
    _ = general.write(try ItemEncoder.item(of: record, in: table, at: 0), to: &sink)
    var records = RecordWriter(binary: writer.objects.continued)
    let box = RecordBox(record)
    withUnsafePointer(to: box) { direct.write(UnsafeBufferPointer(start: $0, count: 1), &records) }
    guard records.binary.objects.isSame(as: general), records.sink.bytes.elementsEqual(sink.bytes) else {
      fatalError("\(Value.self).write(to:) does not write what Codable encodes: \(record)")
    }
  }
}
