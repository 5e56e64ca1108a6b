/// The tables of a model, as salvage finds them in a file.
///
/// A record belongs to the table that was begun before it. If that is in doubt because bytes were lost in between that may
/// have been the end of a table or the beginning of one, or if the table cannot hold the record, the record waits until all
/// of the file has been seen; see ``SalvageWaiting``.
final class SalvageTables {
  private let fields: SalvageFields
  /// The single values.
  private var values: SalvageValues
  /// The tables and values that are none of the model's.
  private var unknownContent: SalvageUnknown
  /// The records of which it is not known yet to which table they belong.
  private var waiting: SalvageWaiting
  private let source: SourceText
  private let log: SalvageLog

  /// What the file says of itself; known at the end.
  private(set) var header: DocumentHeader?
  private var headerMembers: [Item.Member] = []
  /// The table that was begun last.
  private(set) var current: String?
  private var isCertain = false
  private var begun: Set<ExactText> = []
  /// How many records each table has had, lost ones included.
  private var positions: [ExactText: Int] = [:]
  /// The last record that was put into a table, and that table.
  private var lastAdded: (bytes: Range<Int>, table: String)?
  /// How many records and unknown single values were read.
  private var ownCount = 0
  /// How many records and single values were read.
  var recordCount: Int { ownCount + values.count }

  init(
    _ collectors: [any SalvageCollector], _ source: SourceText, _ log: SalvageLog,
    keepsUnknown: Bool, namesEmptyTables: Bool
  ) {
    fields = SalvageFields(collectors)
    values = SalvageValues(collectors, source, log)
    unknownContent = SalvageUnknown(isKept: keepsUnknown)
    waiting = SalvageWaiting(fields, source, log, namesEmptyTables: namesEmptyTables)
    self.source = source
    self.log = log
  }

  /// The tables and values that are none of the model's, as far as they are kept.
  var unknown: MigrationTree { unknownContent.tree }

  /// Whether the file has anything to do with the model: a record, or the name of a table.
  var foundAnything: Bool { recordCount > 0 || !begun.isEmpty }

  func isTable(_ name: String) -> Bool { fields.isTable(name) }
  func isValue(_ name: String) -> Bool { fields.isValue(name) }
  func isField(_ name: String) -> Bool { fields[name] != nil }
  var tableNames: [String] { fields.tableNames }
  var valueNames: [String] { fields.valueNames }

  /// Whether the records at hand are known to be of a table that can hold this one.
  func isOfCurrentTable(_ item: Item) -> Bool {
    isCertain && (try? current.flatMap { fields[$0] }?.fit(item)) != nil
  }

  /// Whether what was read as a record is the whole of a file, or a part of it that holds tables.
  func isFrame(_ item: Item) -> Bool {
    guard current == nil, case .dictionary(let members) = item.content else { return false }
    return members.contains { member in
      if case .array = member.value.content { isTable(member.key.text) } else { false }
    }
  }

  // MARK: While the file is read

  /// A part of what the file says of itself; newline-delimited JSON has two.
  func read(header item: Item) {
    guard case .dictionary(let members) = item.content else { return }
    var known = Set(headerMembers.map(\.key))
    headerMembers += members.filter { known.insert($0.key).inserted }
  }

  /// The records that follow are of a table.
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

  /// From here on records may be of the current table or of another one.
  func doubt() { isCertain = false }

  /// A record, well formed.
  ///
  /// - Parameter bytes: what tells it from others, if that is not where it stands. In a binary list these are its references.
  func add(_ item: Item, _ range: Range<Int>, bytes: Range<Int>? = nil) {
    let bytes = bytes ?? range
    if addRepeated(bytes) { return }
    let record = SalvageWaiting.Record(item: item, range: range, table: current, index: nextIndex())
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

  /// Whether a record of the same bytes was there before, with the same table before it; if so, this one has the same fate.
  func addRepeated(_ bytes: Range<Int>) -> Bool {
    guard let slice = slice(bytes), waiting.addRepeated(slice) else { return false }
    _ = nextIndex()
    return true
  }

  /// Whether a record has the bytes of the one before it in its table, and so is the same.
  private func isCopyOfLast(_ bytes: Range<Int>, _ table: String) -> Bool {
    guard fields.comparesBytes, !bytes.isEmpty, let lastAdded,
      ExactText(lastAdded.table) == ExactText(table),
      lastAdded.bytes.count == bytes.count
    else { return false }
    return source.bytes[lastAdded.bytes] == source.bytes[bytes]
  }

  /// The bytes of a record, if it may be one of very many that are the same, of which the first ones tell enough.
  private func slice(_ bytes: Range<Int>) -> SalvageRepeats.Slice? {
    guard fields.comparesBytes, !bytes.isEmpty, bytes.count <= SalvageRepeats.limit,
      log.isFull || waiting.count >= SalvageLoss.listLimit
    else { return nil }
    return SalvageRepeats.Slice(bytes: source.bytes[bytes], table: current, isCertain: isCertain)
  }

  /// A record that breaks the rules of its format.
  func lose(_ error: SnapshotError, readable: @autoclosure () -> Item?, _ range: Range<Int>) {
    log.addRecord(error, table: current, index: nextIndex(), readable: readable(), range)
  }

  /// Bytes that are not even the beginning of a record.
  func loseBytes(_ error: @autoclosure () -> SnapshotError, _ range: Range<Int>) {
    log.addBytes(error(), table: current, range)
  }

  /// What stands under a name that is none of a table, well formed.
  ///
  /// - Returns: whether it is taken for a member of the file.
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

  /// What could not be read, under the name of a member if that is known.
  func lose(_ member: SalvageMember?, _ error: SnapshotError, _ range: Range<Int>) {
    guard let member, isValue(member.name), member.certainty > .none else {
      return log.addBytes(error, table: member?.name ?? current, range)
    }
    lose(value: member.name, error, range)
    // Its elements may look like records.
    if member.isArray { current = member.name }
    doubt()
  }

  /// A single value, well formed.
  func add(value item: Item, of name: String, _ certainty: SalvageCertainty, _ range: Range<Int>) {
    if isValue(name) { return values.add(item, of: name, certainty, range) }
    guard !isTable(name), unknownContent.canKeep(item, of: name) else {
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
    // What is only likely to be a member of this format does not tell that the file has it.
    if certainty == .certain { ownCount += 1 }
    unknownContent.set(value: item, of: name)
  }

  /// A single value that cannot be read.
  func lose(value name: String, _ error: SnapshotError, _ range: Range<Int>) {
    values.lose(name, error, range)
  }

  /// A line of a value that is an array, as it is written where nothing tells that from a table.
  func add(element item: Item, of name: String, _ range: Range<Int>) {
    values.add(element: item, of: name, range)
  }

  /// Such a line that cannot be read.
  func lose(elementOf name: String, _ error: SnapshotError, _ range: Range<Int>) {
    values.lose(elementOf: name, error, range)
  }

  private func nextIndex() -> Int? {
    guard isCertain, let current else { return nil }
    defer { positions[ExactText(current), default: 0] += 1 }
    return positions[ExactText(current), default: 0]
  }

  func error(_ code: SnapshotError.Code, _ message: String, _ offset: Int) -> SnapshotError {
    SnapshotError(code, message, position: FilePosition(offset: offset))
  }

  // MARK: At the end

  /// Puts the records that wait into tables, and reports what is missing.
  func settle(missingTables: Bool, missingValues reportsMissingValues: Bool) {
    if !headerMembers.isEmpty {
      header = try? DocumentHeader(Item(.dictionary(headerMembers)), in: source)
    }
    let settled = waiting.settle(begun, &unknownContent)
    ownCount += settled.count
    values.settle(reportsMissing: reportsMissingValues)
    for name in tableNames where !begun.contains(ExactText(name)) {
      if let count = settled.moved[name] {
        let message =
          "the beginning of the table is lost; by their form, \(count.counted("record")) can only be of this one"
        log.add(SnapshotError(.malformed, message), .table, table: name)
      } else if missingTables {
        log.add(SnapshotError(.missingKey, "the table is missing"), .table, table: name)
      }
    }
  }
}
