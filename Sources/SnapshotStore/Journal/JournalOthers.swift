/// What lines do to tables and single values that the schema does not name. Without types these are all.
struct JournalOthers {
  private enum Step {
    /// The next steps of the table are in a line that has the ids there.
    case key(IDKey)
    case removed(Item)
    case old(Item)
    case put(Item, line: Int)
    case set(Item)
  }

  /// The steps by name, in the order of the lines.
  private var steps: [(name: String, steps: [Step])] = []
  private var places: [ExactText: Int] = [:]

  var isEmpty: Bool { steps.isEmpty }

  // MARK: Reading

  mutating func read(
    _ name: String, _ section: JournalSection, _ key: IDKey, _ scanner: inout JSONScanner, _ line: Journal.Line,
    _ context: JournalContext
  ) throws(SnapshotError) {
    var reader = JSONTableReader(scanner, table: "\(section.rawValue).\(name)", isOneLine: true)
    let place = place(of: name)
    steps[place].steps.append(.key(key))
    while let item = try reader.next() {
      if steps[place].steps.count > context.limits.elementCount {
        throw failure(.limitExceeded, context.limits.countMessage, item, name, context)
      }
      switch section {
      case .removed: steps[place].steps.append(.removed(item))
      case .old: steps[place].steps.append(.old(item))
      default: steps[place].steps.append(.put(item, line: line.number))
      }
    }
    scanner = reader.scanner
  }

  mutating func set(_ name: String, _ item: Item) { steps[place(of: name)].steps.append(.set(item)) }

  private mutating func place(of name: String) -> Int {
    if let place = places[ExactText(name)] { return place }
    places[ExactText(name)] = steps.count
    steps.append((name, []))
    return steps.count - 1
  }

  /// Adds the steps of later lines.
  mutating func append(_ other: JournalOthers) {
    for (name, more) in other.steps { steps[place(of: name)].steps += more }
  }

  // MARK: Applying

  func apply<Root: Model>(
    to content: inout SnapshotContent<Root>, _ idKeys: [ExactText: IDKey], _ context: JournalContext
  ) throws(SnapshotError) {
    var tables = content.unknown.tables.map { UntypedTable?.some($0) }
    var values = content.unknown.values.map { (name: String, item: Item)?.some($0) }
    let tablePlaces = Dictionary(tables.indices.map { (ExactText(tables[$0]?.name ?? ""), $0) }) { first, _ in first }
    let valuePlaces = Dictionary(values.indices.map { (ExactText(values[$0]?.name ?? ""), $0) }) { first, _ in first }
    for (name, steps) in steps {
      let (place, valuePlace) = (tablePlaces[ExactText(name)], valuePlaces[ExactText(name)])
      let table = place.flatMap { tables[$0] }
      if let value = try Self.lastValue(steps, name, context) {
        if let place { tables[place] = nil }
        if let valuePlace { values[valuePlace] = nil }
        if let items = value.elements {
          tables.append(UntypedTable(name: name, items: items, isSingleValue: true))
        } else {
          values.append((name, value))
        }
      } else {
        if valuePlace != nil || table?.isSingleValue == true { throw Self.both(name, context) }
        let changed = try Self.table(
          table ?? UntypedTable(name: name, idKey: idKeys[ExactText(name)]), after: steps, context)
        if let place { tables[place] = changed } else { tables.append(changed) }
      }
    }
    content.unknown.set(tables.compactMap { $0 })
    content.unknown.set(values.compactMap { $0 })
    guard Root.isUntyped, let known = content.unknown.frame.map({ Set($0.names) }) else { return }
    content.unknown.frame?.names += steps.lazy.map { ExactText($0.name) }.filter { !known.contains($0) }
  }

  /// The last value of a name that is a single value; nil if it is a table.
  private static func lastValue(
    _ steps: [Step], _ name: String, _ context: JournalContext
  ) throws(SnapshotError) -> Item? {
    var (last, isTable): (Item?, Bool) = (nil, false)
    for step in steps {
      if case .set(let item) = step { last = item } else { isTable = true }
    }
    if last != nil, isTable { throw both(name, context) }
    return last
  }

  private static func both(_ name: String, _ context: JournalContext) -> SnapshotError {
    SnapshotError(
      .duplicate, "\(name.quotedForMessage()) is both a table and a value",
      dataPath: name.escapedForMessage(limit: 60))
  }

  private static func table(
    _ table: UntypedTable, after steps: [Step], _ context: JournalContext
  ) throws(SnapshotError) -> UntypedTable {
    var replay = UntypedTableReplay(table, context)
    for step in steps {
      switch step {
      case .key(let key): replay.begin(key)
      case .removed(let id): try replay.remove(id)
      case .old(let record): try replay.removeOld(record)
      case .put(let record, let line): try replay.put(record, line: line)
      case .set: break
      }
    }
    return try replay.finish()
  }

  private func failure(
    _ code: SnapshotError.Code, _ message: String, _ item: Item, _ name: String, _ context: JournalContext
  ) -> SnapshotError {
    SnapshotError(
      code, message, position: context.source.position(item.offset), dataPath: name.escapedForMessage(limit: 60))
  }
}
