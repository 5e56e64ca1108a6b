/// The tables of a model, as salvage finds them in a file.
///
/// A record belongs to the table that was begun before it. If that is in doubt because bytes were lost in between that may
/// have been the end of a table or the beginning of one, or if the table cannot hold the record, the record waits until all
/// of the file has been seen; see ``settle(missingTables:missingValues:)``.
final class SalvageTables {
  private let collectors: [ExactText: any SalvageCollector]
  private let names: [String]
  /// The single values.
  private var values: SalvageValues
  let valueNames: [String]
  private let source: SourceText
  private let log: SalvageLog
  /// Whether records with the same bytes are the same. Without its type, two records that are equal may be two.
  private let comparesBytes: Bool
  /// Whether tables and values that are none of the model's are kept as they are; otherwise they are lost.
  private let keepsUnknown: Bool
  /// Those tables and values.
  private(set) var unknown = MigrationTree()
  /// The names of unknown tables that were begun. Records of them may still wait.
  private var unknownBegun: Set<ExactText> = []

  /// What the file says of itself; known at the end.
  private(set) var header: DocumentHeader?
  private var headerMembers: [Item.Member] = []
  /// The table that was begun last.
  private(set) var current: String?
  private var isCertain = false
  private var begun: Set<ExactText> = []
  /// How many records each table has had, lost ones included.
  private var positions: [ExactText: Int] = [:]
  private var waiting: [Waiting] = []
  private var repeats = SalvageRepeats()
  /// The last record that was put into a table, and that table.
  private var lastAdded: (bytes: Range<Int>, table: String)?
  /// How many records and unknown single values were read.
  private var ownCount = 0
  /// How many records and single values were read.
  var recordCount: Int { ownCount + values.count }

  /// A record that may be one of some tables, or that is kept under the name of an unknown one.
  private struct Waiting {
    let item: Item
    let range: Range<Int>
    let table: String?
    let index: Int?
    let fits: [(table: String, fit: SalvageFit)]
    /// How many records behind it have the same bytes, and so the same fate.
    var copies = 0
  }

  init(
    _ collectors: [any SalvageCollector], _ source: SourceText, _ log: SalvageLog,
    keepsUnknown: Bool
  ) {
    self.keepsUnknown = keepsUnknown
    self.collectors = Dictionary(uniqueKeysWithValues: collectors.map { (ExactText($0.name), $0) })
    names = collectors.filter { !$0.isValue }.map(\.name)
    valueNames = collectors.filter(\.isValue).map(\.name)
    values = SalvageValues(collectors, source, log)
    self.source = source
    self.log = log
    comparesBytes = collectors.allSatisfy { $0.knowsForm || $0.isValue }
  }

  /// Whether the file has anything to do with the model: a record, or the name of a table.
  var foundAnything: Bool { recordCount > 0 || !begun.isEmpty }

  func isTable(_ name: String) -> Bool { collectors[ExactText(name)]?.isValue == false }
  func isValue(_ name: String) -> Bool { values.isValue(name) }
  func isField(_ name: String) -> Bool { collectors[ExactText(name)] != nil }
  var tableNames: [String] { names }

  /// Whether the records at hand are known to be of a table that can hold this one.
  func isOfCurrentTable(_ item: Item) -> Bool {
    isCertain && (try? current.flatMap { collectors[ExactText($0)] }?.fit(item)) != nil
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
    if !isCertain, keepsUnknown {
      unknownBegun.insert(ExactText(name))
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
    let index = nextIndex()
    let slice = slice(bytes)
    guard isCertain, let current, let collector = collectors[ExactText(current)] else {
      return wait(item, range, index: nil, slice, stray(item))
    }
    do {
      if !isCopyOfLast(bytes, current) { try collector.add(item, range, index) }
      lastAdded = (bytes, current)
      ownCount += 1
    } catch {
      wait(item, range, index: index, slice, decodingFailure(error, item, current, index))
    }
  }

  /// Lets a record wait if it may be of any table. If not, it is lost at once, so that damage takes no memory.
  private func wait(
    _ item: Item, _ range: Range<Int>, index: Int?, _ slice: SalvageRepeats.Slice?,
    _ error: @autoclosure () -> SnapshotError
  ) {
    let known = index == nil ? current : nil
    let isKept = isUnknown(current) && keepsUnknown && item.isKeptExactly
    var fits: [(table: String, fit: SalvageFit)] = []
    for name in names where name == known || mayBeLost(name, current) {
      if let fit = try? collectors[ExactText(name)]?.fit(item) { fits.append((name, fit)) }
    }
    if fits.isEmpty, !isKept {
      log.addRecord(error(), table: current, index: index, readable: item, range)
      if let slice { repeats[slice] = .lost }
    } else {
      waiting.append(Waiting(item: item, range: range, table: current, index: index, fits: fits))
      // Of what is kept as it is, nothing tells whether two that are equal are one.
      if let slice, !isKept { repeats[slice] = .waits(waiting.count - 1) }
    }
  }

  /// Whether records behind a table may be those of another one, whose beginning was not seen.
  private func mayBeLost(_ name: String, _ before: String?) -> Bool {
    if begun.contains(ExactText(name)) || collectors[ExactText(name)]?.knowsForm != true {
      return false
    }
    // Newline-delimited JSON does not name tables without records, so a table of which nothing is there is not suspicious.
    return !(isUnknown(before) && keepsUnknown && source.format == .ndjson)
  }

  private func isUnknown(_ table: String?) -> Bool { table.map { !isTable($0) } ?? false }

  /// Whether a record of the same bytes was there before, with the same table before it; if so, this one has the same fate.
  func addRepeated(_ bytes: Range<Int>) -> Bool {
    guard let slice = slice(bytes), let fate = repeats[slice] else { return false }
    _ = nextIndex()
    switch fate {
    case .lost: log.addUnlisted(1)
    case .waits(let index): waiting[index].copies += 1
    }
    return true
  }

  /// Whether a record has the bytes of the one before it in its table, and so is the same.
  private func isCopyOfLast(_ bytes: Range<Int>, _ table: String) -> Bool {
    guard comparesBytes, !bytes.isEmpty, let lastAdded,
      ExactText(lastAdded.table) == ExactText(table),
      lastAdded.bytes.count == bytes.count
    else { return false }
    return source.bytes[lastAdded.bytes] == source.bytes[bytes]
  }

  /// The bytes of a record, if it may be one of very many that are the same, of which the first ones tell enough.
  private func slice(_ bytes: Range<Int>) -> SalvageRepeats.Slice? {
    guard comparesBytes, !bytes.isEmpty, bytes.count <= SalvageRepeats.limit,
      log.isFull || waiting.count >= SalvageLoss.listLimit
    else { return nil }
    return SalvageRepeats.Slice(bytes: source.bytes[bytes], table: current, isCertain: isCertain)
  }

  private func stray(_ item: Item) -> SnapshotError {
    error(.unknownKey, "it is not known to which table the record belongs", item.offset)
  }

  private func decodingFailure(_ error: any Error, _ item: Item, _ table: String, _ index: Int?)
    -> SnapshotError
  {
    SnapshotError.decoding(error, of: item, at: "\(table)[\(index ?? 0)]", in: source)
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
      if case .array(let items) = item.content, !isValue(name) {
        add(unknown: items, of: name, range)
      } else {
        add(value: item, of: name, certainty, range)
      }
      return true
    }
    let message = "it may be a property of a record that has lost its beginning"
    log.addBytes(error(.malformed, message, range.lowerBound), table: name, range)
    doubt()
    return false
  }

  /// The elements of an array whose name the schema does not know, none of which is a record.
  private func add(unknown items: [Item], of name: String, _ range: Range<Int>) {
    guard keepsUnknown, items.allSatisfy(\.isKeptExactly), !unknownBegun.contains(ExactText(name)),
      !unknown.hasValue(name)
    else {
      return add(value: Item(.array(items)), of: name, .frame, range)
    }
    unknownBegun.insert(ExactText(name))
    unknown.add(UntypedTable(name: name, items: items), as: name)
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
    guard !isTable(name), keepsUnknown, item.isKeptExactly else {
      return log.addBytes(
        error(
          .unknownKey, "there is no field \(name.quotedForMessage()) in the schema",
          range.lowerBound), table: name,
        range)
    }
    if unknownBegun.contains(ExactText(name)) || unknown.hasValue(name) {
      return log.addBytes(
        error(.duplicate, "the name occurs twice", range.lowerBound), table: name, range)
    }
    // What is only likely to be a member of this format does not tell that the file has it.
    if certainty == .certain { ownCount += 1 }
    unknown[value: name] = UntypedValue(item)
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

  /// Puts every record that waits into a table if there is only one that it can be of: the one that was begun before it, or
  /// one that was begun nowhere in the file, and whose records are of its form. All others are lost.
  func settle(missingTables: Bool, missingValues reportsMissingValues: Bool) {
    if !headerMembers.isEmpty {
      header = try? DocumentHeader(Item(.dictionary(headerMembers)), in: source)
    }
    let unbegun = names.filter { !begun.contains(ExactText($0)) }
    var moved: [String: Int] = [:]
    for record in waiting {
      if let name = settle(record) {
        if ExactText(name) != record.table.map({ ExactText($0) }) { moved[name, default: 0] += 1 }
      } else if isUnknown(record.table), keepsUnknown, let table = record.table,
        record.item.isKeptExactly,
        !unknown.hasValue(table)
      {
        unknown.add(UntypedTable(name: table, items: [record.item]), as: table)
        ownCount += 1
      } else {
        lose(record)
      }
    }
    waiting = []
    values.settle(reportsMissing: reportsMissingValues)
    for name in unbegun {
      if let count = moved[name] {
        let message =
          "the beginning of the table is lost; by their form, \(count.counted("record")) can only be of this one"
        log.add(SnapshotError(.malformed, message), .table, table: name)
      } else if missingTables {
        log.add(SnapshotError(.missingKey, "the table is missing"), .table, table: name)
      }
    }
  }

  /// Puts a record into the one table that it can be of.
  ///
  /// - Returns: its name; nil if there is none, or more than one.
  private func settle(_ record: Waiting) -> String? {
    let table = record.table.map { ExactText($0) }
    let fits = record.fits.filter {
      ExactText($0.table) == table || !begun.contains(ExactText($0.table))
    }
    var possible = fits.filter { $0.fit == .exact }
    // With keys that nobody knows, it may be of any table that asks for little.
    if possible.isEmpty, !isUnknown(record.table) { possible = fits }
    guard possible.count == 1, let name = possible.first?.table,
      (try? collectors[ExactText(name)]?.add(record.item, record.range, nil)) != nil
    else { return nil }
    ownCount += 1
    return name
  }

  private func lose(_ record: Waiting) {
    log.addRecord(
      reason(record), table: record.table, index: record.index, readable: record.item, record.range)
    log.addUnlisted(record.copies)
  }

  /// Why a record that waits is in no table.
  private func reason(_ record: Waiting) -> SnapshotError {
    if let table = record.table, unknown.hasValue(table) {
      return error(.duplicate, "the name occurs twice", record.range.lowerBound)
    }
    guard let table = record.table, let index = record.index else { return stray(record.item) }
    do {
      _ = try collectors[ExactText(table)]?.fit(record.item)
      return stray(record.item)
    } catch {
      return decodingFailure(error, record.item, table, index)
    }
  }
}
