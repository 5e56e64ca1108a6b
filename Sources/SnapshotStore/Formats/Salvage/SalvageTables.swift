/// The tables of a model, as salvage finds them in a file.
///
/// A record belongs to the table that was begun before it. If that is in doubt because bytes were lost in between that may
/// have been the end of a table or the beginning of one, or if the table cannot hold the record, the record waits until all
/// of the file has been seen; see ``settle(missingTables:missingValues:)``.
final class SalvageTables {
  private let collectors: [String: any SalvageCollector]
  private let names: [String]
  private let values: [String]
  /// The single values that were read, and those of which it is known that they could not be.
  private var valuesRead: Set<String> = []
  private var valuesLost: Set<String> = []
  private let source: SourceText
  private let log: SalvageLog
  /// Whether tables and values that are none of the model's are kept as they are; otherwise they are lost.
  private let keepsUnknown: Bool
  /// Those tables and values.
  private(set) var unknown = MigrationTree()

  /// What the file says of itself; known at the end.
  private(set) var header: DocumentHeader?
  private var headerMembers: [Item.Member] = []
  /// The table that was begun last.
  private(set) var current: String?
  private var isCertain = false
  private var begun: Set<String> = []
  /// How many records each table has had, lost ones included.
  private var positions: [String: Int] = [:]
  private var waiting: [Waiting] = []
  /// How many records and single values were read.
  private(set) var recordCount = 0

  private struct Waiting {
    let item: Item
    let range: Range<Int>
    let table: String?
    let index: Int?
    let error: SnapshotError
  }

  init(
    _ collectors: [any SalvageCollector], _ source: SourceText, _ log: SalvageLog, keepsUnknown: Bool
  ) {
    self.keepsUnknown = keepsUnknown
    self.collectors = Dictionary(uniqueKeysWithValues: collectors.map { ($0.name, $0) })
    names = collectors.filter { !$0.isValue }.map(\.name)
    values = collectors.filter(\.isValue).map(\.name)
    self.source = source
    self.log = log
  }

  /// Whether the file has anything to do with the model: a record, or the name of a table.
  var foundAnything: Bool { recordCount > 0 || !begun.isEmpty }

  func isTable(_ name: String) -> Bool { collectors[name]?.isValue == false }
  func isValue(_ name: String) -> Bool { collectors[name]?.isValue == true }
  /// Whether a member of the file may be a single value. Before anything of the file's frame was seen it may be a property of a record that has
  /// lost its beginning.
  func isMember(_ name: String) -> Bool { isValue(name) && (current != nil || !headerMembers.isEmpty) }
  var tableNames: [String] { names }
  var valueNames: [String] { values }

  /// Whether the records at hand are known to be of a table that can hold this one.
  func isOfCurrentTable(_ item: Item) -> Bool {
    isCertain && current.flatMap { collectors[$0] }?.accepts(item, strictly: false) == true
  }

  /// Whether what was read as a record is the whole of a file, or a part of it that holds tables.
  func isFrame(_ item: Item) -> Bool {
    guard current == nil, case .dictionary(let members) = item.content else { return false }
    return members.contains { member in
      if case .array = member.value.content { isTable(member.key) } else { false }
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
    if isCertain { collectors[name]?.begin() }
    if !isCertain, keepsUnknown {
      unknown.add(UntypedTable(name: name), as: name)
    } else if !isCertain {
      log.addBytes(
        error(.unknownKey, "there is no table \(name.quotedForMessage()) in the schema", offset), table: name,
        offset..<offset)
    } else if !begun.insert(name).inserted, !mayReturn {
      log.addBytes(error(.duplicate, "the table begins for a second time", offset), table: name, offset..<offset)
    }
  }

  /// From here on records may be of the current table or of another one.
  func doubt() { isCertain = false }

  /// A record, well formed.
  func add(_ item: Item, _ range: Range<Int>) {
    let index = nextIndex()
    guard isCertain, let current, let collector = collectors[current] else {
      let unknown = error(.unknownKey, "it is not known to which table the record belongs", item.offset)
      waiting.append(Waiting(item: item, range: range, table: current, index: nil, error: unknown))
      return
    }
    do {
      try collector.add(item, range, index)
      recordCount += 1
    } catch {
      let place = "\(current)[\(index ?? 0)]"
      let error = SnapshotError.decoding(error, of: item, at: place, in: source)
      waiting.append(Waiting(item: item, range: range, table: current, index: index, error: error))
    }
  }

  /// A record that breaks the rules of its format.
  func lose(_ error: SnapshotError, readable: Item?, _ range: Range<Int>) {
    log.addRecord(error, table: current, index: nextIndex(), readable: readable, range)
  }

  /// Bytes that are not even the beginning of a record.
  func loseBytes(_ error: SnapshotError, _ range: Range<Int>) { log.addBytes(error, table: current, range) }

  /// A single value, well formed. Of several the first that can be read is kept.
  func add(value item: Item, of name: String, _ range: Range<Int>) {
    guard let collector = collectors[name], collector.isValue else {
      if collectors[name] == nil, keepsUnknown, item.isKeptExactly, !unknown.has(name) {
        recordCount += 1
        unknown[value: name] = UntypedValue(item)
        return
      }
      return loseBytes(
        error(.unknownKey, "there is no field \(name.quotedForMessage()) in the schema", range.lowerBound), range)
    }
    do {
      if valuesRead.contains(name) { throw error(.duplicate, "the value occurs twice", range.lowerBound) }
      try collector.add(item, range, nil)
      recordCount += 1
      valuesRead.insert(name)
    } catch {
      let failure = error as? SnapshotError ?? SnapshotError.decoding(error, of: item, at: name, in: source)
      lose(value: name, failure, range)
    }
  }

  /// A single value that cannot be read.
  func lose(value name: String, _ error: SnapshotError, _ range: Range<Int>) {
    valuesLost.insert(name)
    log.addValue(error, name, range)
  }

  private func nextIndex() -> Int? {
    guard isCertain, let current else { return nil }
    defer { positions[current, default: 0] += 1 }
    return positions[current, default: 0]
  }

  func error(_ code: SnapshotError.Code, _ message: String, _ offset: Int) -> SnapshotError {
    SnapshotError(code, message, position: FilePosition(offset: offset))
  }

  // MARK: At the end

  /// Puts every record that waits into a table if there is only one that it can be of: the one that was begun before it, or
  /// one that was begun nowhere in the file, and whose records are of its form. All others are lost.
  func settle(missingTables: Bool, missingValues reportsMissingValues: Bool) {
    if !headerMembers.isEmpty { header = try? DocumentHeader(Item(.dictionary(headerMembers)), in: source) }
    let unbegun = names.filter { !begun.contains($0) }
    var moved: [String: Int] = [:]
    for record in waiting {
      let known = record.table.flatMap { isTable($0) && record.index == nil ? $0 : nil }
      let isUnknown = record.table.map { !isTable($0) } ?? false
      // Newline-delimited JSON does not name tables without records, so a table of which nothing is there is not suspicious.
      let mayBeMoved = !(isUnknown && keepsUnknown && source.format == .ndjson)
      let names = (mayBeMoved ? unbegun : []) + [known].compactMap { $0 }
      var possible = names.filter { collectors[$0]?.accepts(record.item, strictly: true) == true }
      // With keys that nobody knows, it may be of any table that asks for little.
      if possible.isEmpty, !isUnknown {
        possible = names.filter { collectors[$0]?.accepts(record.item, strictly: false) == true }
      }
      if possible.count != 1, isUnknown, keepsUnknown, let table = record.table, record.item.isKeptExactly {
        unknown.add(UntypedTable(name: table, items: [record.item]), as: table)
        recordCount += 1
        continue
      }
      guard possible.count == 1, let collector = collectors[possible[0]],
        (try? collector.add(record.item, record.range, nil)) != nil
      else {
        log.addRecord(
          record.error, table: record.table, index: record.index, readable: record.item, record.range)
        continue
      }
      recordCount += 1
      if possible[0] != record.table { moved[possible[0], default: 0] += 1 }
    }
    waiting = []
    // A name without records may be what damage has made of another one, or of a key.
    for name in unknown.tableNames where unknown[name].count == 0 { unknown.dropTable(name) }
    if reportsMissingValues {
      for name in values where !valuesRead.contains(name) && !valuesLost.contains(name) {
        log.addValue(
          SnapshotError(.missingKey, "the value is missing or damaged; it is what the empty model has"), name, nil)
      }
    }
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
}
