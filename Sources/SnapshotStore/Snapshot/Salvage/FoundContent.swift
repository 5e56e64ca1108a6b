/// What salvage finds in a damaged file, before anything is decoded.
struct FoundContent {
  struct Record {
    var item: Item
    let range: Range<Int>
    /// Its index in its table, which counts lost records; nil if the table is uncertain.
    let index: Int?
  }

  /// The records that follow one name, or whose name is lost.
  struct Section {
    /// The name above them; nil if it is lost.
    var table: String?
    /// The name above, which another one may have followed.
    var uncertainName: String?
    /// Where they begin.
    let offset: Int
    var records: [Record] = []
  }

  struct Value {
    let name: String
    let item: Item
    let range: Range<Int>
  }

  let log: SalvageLog
  private(set) var headerMembers: [Item.Member] = []
  private var headerRanges: [Range<Int>] = []
  /// The names of tables and arrays of which an element is lost.
  private(set) var damaged: Set<ExactText> = []
  private(set) var sections: [Section] = []
  private(set) var values: [Value] = []
  private let tables: Set<ExactText>
  private let valueNames: Set<ExactText>
  /// Whether the name of a table was found.
  private(set) var hasTables = false
  private var positions: [ExactText: Int] = [:]

  /// - Parameters:
  ///   - tables: the names of the tables of the schema.
  ///   - values: those of its single values.
  init(tables: [String], values: [String], _ log: SalvageLog) {
    self.tables = Set(tables.map { ExactText($0) })
    valueNames = Set(values.map { ExactText($0) })
    self.log = log
  }

  func isTable(_ name: String) -> Bool { tables.contains(ExactText(name)) }
  func isValue(_ name: String) -> Bool { valueNames.contains(ExactText(name)) }

  /// Whether a part of the frame was found: the header, or the name of a table.
  var hasNames: Bool { !headerMembers.isEmpty || hasTables }

  /// The number of records and values.
  var count: Int { sections.reduce(values.count) { $0 + $1.records.count } }

  /// The number of records whose table is known, and of values.
  var namedCount: Int { sections.reduce(values.count) { $1.table == nil ? $0 : $0 + $1.records.count } }

  /// The header; nil if it is lost.
  func header(in source: SourceText) -> DocumentHeader? {
    if headerMembers.isEmpty { return nil }
    let header = try? DocumentHeader(Item(.dictionary(headerMembers)), in: source)
    if header == nil { for range in headerRanges { log.note(range) } }
    return header
  }

  // MARK: Content

  /// Adds members of the header. It may be in several parts, and a key counts once.
  mutating func add(header item: Item, _ range: Range<Int>) {
    headerRanges.append(range)
    for member in item.allMembers ?? [] {
      if let own = headerMembers.first(where: { $0.key == member.key }) {
        if !Item.areSame(own.value, member.value), own.key != "checksum" { log.note(range) }
      } else {
        headerMembers.append(member)
      }
    }
  }

  /// Begins a table, or continues it. The records that follow belong to it.
  ///
  /// - Parameter name: its name; nil if it is lost.
  mutating func begin(_ name: String?, at offset: Int) {
    if let last = sections.last, let name, last.table.map({ ExactText($0) }) == ExactText(name) { return }
    sections.append(Section(table: name, offset: offset))
    hasTables = hasTables || name != nil
  }

  /// Notes that lost text may have had the name of the records that follow.
  mutating func beginUncertain(at offset: Int) {
    guard let name = sections.last?.table else { return }
    sections.append(Section(table: nil, uncertainName: name, offset: offset))
  }

  mutating func add(_ item: Item, _ range: Range<Int>) {
    let index = nextIndex(range)
    sections[sections.count - 1].records.append(Record(item: item, range: range, index: index))
  }

  mutating func add(value item: Item, of name: String, _ range: Range<Int>) {
    values.append(Value(name: name, item: item, range: range))
  }

  private mutating func nextIndex(_ range: Range<Int>) -> Int? {
    if sections.isEmpty { sections.append(Section(table: nil, offset: range.lowerBound)) }
    return nextIndex(in: sections.last?.table)
  }

  private mutating func nextIndex(in table: String?) -> Int? {
    guard let table else { return nil }
    defer { positions[ExactText(table), default: 0] += 1 }
    return positions[ExactText(table), default: 0]
  }

  // MARK: Losses

  /// Notes a record of the last table that cannot be read.
  mutating func lose(_ error: SnapshotError, readable: @autoclosure () -> Item?, _ range: Range<Int>) {
    lose(error, of: sections.last?.table, readable: readable(), range)
  }

  /// Notes a record that cannot be read, and that names its table.
  mutating func lose(
    _ error: SnapshotError, of table: String?, readable: @autoclosure () -> Item?, _ range: Range<Int>
  ) {
    let index = nextIndex(in: table)
    if let table {
      damaged.insert(ExactText(table))
      if isValue(table) { return log.addValue(error, table, range) }
    }
    log.addRecord(error, table: table, index: index, readable: readable(), range)
  }

  /// Notes that the values up to here may be properties of a record that has lost its beginning.
  mutating func loseValues() {
    for value in values {
      let error = SnapshotError(
        .malformed, "it may be a property of a record", position: SnapshotError.Position(offset: value.range.lowerBound)
      )
      lose(value: value.name, error, value.range)
    }
    values = []
  }

  /// Notes a single value that cannot be read.
  func lose(value name: String, _ error: SnapshotError, _ range: Range<Int>) {
    if isValue(name) { log.addValue(error, name, range) } else { log.addBytes(error, table: name, range) }
  }

  /// Notes bytes that are not even the beginning of a record.
  func loseBytes(_ error: SnapshotError, _ range: Range<Int>) {
    log.addBytes(error, table: sections.last?.table, range)
  }

  // MARK: Two sides

  /// Gives doubtful records to the name above them if every name of a file was read: then no other can be lost.
  mutating func settle(names: [String]) {
    let read = Set(sections.compactMap { $0.table.map { ExactText($0) } }).union(damaged)
    guard names.allSatisfy({ read.contains(ExactText($0)) }) else { return }
    for index in sections.indices where sections[index].table == nil {
      sections[index].table = sections[index].uncertainName
    }
  }

  /// Adds what only the other side of a conflict has. What both have is at the same place, and is the same.
  mutating func append(_ other: FoundContent) {
    let named = Self.records(other.sections.filter { $0.table != nil })
    for index in sections.indices where sections[index].table == nil {
      sections[index].records.removeAll { Self.has(named, $0) }
    }
    let known = Self.records(sections)
    let theirs = Self.records(other.sections)
    // Records that both have added to one table, at two places.
    var added: [ExactText: Set<[UInt8]>] = [:]
    for section in sections {
      let own = section.records.filter { !Self.has(theirs, $0) }.map(\.item.jsonBytes)
      if let table = section.table { added[ExactText(table), default: []].formUnion(own) }
    }
    add(header: Item(.dictionary(other.headerMembers)), other.headerRanges.first ?? 0..<0)
    for var section in other.sections {
      let added = section.table.flatMap { added[ExactText($0)] } ?? []
      section.records.removeAll { Self.has(known, $0) || added.contains($0.item.jsonBytes) }
      sections.append(section)
    }
    let own = Dictionary(values.map { ($0.range.lowerBound, $0.item) }) { first, _ in first }
    values += other.values.filter { value in own[value.range.lowerBound].map { !Item.areSame($0, value.item) } ?? true }
    damaged.formUnion(other.damaged)
    hasTables = hasTables || other.hasTables
    log.append(other.log)
  }

  private static func records(_ sections: [Section]) -> [Int: Item] {
    Dictionary(sections.flatMap { $0.records.map { ($0.range.lowerBound, $0.item) } }) { first, _ in first }
  }

  private static func has(_ records: [Int: Item], _ record: Record) -> Bool {
    records[record.range.lowerBound].map { Item.areSame($0, record.item) } ?? false
  }
}
