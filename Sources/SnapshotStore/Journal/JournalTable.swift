/// What lines do to one table.
final class JournalTable<Root: Model, Value: Record>: JournalField {
  private let name: String
  private let path: TablePath<Root, Value>
  private let context: JournalContext
  private let records: RecordDecoding<Value>
  private let direct = Value.directCodingIfAny
  private var ordinary: TapeReading<Value>
  private var changes = JournalTableSteps<Value>()
  /// The paths of the table in the sections of a line.
  private let places: [String]

  init(_ name: String, _ path: TablePath<Root, Value>, _ context: JournalContext) {
    self.name = name
    self.path = path
    self.context = context
    places = JournalSection.allCases.map { "\($0.rawValue).\(name)" }
    records = RecordDecoding(table: name, defaults: Root.schema.defaults, context.options.unknownKeys)
    ordinary = TapeReading(context.source, context.limits)
  }

  // MARK: Reading

  func read(_ section: JournalSection, _ scanner: inout JSONScanner, _ line: Journal.Line) throws(SnapshotError) {
    let place = places[section.rank]
    guard scanner.peek() == UInt8(ascii: "["), section != .set else {
      throw SnapshotError(
        .invalidValue, "expected an array of records", position: context.source.position(scanner.offset),
        dataPath: place.escapedForMessage(limit: 60))
    }
    var reader = JSONTableReader(scanner, table: place, isOneLine: true)
    switch section {
    case .removed: try readIDs(&reader, place)
    case .old:
      var old = JournalTableSteps<Value>()
      try readRecords(&reader, place, into: &old)
      for box in old.boxes { changes.remove(box.record.id) }
    default:
      try readRecords(&reader, place, into: &changes)
      changes.endLine(line.range.lowerBound)
    }
    scanner = reader.scanner
  }

  private func readRecords(
    _ reader: inout JSONTableReader, _ place: String, into found: inout JournalTableSteps<Value>
  ) throws(SnapshotError) {
    let start = found.boxes.count
    while true {
      readQuickly(&reader, into: &found.boxes, most: context.limits.elementCount + start - found.boxes.count)
      guard let item = try reader.next() else { break }
      if found.boxes.count - start >= context.limits.elementCount {
        throw SnapshotError(
          .limitExceeded, context.limits.countMessage, position: context.source.position(item.offset), dataPath: place)
      }
      do {
        let (record, unknown) = try records.decode(item)
        if !unknown.isEmpty { found.unknown[found.boxes.count] = unknown.sorted { $0.key < $1.key } }
        found.boxes.append(RecordBox(record))
      } catch {
        throw SnapshotError.decoding(
          error, of: item, at: "\(place)[\(found.boxes.count - start)]", in: context.source, table: name, Root.schema)
      }
    }
    // No slice: a journal has many lines, and each slice of a generic array takes longer than the check.
    for index in start..<found.boxes.count where found.boxes[index].record.id != found.boxes[index].record.id {
      throw SnapshotError(
        .invalidValue, "an id that is not equal to itself", position: context.source.position(reader.scanner.offset),
        dataPath: "\(place)[\(index - start)]")
    }
  }

  /// Reads records from the bytes, up to the end or to the first that is read from an item.
  private func readQuickly(_ reader: inout JSONTableReader, into boxes: inout [RecordBox<Value>], most: Int) {
    if let direct {
      reader.readDirectly(direct, into: &boxes, most: most)
    } else {
      ordinary.read(&reader, into: &boxes, most: most)
    }
  }

  private func readIDs(_ reader: inout JSONTableReader, _ place: String) throws(SnapshotError) {
    var count = 0
    while let item = try reader.next() {
      do {
        let id = try JournalIDKey.decode(Value.ID.self, from: item)
        // A NaN is the id of no record.
        if id == id { changes.remove(id) }
      } catch {
        throw SnapshotError.decoding(
          error, of: item, at: "\(place)[\(count)]", in: context.source, table: name, Root.schema)
      }
      count += 1
    }
  }

  // MARK: Applying

  func apply(_ parts: [any JournalField<Root>], to content: inout SnapshotContent<Root>) throws(SnapshotError) {
    var steps = JournalTableSteps<Value>()
    for part in parts { if let part = part as? JournalTable { steps.append(part.changes) } }
    let latest =
      direct?.latestChanges(steps.boxes, steps.removed)
      ?? Table.latestChanges(steps.boxes, removed: steps.removed)
    if let (first, second) = latest.repeated.first(where: { steps.line(of: $0.0) == steps.line(of: $0.1) }) {
      let ids = (steps.boxes[first].record.id, steps.boxes[second].record.id)
      throw located(Table<Value>.duplicate(ids.0, ids.1), steps.line(of: second))
    }
    let boxes = latest.put.map { steps.boxes[$0] }
    let table = content.value[keyPath: path]
    do throws(SnapshotError) {
      if let direct {
        try direct.replace(&content.value[keyPath: path], boxes, latest.removed, context.options.threads)
      } else {
        try content.value[keyPath: path].replace(boxes, removing: latest.removed, threads: context.options.threads)
      }
    } catch {
      throw conflict(error, in: table, steps, latest)
    }
    if content.value[keyPath: path].count > context.limits.elementCount {
      throw located(SnapshotError(.limitExceeded, context.limits.countMessage), nil)
    }
    setUnknown(steps, latest, in: &content.unknown)
  }

  /// Sets the unknown members of the records that were put, and removes those of others.
  private func setUnknown(
    _ steps: JournalTableSteps<Value>, _ latest: Table<Value>.LatestChanges, in content: inout UnknownContent
  ) {
    var members = content.members(in: name, of: Value.self)
    if members.isEmpty, steps.unknown.isEmpty { return }
    for id in latest.removed { members[id] = nil }
    for place in latest.put { members[steps.boxes[place].record.id] = steps.unknown[place] }
    content.set(members, of: name, Value.self)
  }

  /// The error of the first record that does not fit, with its line.
  private func conflict(
    _ error: SnapshotError, in table: Table<Value>, _ steps: JournalTableSteps<Value>,
    _ latest: Table<Value>.LatestChanges
  ) -> SnapshotError {
    var table = table
    _ = table.remove(boxes: latest.removed + latest.put.map { steps.boxes[$0].record.id })
    for place in latest.put.sorted() {
      do throws(SnapshotError) {
        try table.put(steps.boxes[place])
      } catch {
        return located(error, steps.line(of: place))
      }
    }
    return located(error, nil)
  }

  private func located(_ error: SnapshotError, _ line: Int?) -> SnapshotError {
    var error = error
    error.dataPath = "put.\(name)".escapedForMessage(limit: 60)
    error.position = line.map(context.source.position)
    return error
  }
}

/// What lines do to the records of one table, in the order of the lines.
struct JournalTableSteps<Value: Record> {
  var boxes: [RecordBox<Value>] = []
  /// The ids that are removed, each with the number of boxes before it.
  private(set) var removed: [(id: Value.ID, place: Int)] = []
  /// The unknown members of boxes, by their places.
  var unknown: [Int: [Item.Member]] = [:]
  private var lines: [JournalLineEnd] = []

  mutating func remove(_ id: Value.ID) { removed.append((id, boxes.count)) }

  /// Notes that the boxes of a line are complete.
  ///
  /// - Parameter start: where the line begins.
  mutating func endLine(_ start: Int) { lines.append(JournalLineEnd(end: boxes.count, start: start)) }

  /// Adds the steps of later lines.
  mutating func append(_ next: JournalTableSteps) {
    let count = boxes.count
    if count == 0 { boxes = next.boxes } else { boxes += next.boxes }
    removed += next.removed.map { ($0.id, $0.place + count) }
    for (place, members) in next.unknown { unknown[place + count] = members }
    lines += next.lines.map { JournalLineEnd(end: $0.end + count, start: $0.start) }
  }

  /// Where the line of a box begins.
  func line(of place: Int) -> Int? {
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].end > place { high = middle } else { low = middle + 1 }
    }
    return low < lines.count ? lines[low].start : nil
  }
}

/// Where a line begins, with the number of boxes up to its end. A tuple in a generic type takes longer.
private struct JournalLineEnd {
  let end: Int
  let start: Int
}
