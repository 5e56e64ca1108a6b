/// Collects what is left of a table of an older version, before anything knows the types of its records.
final class UntypedSalvage: SalvageCollector {
  let name: String
  private(set) var items: [Item] = []
  /// Where the records stood, by their offsets.
  private(set) var ranges: [Int: Range<Int>] = [:]

  private var isBegun = false

  init(name: String) { self.name = name }

  func begin() { isBegun = true }

  func add(_ item: Item, _ range: Range<Int>, _ index: Int?) {
    items.append(item)
    ranges[item.offset] = range
  }

  /// Nothing tells the records of one table from those of another; so what is in doubt stays in the table that was begun before.
  func accepts(_ item: Item, strictly: Bool) -> Bool { isBegun && item.allMembers != nil }
}

/// Brings what is left of a file of an older version to the one of its schema.
struct SalvageMigration {
  let run: MigrationRun
  let collectors: [UntypedSalvage]

  init(_ steps: [Migration], tables: [String], _ source: SourceText) {
    run = MigrationRun(steps: steps, source: source)
    collectors = Set(tables).union(steps.tableNames).sorted().map { UntypedSalvage(name: $0) }
  }

  /// Runs the steps, and hands the records on; what cannot be decoded then is lost.
  ///
  /// - Throws: `migrationFailed`.
  func put(into tables: [any SalvageCollector], _ log: SalvageLog) throws(SnapshotError) {
    var tree = MigrationTree()
    for collector in collectors where !collector.items.isEmpty {
      tree.add(UntypedTable(name: collector.name, items: collector.items), as: collector.name)
    }
    let ranges = collectors.reduce(into: [:]) { $0.merge($1.ranges) { first, _ in first } }
    for table in try run.run(on: tree).tables {
      let target = tables.first { $0.name == table.name }
      for (index, item) in table.items.enumerated() {
        let range = ranges[item.offset] ?? item.offset..<item.offset
        do {
          guard let target else { throw unknownTable(table.name) }
          try target.add(item, range, index)
        } catch {
          let place = "\(table.name.escapedForMessage(limit: 60))[\(index)]"
          let error =
            error as? SnapshotError
            ?? run.explaining(SnapshotError.decoding(error, of: item, at: place, in: run.source), item)
          log.addRecord(error, table: table.name, index: nil, readable: item, range)
        }
      }
    }
  }

  private func unknownTable(_ name: String) -> SnapshotError {
    SnapshotError(.unknownKey, "there is no table \(name.quotedForMessage()) in the schema")
  }
}
