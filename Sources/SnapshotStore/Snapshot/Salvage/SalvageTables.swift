/// The tables of a model, filled with the records that salvage finds.
///
/// A record belongs to the table that was begun before it. This is in doubt if lost bytes between them may have had the
/// end of the table or the beginning of another. A doubtful record waits until the whole file was read; see
/// ``SalvageWaiting``. So does a record that the table cannot hold.
final class SalvageTables {
  private let fields: SalvageFields
  /// The single values.
  private var values: SalvageValues
  /// The tables and values that the model does not have.
  private var unknownContent: SalvageUnknown
  /// The records whose table is not known yet.
  private var waiting: SalvageWaiting
  private let source: SourceText
  private let log: SalvageLog

  /// The header of the file; known at the end.
  private(set) var header: DocumentHeader?
  private var headerMembers: [Item.Member] = []
  /// The table that was begun last.
  private(set) var current: String?
  private var isCertain = false
  private var begun: Set<ExactText> = []
  /// The number of records of each table, including lost ones.
  private var positions: [ExactText: Int] = [:]
  /// The last record that was added to a table, and that table.
  private var lastAdded: (bytes: Range<Int>, table: String)?
  /// The number of records and unknown single values that were read.
  private var ownCount = 0
  /// The number of records and single values that were read.
  var recordCount: Int { ownCount + values.count }

  init(
    _ collectors: [any SalvageCollector], _ source: SourceText, _ log: SalvageLog,
    keepsUnknown: Bool
  ) {
    fields = SalvageFields(collectors)
    values = SalvageValues(collectors, source, log)
    unknownContent = SalvageUnknown(isKept: keepsUnknown)
    waiting = SalvageWaiting(fields, source, log)
    self.source = source
    self.log = log
  }

  /// The unknown tables and values that are kept.
  var unknown: MigrationTree { unknownContent.tree }

  /// The header and the order of the content, for a file without known types; nil if the header is lost.
  var frame: UnknownContent.Frame? {
    header.map {
      UnknownContent.Frame(schema: $0.schema, version: $0.version, names: unknownContent.names)
    }
  }

  /// The unknown tables and arrays that are kept. The header says which of them are single values.
  var unknownTables: [UntypedTable] {
    unknown.tables.map { table in
      var table = table
      if header?.arrays.contains(ExactText(table.name)) == true { table.isSingleValue = true }
      table.statedIDKey = header?.idKeys[ExactText(table.name)]
      return table
    }
  }

  /// Whether the file has content of the model: a record, or the name of a table.
  var foundAnything: Bool { recordCount > 0 || !begun.isEmpty }

  func isTable(_ name: String) -> Bool { fields.isTable(name) }
  func isValue(_ name: String) -> Bool { fields.isValue(name) }
  func isField(_ name: String) -> Bool { fields[name] != nil }
  var tableNames: [String] { fields.tableNames }
  var valueNames: [String] { fields.valueNames }

  /// Whether the current records are known to belong to a table that can hold this one.
  func isOfCurrentTable(_ item: Item) -> Bool {
    isCertain && (try? current.flatMap { fields[$0] }?.fit(item)) != nil
  }

  /// Whether an object that was read as a record is the whole file, or a part of it that contains tables.
  func isFrame(_ item: Item) -> Bool {
    guard current == nil, case .dictionary(let members) = item.content else { return false }
    return members.contains { member in
      if case .array = member.value.content { isTable(member.key.text) } else { false }
    }
  }

  // MARK: While the file is read

  /// Adds a part of the header. Newline-delimited JSON has two parts.
  func read(header item: Item) {
    guard case .dictionary(let members) = item.content else { return }
    var known = Set(headerMembers.map(\.key))
    headerMembers += members.filter { known.insert($0.key).inserted }
  }

  /// Begins a table. The records that follow belong to it.
  ///
  /// - Parameter mayReturn: whether the table may have been begun before.
  func begin(_ name: String, at offset: Int, mayReturn: Bool = false) {
    current = name
    isCertain = isTable(name)
    if !isCertain, unknownContent.keeps(name) {
      unknownContent.begin(name)
    } else if !isCertain {
      log.addBytes(
        error(.unknownKey, "there is no table \(name.quotedForMessage()) in the schema", offset),
        table: name,
        offset..<offset)
    } else if !begun.insert(ExactText(name)).inserted, !mayReturn {
      log.addBytes(
        error(.duplicate, "the table begins for a second time", offset), table: name,
        offset..<offset)
    }
  }

  /// Begins a table of which the file says that it is empty. Records may come nevertheless.
  func begin(emptyTable name: String, at offset: Int) {
    begin(name, at: offset, mayReturn: true)
    if !isTable(name) { unknownContent.addEmptyTable(name) }
  }

  /// Notes that the next records may belong to another table.
  func doubt() { isCertain = false }

  /// Adds a well-formed record.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that identify the record, by default those of `range`. In a binary list these are its
  ///     references.
  ///   - isNamed: whether the record itself names the table that was begun before it.
  func add(_ item: Item, _ range: Range<Int>, bytes: Range<Int>? = nil, isNamed: Bool = false) {
    let bytes = bytes ?? range
    if addRepeated(bytes) { return }
    let record = SalvageWaiting.Record(item: item, range: range, table: current, index: nextIndex(), isNamed: isNamed)
    guard isCertain, let current, let collector = fields[current] else { return wait(record, bytes) }
    do {
      if !isCopyOfLast(bytes, current) { try collector.add(item, range, record.index) }
      lastAdded = (bytes, current)
      ownCount += 1
    } catch {
      wait(record, bytes, error)
    }
  }

  private func wait(_ record: SalvageWaiting.Record, _ bytes: Range<Int>, _ error: (any Error)? = nil) {
    waiting.add(record, begun, unknownContent, slice(bytes), error)
  }

  /// Whether a record with the same bytes came before, after the same table. If so, this record has the same result.
  func addRepeated(_ bytes: Range<Int>) -> Bool {
    guard let slice = slice(bytes), waiting.addRepeated(slice) else { return false }
    _ = nextIndex()
    return true
  }

  /// Whether a record has the same bytes as the previous one in its table. If so, the two are one record.
  private func isCopyOfLast(_ bytes: Range<Int>, _ table: String) -> Bool {
    guard fields.comparesBytes, !bytes.isEmpty, let lastAdded,
      ExactText(lastAdded.table) == ExactText(table),
      lastAdded.bytes.count == bytes.count
    else { return false }
    return source.bytes[lastAdded.bytes] == source.bytes[bytes]
  }

  /// The bytes of a record, if very many records may be equal. The first of them are then enough for the report.
  private func slice(_ bytes: Range<Int>) -> SalvageRepeats.Slice? {
    guard fields.comparesBytes, !bytes.isEmpty, bytes.count <= SalvageRepeats.limit,
      log.isFull || waiting.count >= SalvageLoss.listLimit
    else { return nil }
    return SalvageRepeats.Slice(bytes: source.bytes[bytes], table: current, isCertain: isCertain)
  }

  /// Notes a record that breaks the rules of its format.
  func lose(_ error: SnapshotError, readable: @autoclosure () -> Item?, _ range: Range<Int>) {
    log.addRecord(error, table: current, index: nextIndex(), readable: readable(), range)
  }

  /// Notes bytes that are not even the beginning of a record.
  func loseBytes(_ error: @autoclosure () -> SnapshotError, _ range: Range<Int>) {
    log.addBytes(error(), table: current, range)
  }

  /// Adds the well-formed value under a name that is not a table's.
  ///
  /// - Returns: whether it is accepted as a member of the file.
  func add(member item: Item, _ name: String, _ certainty: SalvageCertainty, _ range: Range<Int>)
    -> Bool
  {
    if certainty >= (isValue(name) ? .possible : .frame) {
      guard case .array(let items) = item.content, !isValue(name) else {
        add(value: item, of: name, certainty, range)
        return true
      }
      if !unknownContent.add(table: items, of: name) {
        add(value: Item(.array(items)), of: name, .frame, range)
      }
      return true
    }
    let message = "it may be a property of a record that has lost its beginning"
    log.addBytes(error(.malformed, message, range.lowerBound), table: name, range)
    doubt()
    return false
  }

  /// Notes a value that could not be read, with the name of its member if that is known.
  func lose(_ member: SalvageMember?, _ error: SnapshotError, _ range: Range<Int>) {
    guard let member, isValue(member.name), member.certainty > .none else {
      return log.addBytes(error, table: member?.name ?? current, range)
    }
    lose(value: member.name, error, range)
    // Elements of the array may look like records.
    if member.isArray { current = member.name }
    doubt()
  }

  /// Adds a well-formed single value.
  func add(value item: Item, of name: String, _ certainty: SalvageCertainty, _ range: Range<Int>) {
    if isValue(name) { return values.add(item, of: name, certainty, range) }
    guard !isTable(name), unknownContent.keeps(name) else {
      return log.addBytes(
        error(
          .unknownKey, "there is no field \(name.quotedForMessage()) in the schema",
          range.lowerBound), table: name,
        range)
    }
    if unknownContent.has(name) {
      return log.addBytes(
        error(.duplicate, "the name occurs twice", range.lowerBound), table: name, range)
    }
    // A member that is only likely to be one does not prove that the file has this format.
    if certainty == .certain { ownCount += 1 }
    unknownContent.set(value: item, of: name)
  }

  /// Notes a single value that cannot be read.
  func lose(value name: String, _ error: SnapshotError, _ range: Range<Int>) {
    values.lose(name, error, range)
  }

  /// Adds an element of a value that is an array. In a format that does not distinguish values from tables, it has its
  /// own line.
  func add(element item: Item, of name: String, _ range: Range<Int>) {
    values.add(element: item, of: name, range)
  }

  /// Notes an element of such a value that cannot be read.
  func lose(elementOf name: String, _ error: SnapshotError, _ range: Range<Int>) {
    values.lose(elementOf: name, error, range)
  }

  private func nextIndex() -> Int? {
    guard isCertain, let current else { return nil }
    defer { positions[ExactText(current), default: 0] += 1 }
    return positions[ExactText(current), default: 0]
  }

  func error(_ code: SnapshotError.Code, _ message: String, _ offset: Int) -> SnapshotError {
    SnapshotError(code, message, position: SnapshotError.Position(offset: offset))
  }

  // MARK: At the end

  /// Puts the waiting records into tables, and reports missing tables and values.
  ///
  /// - Parameter reportsMissing: whether the file should have all tables and values of the schema.
  func settle(reportsMissing: Bool) {
    if !headerMembers.isEmpty {
      header = try? DocumentHeader(Item(.dictionary(headerMembers)), in: source)
    }
    let settled = waiting.settle(begun, &unknownContent)
    ownCount += settled.count
    values.settle(reportsMissing: reportsMissing)
    for name in tableNames where !begun.contains(ExactText(name)) {
      if let count = settled.moved[name] {
        let message =
          "the beginning of the table is lost; by their form, \(count.counted("record")) can only be of this one"
        log.add(SnapshotError(.malformed, message), .table, table: name)
      } else if reportsMissing {
        log.add(SnapshotError(.missingKey, "the table is missing"), .table, table: name)
      }
    }
  }
}
