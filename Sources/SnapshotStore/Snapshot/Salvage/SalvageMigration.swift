/// Collects the salvaged records of a table of an older version. Their types are not known.
final class UntypedSalvage: SalvageCollector {
  let name: String
  private(set) var items: [Item] = []
  /// The ranges of the records in the file, by their offsets.
  private(set) var ranges: [Int: Range<Int>] = [:]

  /// Records of older versions have no known form. So a doubtful record stays in the table that was begun before it.
  let knowsForm = false

  init(name: String) { self.name = name }

  func add(_ item: Item, _ range: Range<Int>, _ index: Int?) {
    items.append(item)
    ranges[item.offset] = range
  }

  func fit(_ item: Item) throws -> SalvageFit {
    if item.allMembers != nil { return .exact }
    throw SnapshotError(.invalidValue, "expected a dictionary, found \(item.kind)")
  }
}

/// Keeps the salvaged single value of an older version.
final class UntypedValueSalvage: ValueSalvageCollector {
  let name: String
  private(set) var item: Item?

  init(name: String) { self.name = name }

  func add(_ item: Item, _ range: Range<Int>, _ index: Int?) { self.item = item }
}

/// Migrates the salvaged content of an older version to the version of the schema.
struct SalvageMigration {
  let run: MigrationRun
  private let tables: [UntypedSalvage]
  private let values: [UntypedValueSalvage]

  var collectors: [any SalvageCollector] { tables + values }

  /// - Parameter targets: the collectors of the schema, which receive the migrated records.
  init(_ steps: [Migration], _ targets: [any SalvageCollector], _ source: SourceText) {
    run = MigrationRun(steps: steps, source: source)
    let asked = steps.namesAskedFor
    let tables = Set(
      (targets.filter { !$0.isValue }.map(\.name) + asked.tables).map { ExactText($0) })
    let values = Set((targets.filter(\.isValue).map(\.name) + asked.values).map { ExactText($0) })
      .subtracting(tables)
    self.tables = tables.sorted().map { UntypedSalvage(name: $0.text) }
    self.values = values.sorted().map { UntypedValueSalvage(name: $0.text) }
  }

  /// Runs the steps and passes the records on. A record that cannot be decoded afterwards is lost.
  ///
  /// - Throws: `migrationFailed`.
  func put(into targets: [any SalvageCollector], _ log: SalvageLog) throws(SnapshotError) {
    var tree = MigrationTree()
    for collector in tables where !collector.items.isEmpty {
      tree.add(UntypedTable(name: collector.name, items: collector.items), as: collector.name)
    }
    for collector in values { tree[value: collector.name] = collector.item.map(UntypedValue.init) }
    let ranges = tables.reduce(into: [:]) { $0.merge($1.ranges) { first, _ in first } }
    tree = try run.run(on: tree)
    for target in targets where target.isValue {
      put(tree[value: target.name]?.item, into: target, log)
      tree[value: target.name] = nil
    }
    for name in tree.valueNames
    where targets.contains(where: { ExactText($0.name) == ExactText(name) }) {
      // A step may have set a table as a value.
      let table = tree[name]
      tree[name] = table
    }
    for (name, _) in tree.values { log.addValue(unknownField(name), name, nil) }
    for table in tree.tables {
      let target = targets.first { ExactText($0.name) == ExactText(table.name) }
      for (index, item) in table.items.enumerated() {
        let range = ranges[item.offset] ?? item.offset..<item.offset
        do {
          guard let target else { throw unknownTable(table.name) }
          try target.add(item, range, index)
        } catch {
          let place = "\(table.name.escapedForMessage(limit: 60))[\(index)]"
          let error =
            error as? SnapshotError
            ?? run.explaining(
              SnapshotError.decoding(error, of: item, at: place, in: run.source), item)
          log.addRecord(error, table: table.name, index: nil, readable: item, range)
        }
      }
    }
  }

  private func put(_ item: Item?, into target: any SalvageCollector, _ log: SalvageLog) {
    guard let item else { return log.addMissing(value: target.name) }
    do {
      try target.add(item, item.offset..<item.offset, nil)
    } catch {
      let failure = SnapshotError.decoding(error, of: item, at: target.name, in: run.source)
      log.addValue(run.explaining(failure, item), target.name, item.offset..<item.offset)
    }
  }

  private func unknownField(_ name: String) -> SnapshotError {
    SnapshotError(.unknownKey, "there is no field \(name.quotedForMessage()) in the schema")
  }

  private func unknownTable(_ name: String) -> SnapshotError {
    SnapshotError(.unknownKey, "there is no table \(name.quotedForMessage()) in the schema")
  }
}
