/// The records that salvage found, by the names of their tables.
///
/// Nothing is given to a table by guess. If the name of some records may be lost, a file without known types keeps them
/// in a table of their own. For a known model they are lost.
struct SalvagedTables {
  /// A table, or an array that may be one.
  struct Table {
    let name: String
    let offset: Int
    var records: [FoundContent.Record] = []
  }

  private(set) var tables: [Table] = []
  private var places: [ExactText: Int] = [:]
  /// The number of tables whose names are lost.
  private var namelessCount = 0

  init() {}

  init(_ found: FoundContent, keepsNameless: Bool) {
    let read = Set((found.sections.compactMap(\.table) + found.values.map(\.name)).map { ExactText($0) })
    for section in found.sections {
      if let name = section.table {
        add(section.records, to: name, at: section.offset)
      } else if !section.records.isEmpty {
        guard keepsNameless else {
          lose(section, found.log)
          continue
        }
        let name = freeName(besides: read)
        add(section.records, to: name, at: section.offset)
        found.log.add(
          SnapshotError(
            .missingKey, section.reason + ": \(section.records.count.counted("record")) kept in a table of that name",
            position: SnapshotError.Position(offset: section.offset)), .table, table: name)
      }
    }
  }

  subscript(name: String) -> Table? { places[ExactText(name)].map { tables[$0] } }

  mutating func add(_ records: [FoundContent.Record], to name: String, at offset: Int) {
    tables[place(of: name, offset)].records += records
  }

  /// Removes an array of which an element is lost: without it, it is another value.
  mutating func remove(_ name: String, _ log: SalvageLog) {
    guard let place = places[ExactText(name)] else { return }
    for record in tables[place].records { log.note(record.range) }
    tables.remove(at: place)
    places = Dictionary(tables.enumerated().map { (ExactText($1.name), $0) }) { first, _ in first }
  }

  private mutating func place(of name: String, _ offset: Int) -> Int {
    if let place = places[ExactText(name)] { return place }
    places[ExactText(name)] = tables.count
    tables.append(Table(name: name, offset: offset))
    return tables.count - 1
  }

  private func lose(_ section: FoundContent.Section, _ log: SalvageLog) {
    for record in section.records {
      let error = SnapshotError(
        .missingKey, section.reason, position: SnapshotError.Position(offset: record.range.lowerBound))
      log.addRecord(error, table: section.uncertainName, index: nil, readable: record.item, record.range)
    }
  }

  /// A name for records that have lost theirs.
  private mutating func freeName(besides read: Set<ExactText>) -> String {
    while true {
      namelessCount += 1
      let name = namelessCount == 1 ? "recovered" : "recovered \(namelessCount)"
      if !read.contains(ExactText(name)) { return name }
    }
  }
}

extension FoundContent.Section {
  /// Why its table is not known.
  fileprivate var reason: String {
    guard let uncertainName else { return "the name of the table is lost" }
    return "behind damage in \(uncertainName.quotedForMessage()), the name of the table may be lost"
  }
}
