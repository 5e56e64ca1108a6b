/// Decodes the content that salvage found, strictly, and puts it into a model.
struct SalvageDecoding<Root: Model>: FieldVisitor {
  private(set) var root = Root()
  private(set) var unknown = UnknownContent()
  /// The single values of the schema that could not be read.
  private(set) var lostValues: [String] = []
  private var tables: SalvagedTables
  private var values: [FoundContent.Value]
  private let header: DocumentHeader?
  private let source: SourceText
  private let migration: MigrationRun?
  private let damaged: Set<ExactText>
  private let log: SalvageLog

  /// - Parameters:
  ///   - steps: the migration steps if the file has an older version; else empty.
  ///   - defaults: the values of keys that the file lacks, beside those of the schema.
  /// - Throws: an error of a migration, or of decoding a flattened value, without which nothing is left.
  init(
    _ found: FoundContent, _ source: SourceText, _ steps: [Migration], _ defaults: [DefaultValue]
  ) throws(SnapshotError) {
    self.source = source
    header = found.header(in: source)
    log = found.log
    damaged = found.damaged
    values = found.values
    migration = steps.isEmpty ? nil : MigrationRun(steps: steps, source: source)
    tables = SalvagedTables(found, keepsNameless: Root.isUntyped)
    let mayBeValues = migration != nil || Root.schema.flattened != nil
    for name in found.damaged where found.isValue(name.text) || mayBeValues && isSingleValue(name) {
      tables.remove(name.text, log)
    }
    try migrate()
    Root.schema.visit(&self)
    takeUnknown()
    try gather(defaults)
  }

  /// Takes the flattened value out of what was found. A member that it cannot read is lost, and the others are not.
  ///
  /// - Throws: the error of decoding, if there is no value to take its place.
  private mutating func gather(_ defaults: [DefaultValue]) throws(SnapshotError) {
    guard let field = Root.schema.flattened else { return }
    let found = Set(unknown.names)
    while true {
      var content = SnapshotContent(root, unknown)
      do throws(SnapshotError) {
        try content.gather(DecodingOptions(unknownKeys: .keep, defaults: defaults), in: source)
      } catch {
        let path = error.dataPath ?? ""
        let culprit = unknown.names.filter { name in
          let text = name.text.escapedForMessage(limit: 60)
          return path == text || path.hasPrefix(text + ".") || path.hasPrefix(text + "[")
        }.max { $0.text.utf8.count < $1.text.utf8.count }
        if let culprit {
          log.addValue(error, culprit.text, candidates(culprit.text).first?.range)
          lostValues.append(culprit.text)
          unknown.remove([culprit])
          continue
        }
        if try Root().flattenedMembers().isEmpty { throw error }
        log.addValue(error, field.text, nil)
        return lostValues.append(field.text)
      }
      (root, unknown) = (content.value, content.unknown)
      break
    }
    for member in try root.lostMembers(besides: found, unknown.flattened, defaults) {
      lostValues.append(member.text)
      if !log.hasValue(member.text) { log.addMissing(value: member.text) }
    }
  }

  /// Runs the steps. Ranges of records stay known by their offsets.
  private mutating func migrate() throws(SnapshotError) {
    guard let migration else { return }
    var tree = MigrationTree()
    var ranges: [Int: Range<Int>] = [:]
    for table in tables.tables {
      tree.add(untyped(table, table.records.map(\.item)), as: table.name)
      for record in table.records { ranges[record.item.offset] = record.range }
    }
    for value in values {
      if let own = tree[value: value.name]?.item {
        if !Item.areSame(own, value.item) { loseSecond(value) }
        continue
      }
      ranges[value.item.offset] = value.range
      tree[value: value.name] = UntypedValue(value.item)
    }
    tree = try migration.run(on: tree)
    func range(_ item: Item) -> Range<Int> { ranges[item.offset] ?? item.offset..<item.offset }
    tables = SalvagedTables()
    for table in tree.tables {
      let records = table.items.enumerated().map { index, item in
        FoundContent.Record(item: item, range: range(item), index: index)
      }
      tables.add(records, to: table.name, at: records.first?.range.lowerBound ?? 0)
    }
    values = tree.values.map { FoundContent.Value(name: $0.name, item: $0.item, range: range($0.item)) }
  }

  // MARK: The schema

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    if tables[name] == nil, migration == nil, !damaged.contains(ExactText(name)) {
      log.addMissing(table: name)
    }
    let decoding = RecordDecoding<Value>(table: name, defaults: Root.schema.defaults, .keep)
    var salvage = RecordSalvage<Value>(name: name, log)
    for record in tables[name]?.records ?? [] {
      do {
        let (value, unknown) = try decoding.decode(record.item)
        salvage.add(value, unknown, record)
      } catch {
        let place = "\(name.escapedForMessage(limit: 60))\(record.index.map { "[\($0)]" } ?? "")"
        log.addRecord(
          failure(error, of: record.item, at: place), table: name, index: record.index, readable: record.item,
          record.range)
      }
    }
    for value in values where ExactText(value.name) == ExactText(name) {
      log.addBytes(error(.invalidValue, "the table is no array", value.range), table: name, value.range)
    }
    root[keyPath: path] = salvage.table(&unknown)
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    if Root.schema.flattened == ExactText(name) { return }
    let decoding = RecordDecoding<Value>(table: name, defaults: Root.schema.defaults, .keep)
    var taken: Item?
    var isListed = log.hasValue(name)
    for candidate in candidates(name) {
      guard taken == nil else {
        if let taken, Item.areSame(taken, candidate.item) { continue }
        loseSecond(candidate)
        continue
      }
      do {
        let (value, members) = try decoding.decode(candidate.item)
        root[keyPath: path] = value
        unknown.set(members, ofValue: name)
        taken = candidate.item
      } catch {
        isListed = true
        log.addValue(failure(error, of: candidate.item, at: name), name, candidate.range)
      }
    }
    if taken != nil { return }
    lostValues.append(name)
    if !isListed { log.addMissing(value: name) }
  }

  /// What may be a single value of the schema. In newline-delimited JSON, elements of an array may have lines of their
  /// own.
  private func candidates(_ name: String) -> [FoundContent.Value] {
    var candidates = values.filter { ExactText($0.name) == ExactText(name) }
    if let array = tables[name] {
      let end = array.records.last?.range.upperBound ?? array.offset
      candidates.append(
        FoundContent.Value(
          name: name, item: Item(.array(array.records.map(\.item)), offset: array.offset),
          range: min(array.offset, end)..<end))
    }
    return candidates
  }

  private func loseSecond(_ value: FoundContent.Value) {
    let error = error(.duplicate, "the value occurs twice; this one was not taken", value.range)
    log.addValue(error, value.name, value.range)
  }

  private func failure(_ error: any Error, of item: Item, at place: String) -> SnapshotError {
    let failure = error as? SnapshotError ?? SnapshotError.decoding(error, of: item, at: place, in: source)
    return migration?.explaining(failure, item) ?? failure
  }

  private func error(_ code: SnapshotError.Code, _ message: String, _ range: Range<Int>) -> SnapshotError {
    SnapshotError(code, message, position: SnapshotError.Position(offset: range.lowerBound))
  }

  // MARK: Other names

  /// Keeps the tables and values that the schema does not name. A name is that of one table or one value.
  private mutating func takeUnknown() {
    let known = Set(Root.schema.fields.lazy.filter { !$0.isFlattened }.map { ExactText($0.name) })
    var names: [(name: ExactText, offset: Int)] = []
    var keptTables: [UntypedTable] = []
    var kept: [ExactText: Item] = [:]
    for value in values where !known.contains(ExactText(value.name)) {
      let name = ExactText(value.name)
      if let first = kept[name], Item.areSame(first, value.item) { continue }
      let isTable = tables[value.name].map { $0.offset < value.range.lowerBound } ?? false
      if kept[name] != nil || isTable {
        loseSecond(value)
        continue
      }
      kept[name] = value.item
      names.append((name, value.range.lowerBound))
    }
    for table in tables.tables where !known.contains(ExactText(table.name)) {
      if kept[ExactText(table.name)] == nil {
        keptTables.append(uniqued(table))
        names.append((ExactText(table.name), table.offset))
        continue
      }
      for record in table.records {
        log.addRecord(
          error(.duplicate, "the name occurs twice", record.range), table: table.name, index: record.index,
          readable: record.item, record.range)
      }
    }
    keptTables += kept.compactMap { name, item in
      item.elements.map { UntypedTable(name: name.text, items: $0, isSingleValue: true) }
    }
    unknown.set(keptTables)
    unknown.set(kept.filter { $1.elements == nil }.map { (name: $0.text, item: $1) })
    guard Root.isUntyped else { return }
    // Without its header, a file has no schema. A person has to name it.
    unknown.frame = UnknownContent.Frame(
      schema: header?.schema ?? "recovered", version: header?.version ?? 1,
      names: names.sorted { $0.offset < $1.offset }.map(\.name))
  }

  private func isSingleValue(_ name: ExactText) -> Bool { header?.arrays.contains(name) ?? false }

  /// A table without a type, with what the header says of it.
  private func untyped(_ found: SalvagedTables.Table, _ items: [Item]) -> UntypedTable {
    let name = ExactText(found.name)
    return UntypedTable(
      name: found.name, items: items, isSingleValue: isSingleValue(name), idKey: header?.idKeys[name])
  }

  /// A table without a type. Of different records with one id, the first is kept.
  private func uniqued(_ found: SalvagedTables.Table) -> UntypedTable {
    var table = untyped(found, found.records.map(\.item))
    guard !table.isSingleValue, let key = table.idKey else { return table }
    var first: [[UInt8]: Item] = [:]
    table.items = []
    for record in found.records {
      let id = record.item[ExactText(key)].map(\.jsonBytes)
      guard let id, let other = first[id] else {
        if let id { first[id] = record.item }
        table.items.append(record.item)
        continue
      }
      if Item.areSame(other, record.item) { continue }
      log.addRecord(
        error(.duplicate, "another record before it has its id", record.range), table: table.name, index: record.index,
        readable: record.item, record.range)
    }
    return table
  }
}

extension UntypedTable {
  /// Whether two records have one id.
  var hasRepeatedID: Bool {
    guard !isSingleValue, let key = idKey.map({ ExactText($0) }) else { return false }
    var seen: Set<[UInt8]> = []
    return items.contains { item in item[key].map { !seen.insert($0.jsonBytes).inserted } ?? false }
  }
}
