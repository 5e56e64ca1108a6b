/// The text of records under construction.
struct RecordSink<Value: Record>: ~Copyable {
  private let writer: any TextWriter.Type
  private let table: String
  private let direct: _DirectCoding<Value>?
  private let unknown: [Value.ID: [Item.Member]]
  private var records: RecordWriter
  /// Nil if the format has no direct form.
  private var stream: StreamWriting?
  /// Whether a record that writes itself was compared with what `Codable` encodes.
  private var isCompared: Bool

  /// - Parameters:
  ///   - unknown: unknown members of records, by the records' ids.
  ///   - proof: what earlier records of the table have shown.
  init(
    writer: any TextWriter.Type, table: String, direct: _DirectCoding<Value>?, unknown: [Value.ID: [Item.Member]],
    proof: WritingProof = .none
  ) {
    isCompared = proof != .none
    self.writer = writer
    self.table = table
    self.unknown = unknown
    if let frame = writer.recordFrame(for: table), let records = RecordWriter(frame) {
      self.records = records
      self.direct = direct
      stream = direct == nil ? RecordForm(cursor: frame.cursor).map { StreamWriting($0, proof) } : nil
    } else {
      records = RecordWriter()
      self.direct = nil
      stream = nil
    }
  }

  var count: Int { records.sink.count }

  /// The bytes written so far. Valid until the next change.
  var bytes: UnsafeBufferPointer<UInt8> { records.sink.bytes }

  /// What the records have shown so far.
  var proof: WritingProof { stream?.proof ?? (isCompared ? .same : .none) }

  mutating func removeLast(_ count: Int) { records.sink.removeLast(count) }

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

  /// Appends one record. The first one that writes itself must be the first of all.
  ///
  /// - Parameter index: the index of the record in the table, for an error.
  mutating func append(_ box: RecordBox<Value>, index: @autoclosure () -> Int) throws(SnapshotError) {
    guard let direct else { return try appendQuickly(box, index()) }
    if !isCompared { try requireSameBytes(box, direct) }
    isCompared = true
    if !unknown.isEmpty, unknown[box.record.id] != nil { return try append(box.record, index()) }
    withUnsafePointer(to: box) { direct.write(UnsafeBufferPointer(start: $0, count: 1), &records) }
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
  private mutating func appendQuickly(
    _ box: RecordBox<Value>, _ index: @autoclosure () -> Int
  ) throws(SnapshotError) {
    let start = count
    guard unknown.isEmpty || unknown[box.record.id] == nil, stream?.append(box.record, to: &records) == true else {
      return try append(box.record, index())
    }
    if stream?.proof == .same { return }
    let quick = Array(records.sink.bytes[start...])
    records.sink.removeLast(quick.count)
    try append(box.record, index())
    stream?.prove(records.sink.bytes[start...].elementsEqual(quick))
  }

  private mutating func append(_ record: Value, _ index: @autoclosure () -> Int) throws(SnapshotError) {
    let item = try ItemEncoder.item(of: record, in: table, at: index())
    let more = unknown.isEmpty ? nil : unknown[record.id]
    writer.append(more.map(item.adding) ?? item, of: table, &records.sink)
  }

  /// Traps if a record does not write itself as `Codable` encodes it. The file might then not be readable.
  private mutating func requireSameBytes(
    _ box: RecordBox<Value>, _ direct: _DirectCoding<Value>
  ) throws(SnapshotError) {
    writer.append(try ItemEncoder.item(of: box.record, in: table, at: 0), of: table, &records.sink)
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
