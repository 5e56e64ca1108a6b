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
