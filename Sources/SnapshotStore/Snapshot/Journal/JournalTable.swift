/// What lines do to one table.
final class JournalTable<Root: Model, Value: Record>: JournalField {
  private enum Change {
    case put(RecordBox<Value>, unknown: [Item.Member])
    case removed(Value.ID)

    var id: Value.ID {
      switch self {
      case .put(let box, _): box.record.id
      case .removed(let id): id
      }
    }

    var box: RecordBox<Value>? {
      if case .put(let box, _) = self { box } else { nil }
    }
  }

  private struct Step {
    let change: Change
    let line: Journal.Line
  }

  private let name: String
  private let path: TablePath<Root, Value>
  private let context: JournalContext
  private let records: RecordDecoding<Value>
  private let direct = Value.directCodingIfAny
  private var ordinary: TapeReading<Value>
  /// The changes in the order of the lines.
  private var steps: [Step] = []

  init(_ name: String, _ path: TablePath<Root, Value>, _ context: JournalContext) {
    self.name = name
    self.path = path
    self.context = context
    records = RecordDecoding(table: name, defaults: Root.schema.defaults, context.options.unknownKeys)
    ordinary = TapeReading(context.source, context.limits)
  }

  // MARK: Reading

  func read(_ section: JournalSection, _ scanner: inout JSONScanner, _ line: Journal.Line) throws(SnapshotError) {
    let place = "\(section.rawValue).\(name)"
    guard scanner.peek() == UInt8(ascii: "["), section != .set else {
      throw SnapshotError(
        .invalidValue, "expected an array of records", position: context.source.position(scanner.offset),
        dataPath: place.escapedForMessage(limit: 60))
    }
    var reader = JSONTableReader(scanner, table: place, isOneLine: true)
    switch section {
    case .removed: try readIDs(&reader, place, line)
    default: try readRecords(&reader, section, place, line)
    }
    scanner = reader.scanner
  }

  private func readRecords(
    _ reader: inout JSONTableReader, _ section: JournalSection, _ place: String, _ line: Journal.Line
  ) throws(SnapshotError) {
    var count = 0
    func add(_ box: RecordBox<Value>, _ unknown: [Item.Member]) throws(SnapshotError) {
      let id = box.record.id
      guard id == id else {
        throw SnapshotError(
          .invalidValue, "an id that is not equal to itself",
          position: context.source.position(line.range.lowerBound), dataPath: "\(place)[\(count)]")
      }
      steps.append(Step(change: section == .old ? .removed(id) : .put(box, unknown: unknown), line: line))
      count += 1
    }
    while true {
      for box in quickRecords(&reader, most: context.limits.elementCount - count) { try add(box, []) }
      guard let item = try reader.next() else { return }
      if count >= context.limits.elementCount {
        throw SnapshotError(
          .limitExceeded, context.limits.countMessage, position: context.source.position(item.offset), dataPath: place)
      }
      do {
        let (record, unknown) = try records.decode(item)
        try add(RecordBox(record), unknown)
      } catch let error as SnapshotError {
        throw error
      } catch {
        throw SnapshotError.decoding(
          error, of: item, at: "\(place)[\(count)]", in: context.source, table: name, Root.schema)
      }
    }
  }

  /// Reads records from the bytes, up to the end or to the first that is read from an item.
  private func quickRecords(_ reader: inout JSONTableReader, most: Int) -> [RecordBox<Value>] {
    if let direct { return reader.readDirectly(direct, most: most) }
    return ordinary.records(from: &reader, most: most)
  }

  private func readIDs(
    _ reader: inout JSONTableReader, _ place: String, _ line: Journal.Line
  ) throws(SnapshotError) {
    var count = 0
    while let item = try reader.next() {
      do {
        steps.append(Step(change: .removed(try JournalIDKey.decode(Value.ID.self, from: item)), line: line))
      } catch {
        throw SnapshotError.decoding(
          error, of: item, at: "\(place)[\(count)]", in: context.source, table: name, Root.schema)
      }
      count += 1
    }
  }

  // MARK: Applying

  func apply(_ parts: [any JournalField<Root>], to content: inout SnapshotContent<Root>) throws(SnapshotError) {
    let steps = try lastSteps(parts.flatMap { ($0 as? JournalTable)?.steps ?? [] })
    let table = content.value[keyPath: path]
    let boxes = steps.compactMap(\.change.box)
    let removed = steps.filter { $0.change.box == nil }.map(\.change.id)
    do throws(SnapshotError) {
      content.value[keyPath: path] = try table.replaying(
        boxes, removed, direct, threads: context.options.threads)
      if content.value[keyPath: path].count > context.limits.elementCount {
        throw SnapshotError(.limitExceeded, context.limits.countMessage)
      }
    } catch {
      throw located(error, steps, table)
    }
    setUnknown(steps, in: &content.unknown)
  }

  /// The last step of each id, ascending by id.
  private func lastSteps(_ steps: [Step]) throws(SnapshotError) -> [Step] {
    var isSorted = true
    for index in steps.indices.dropFirst() where isSorted {
      isSorted = steps[index - 1].change.id < steps[index].change.id
    }
    if isSorted { return steps }
    let ids = steps.map(\.change.id)
    let order = steps.indices.sorted { (ids[$0], $0) < (ids[$1], $1) }
    var last: [Step] = []
    last.reserveCapacity(steps.count)
    for index in order {
      let step = steps[index]
      guard let before = last.last, before.change.id == step.change.id else {
        last.append(step)
        continue
      }
      if before.line.number == step.line.number, before.change.box != nil, step.change.box != nil {
        var error = Table<Value>.duplicate(before.change.id, step.change.id)
        error.position = context.source.position(step.line.range.lowerBound)
        error.dataPath = "put.\(name)".escapedForMessage(limit: 60)
        throw error
      }
      last[last.count - 1] = step
    }
    return last
  }

  /// Sets the unknown members of the records that were put, and removes those of others.
  private func setUnknown(_ steps: [Step], in content: inout UnknownContent) {
    var members = content.members(in: name, of: Value.self)
    var isChanged = false
    for step in steps {
      guard case .put(let box, let unknown) = step.change, !unknown.isEmpty else {
        if !members.isEmpty, members.removeValue(forKey: step.change.id) != nil { isChanged = true }
        continue
      }
      members[box.record.id] = unknown
      isChanged = true
    }
    if isChanged { content.set(members, of: name, Value.self) }
  }

  /// Adds the line of the record that does not fit to an error.
  private func located(_ error: SnapshotError, _ steps: [Step], _ table: Table<Value>) -> SnapshotError {
    var error = error
    error.dataPath = "put.\(name)".escapedForMessage(limit: 60)
    var table = table
    _ = table.remove(boxes: steps.map(\.change.id))
    for step in steps {
      guard let box = step.change.box else { continue }
      do throws(SnapshotError) {
        try table.put(box)
      } catch {
        var exact = error
        exact.dataPath = "put.\(name)".escapedForMessage(limit: 60)
        exact.position = context.source.position(step.line.range.lowerBound)
        return exact
      }
    }
    return error
  }
}

extension Table {
  /// The table without some records and with others, each ascending by id. Indexes are changed once, at the end.
  ///
  /// - Throws: `uniqueKeyTaken`.
  fileprivate func replaying(
    _ boxes: [RecordBox<Value>], _ removed: [ID], _ direct: _DirectCoding<Value>?, threads: Int
  ) throws(SnapshotError) -> Table {
    if isEmpty {
      guard let direct else { return try Table(sortedBoxes: boxes, threads: threads) }
      return try direct.makeTable(boxes, threads)
    }
    var table = self
    table.remove(boxes: removed)
    table.putUnchecked(boxes)
    try table.requireUnique(boxes)
    return table
  }
}
