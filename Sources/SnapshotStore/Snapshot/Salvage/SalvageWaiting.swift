/// The records that wait until the whole file was read, because their table is in doubt or cannot hold them.
///
/// At the end a record goes into a table if only one is possible. Possible are the table that was begun before it, and
/// tables of its form that were begun nowhere in the file. A record behind an unknown table is kept in that table. All
/// other records are lost.
struct SalvageWaiting {
  /// A record with its place in the file.
  struct Record {
    let item: Item
    let range: Range<Int>
    /// The table that was begun before it.
    let table: String?
    /// Its index in that table; nil if the table is in doubt.
    let index: Int?
    /// Whether the record itself names its table, so that it can belong to no other.
    let isNamed: Bool
  }

  /// A record that may belong to some tables, or that is kept in an unknown table.
  private struct Candidate {
    let record: Record
    let fits: [(table: String, fit: SalvageFit)]
    /// The number of later records with the same bytes. They have the same result.
    var copies = 0
  }

  private let fields: SalvageFields
  private let source: SourceText
  private let log: SalvageLog
  private var candidates: [Candidate] = []
  private var repeats = SalvageRepeats()

  init(_ fields: SalvageFields, _ source: SourceText, _ log: SalvageLog) {
    self.fields = fields
    self.source = source
    self.log = log
  }

  var count: Int { candidates.count }

  // MARK: While the file is read

  /// Adds a record that may belong to a table. Other records are lost at once, so that damage takes no memory.
  ///
  /// - Parameters:
  ///   - begun: the tables that were begun before it.
  ///   - slice: its bytes, if there may be very many equal records.
  ///   - error: the reason why the table before it cannot hold it, if it is known to belong to that table.
  mutating func add(
    _ record: Record, _ begun: Set<ExactText>, _ unknown: SalvageUnknown, _ slice: SalvageRepeats.Slice?,
    _ error: (any Error)?
  ) {
    let isKept = record.table.map { isUnknown($0) && unknown.keeps($0) } ?? false
    let fits = fits(record, begun, unknown)
    if fits.isEmpty, !isKept {
      lose(record, error.map { failure($0, record) } ?? stray(record))
      if let slice { repeats[slice] = .lost }
    } else {
      candidates.append(Candidate(record: record, fits: fits))
      // In an unknown table, two equal records may be two records.
      if let slice, !isKept { repeats[slice] = .waits(candidates.count - 1) }
    }
  }

  /// Whether a record with the same bytes came before. If so, this record has the same result.
  mutating func addRepeated(_ slice: SalvageRepeats.Slice) -> Bool {
    switch repeats[slice] {
    case nil: return false
    case .lost: log.addUnlisted(1)
    case .waits(let index): candidates[index].copies += 1
    }
    return true
  }

  /// The tables to which a record may belong.
  private func fits(
    _ record: Record, _ begun: Set<ExactText>, _ unknown: SalvageUnknown
  ) -> [(table: String, fit: SalvageFit)] {
    if record.isNamed { return [] }
    let doubted = record.index == nil ? record.table.map { ExactText($0) } : nil
    var fits: [(table: String, fit: SalvageFit)] = []
    for name in fields.tableNames {
      guard let collector = fields[name] else { continue }
      // It may also belong to a table whose beginning was not seen.
      let isLost = collector.knowsForm && !begun.contains(ExactText(name))
      if isLost || ExactText(name) == doubted, let fit = try? collector.fit(record.item) { fits.append((name, fit)) }
    }
    return fits
  }

  private func isUnknown(_ table: String?) -> Bool { table.map { !fields.isTable($0) } ?? false }

  // MARK: At the end

  /// Puts every record into its table, or loses it.
  ///
  /// - Parameter begun: all tables that were begun in the file.
  /// - Returns: the number of kept records, and for each table the number that came from behind other tables.
  mutating func settle(
    _ begun: Set<ExactText>, _ unknown: inout SalvageUnknown
  ) -> (count: Int, moved: [String: Int]) {
    var count = 0
    var moved: [String: Int] = [:]
    for candidate in candidates {
      let record = candidate.record
      if let name = settle(candidate, begun) {
        count += 1
        if ExactText(name) != record.table.map({ ExactText($0) }) { moved[name, default: 0] += 1 }
      } else if isUnknown(record.table), let table = record.table, unknown.add(record: record.item, of: table) {
        count += 1
      } else {
        lose(record, reason(record, unknown))
        log.addUnlisted(candidate.copies)
      }
    }
    candidates = []
    return (count, moved)
  }

  /// Puts a record into the only table to which it can belong.
  ///
  /// - Returns: the name of the table; nil if no table or more than one is possible.
  private func settle(_ candidate: Candidate, _ begun: Set<ExactText>) -> String? {
    let record = candidate.record
    let table = record.table.map { ExactText($0) }
    let fits = candidate.fits.filter {
      ExactText($0.table) == table || !begun.contains(ExactText($0.table))
    }
    var possible = fits.filter { $0.fit == .exact }
    // A record with unknown keys may belong to any table that requires few keys.
    if possible.isEmpty, !isUnknown(record.table) { possible = fits }
    guard possible.count == 1, let name = possible.first?.table,
      (try? fields[name]?.add(record.item, record.range, nil)) != nil
    else { return nil }
    return name
  }

  // MARK: Losses

  private func lose(_ record: Record, _ error: @autoclosure () -> SnapshotError) {
    log.addRecord(
      error(), table: record.table, index: record.index, readable: record.item, record.range)
  }

  /// The reason why a record is in no table.
  private func reason(_ record: Record, _ unknown: SalvageUnknown) -> SnapshotError {
    if let table = record.table, unknown.tree.hasValue(table) {
      return SnapshotError(
        .duplicate, "the name occurs twice", position: SnapshotError.Position(offset: record.range.lowerBound))
    }
    guard let table = record.table, record.index != nil else { return stray(record) }
    do {
      _ = try fields[table]?.fit(record.item)
      return stray(record)
    } catch {
      return failure(error, record)
    }
  }

  private func stray(_ record: Record) -> SnapshotError {
    SnapshotError(
      .unknownKey, "it is not known to which table the record belongs",
      position: SnapshotError.Position(offset: record.item.offset))
  }

  /// The reason why the table before a record cannot hold it.
  private func failure(_ error: any Error, _ record: Record) -> SnapshotError {
    let place = "\(record.table ?? "")[\(record.index ?? 0)]"
    return SnapshotError.decoding(error, of: record.item, at: place, in: source)
  }
}
