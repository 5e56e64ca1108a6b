/// Encodes the leaves of one table as text.
struct LeafEncoder<Value: Record> {
  let writer: any TextWriter.Type
  let table: String
  /// Whether to compute a digest of every leaf, for reuse in the next save.
  let describesLeaves: Bool
  /// Unknown members of records, by the records' ids.
  let unknown: [Value.ID: [Item.Member]]
  private let direct = Value.directCodingIfAny

  /// Consecutive leaves, either to be written together or to be copied from the old file.
  enum Step {
    case new([Leaf])
    case known(ObjectIdentifier, EncodedLeaves.Leaf)
  }

  struct Leaf {
    let id: ObjectIdentifier
    /// The records of the leaf. The table holds this memory.
    let boxes: UnsafeBufferPointer<RecordBox<Value>>
    /// The index of the first record in the table.
    let start: Int
    let isLast: Bool
  }

  /// The result of a step. Its bytes are nil if they are in the old file.
  struct Part {
    let block: ByteBlock?
    let checksum: Checksum
    let leaves: [(ObjectIdentifier, EncodedLeaves.Leaf)]
  }

  /// Some hundred kilobytes of text. So all threads have work to the end, and memory is reused.
  private static var recordsAStep: Int { 256 }

  init(
    writer: any TextWriter.Type, table: String, describesLeaves: Bool, unknown: [Value.ID: [Item.Member]] = [:]
  ) {
    self.writer = writer
    self.table = table
    self.describesLeaves = describesLeaves
    self.unknown = unknown
  }

  /// The steps for a table.
  ///
  /// - Parameter known: the leaves of the table of this name in the old file.
  func steps(for table: Table<Value>, known: EncodedLeaves.Leaves) -> [Step] {
    var steps: [Step] = []
    var pending: [Leaf] = []
    var start = 0
    func flush() {
      if !pending.isEmpty { steps.append(.new(pending)) }
      pending = []
    }
    table.forEachLeaf { node, boxes in
      let isLast = start + boxes.count == table.count
      let id = ObjectIdentifier(node)
      if let leaf = known[id], leaf.isLast == isLast {
        flush()
        steps.append(.known(id, leaf))
      } else {
        pending.append(Leaf(id: id, boxes: boxes, start: start, isLast: isLast))
        if start + boxes.count - pending[0].start >= Self.recordsAStep { flush() }
      }
      start += boxes.count
    }
    flush()
    return steps
  }

  func perform(_ step: Step) -> Result<Part, SnapshotError> {
    switch step {
    case .known(let id, let leaf): .success(Part(block: nil, checksum: leaf.checksum, leaves: [(id, leaf)]))
    case .new(let leaves): Result { () throws(SnapshotError) in try encode(leaves) }
    }
  }

  private func encode(_ leaves: [Leaf]) throws(SnapshotError) -> Part {
    var records = RecordSink(writer: writer, table: table, direct: direct, unknown: unknown)
    var ends: [Int] = []
    for leaf in leaves {
      try records.append(leaf)
      ends.append(records.count)
      // The size of the first leaf predicts the size of the others. Growing in steps would copy all bytes once more.
      if ends.count == 1 { records.reserve(records.count * leaves.count * 9 / 8) }
    }
    let block = records.finish()
    return block.withUnsafeBytes { bytes in
      guard describesLeaves else { return Part(block: block, checksum: Checksum(bytes), leaves: []) }
      var checksum = Checksum()
      var described: [(ObjectIdentifier, EncodedLeaves.Leaf)] = []
      var start = 0
      for (leaf, end) in zip(leaves, ends) {
        let own = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        let sum = Checksum(own)
        let stretch = PiecedBytes.Stretch(offset: start, count: own.count, digest: ByteDigest(own))
        described.append((leaf.id, EncodedLeaves.Leaf(stretch: stretch, checksum: sum, isLast: leaf.isLast)))
        checksum.append(sum)
        start = end
      }
      return Part(block: block, checksum: checksum, leaves: described)
    }
  }
}

/// The text of records under construction.
private struct RecordSink<Value: Record>: ~Copyable {
  private let writer: any TextWriter.Type
  private let table: String
  private let direct: _DirectCoding<Value>?
  private let unknown: [Value.ID: [Item.Member]]
  private var records: RecordWriter
  /// Nil if the format has no direct form.
  private var stream: StreamWriting?

  init(
    writer: any TextWriter.Type, table: String, direct: _DirectCoding<Value>?, unknown: [Value.ID: [Item.Member]]
  ) {
    self.writer = writer
    self.table = table
    self.unknown = unknown
    if let frame = writer.recordFrame(for: table), let records = RecordWriter(frame) {
      self.records = records
      self.direct = direct
      stream = direct == nil ? RecordForm(cursor: frame.cursor).map(StreamWriting.init) : nil
    } else {
      records = RecordWriter()
      self.direct = nil
      stream = nil
    }
  }

  var count: Int { records.sink.count }

  /// Makes room for a total number of bytes.
  mutating func reserve(_ total: Int) { _ = records.sink.reserve(max(0, total - count)) }

  mutating func append(_ leaf: LeafEncoder<Value>.Leaf) throws(SnapshotError) {
    if let direct {
      if leaf.start == 0, let first = leaf.boxes.first { try requireSameBytes(first, direct) }
      try append(leaf, direct)
    } else {
      for index in leaf.boxes.indices { try appendQuickly(leaf.boxes[index], leaf.start + index) }
    }
    if leaf.isLast { writer.endRecords(&records.sink) }
  }

  /// Writes records directly, except for those with unknown keys in the file.
  private mutating func append(
    _ leaf: LeafEncoder<Value>.Leaf, _ direct: _DirectCoding<Value>
  ) throws(SnapshotError) {
    var start = 0
    if !unknown.isEmpty {
      for (index, box) in leaf.boxes.enumerated() where unknown[box.record.id] != nil {
        direct.write(UnsafeBufferPointer(rebasing: leaf.boxes[start..<index]), &records)
        try append(box.record, leaf.start + index)
        start = index + 1
      }
    }
    direct.write(UnsafeBufferPointer(rebasing: leaf.boxes[start...]), &records)
  }

  /// Writes a record without items if that is possible. The first such record is encoded in both ways.
  ///
  /// - Parameter box: the record. Passing it in its box saves a copy.
  private mutating func appendQuickly(_ box: RecordBox<Value>, _ index: Int) throws(SnapshotError) {
    let start = count
    guard unknown.isEmpty || unknown[box.record.id] == nil, stream?.append(box.record, to: &records) == true else {
      return try append(box.record, index)
    }
    if stream?.isProven == true { return }
    let quick = Array(records.sink.bytes[start...])
    records.sink.removeLast(quick.count)
    try append(box.record, index)
    stream?.prove(records.sink.bytes[start...].elementsEqual(quick))
  }

  private mutating func append(_ record: Value, _ index: Int) throws(SnapshotError) {
    let item = try ItemEncoder.item(forRecord: record, at: "\(table)[\(index)]")
    let more = unknown.isEmpty ? nil : unknown[record.id]
    writer.append(more.map(item.adding) ?? item, of: table, &records.sink)
  }

  /// Traps if a record does not write itself as `Codable` encodes it. The file might then not be readable.
  private mutating func requireSameBytes(
    _ box: RecordBox<Value>, _ direct: _DirectCoding<Value>
  ) throws(SnapshotError) {
    writer.append(try ItemEncoder.item(forRecord: box.record, at: "\(table)[0]"), of: table, &records.sink)
    let general = Array(records.sink.bytes)
    records.sink.removeAll()
    withUnsafePointer(to: box) { direct.write(UnsafeBufferPointer(start: $0, count: 1), &records) }
    let same = records.sink.bytes.elementsEqual(general)
    if !same {
      let texts = [general, Array(records.sink.bytes)].map { String(decoding: $0, as: UTF8.self) }
      fatalError("\(Value.self).write(to:) does not write what Codable encodes:\n\(texts[1])\n\(texts[0])")
    }
    records.sink.removeAll()
  }

  consuming func finish() -> ByteBlock { records.sink.finish() }
}
