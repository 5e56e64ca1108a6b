/// The changes that consecutive lines of a journal have, by table and single value.
struct JournalReading<Root: Model> {
  private let context: JournalContext
  private let makers: JournalFields<Root>
  /// Whether a name that the schema does not have is an error. A flattened value may read it.
  private let refusesNames: Bool
  /// What lines do to the tables and single values that the schema names.
  private var fields: [ExactText: any JournalField<Root>] = [:]
  /// The field of the last line. Most lines of a journal name the same table.
  private var latest: (name: ExactText, field: any JournalField<Root>)?
  /// What lines do to others.
  private var others = JournalOthers()

  /// Reads lines in their order.
  init(_ context: JournalContext, _ lines: ArraySlice<Journal.Line>) throws(SnapshotError) {
    self.context = context
    makers = JournalFields()
    refusesNames = context.options.unknownKeys == .refuse && Root.schema.flattened == nil
    try context.source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var scanner = JSONScanner(bytes, of: context.source, limits: context.limits)
      for line in lines {
        do throws(SnapshotError) {
          try read(line, &scanner)
        } catch {
          throw error.inJournal
        }
      }
    }
  }

  private mutating func read(_ line: Journal.Line, _ scanner: inout JSONScanner) throws(SnapshotError) {
    scanner.offset = line.content.lowerBound
    var last = -1
    var ids: [ExactText: IDKey] = [:]
    var tables = SeenNames()
    while scanner.offset < line.content.upperBound {
      if last >= 0 { try scanner.expect(",") }
      let start = scanner.offset
      guard scanner.peek() == UInt8(ascii: "\"") else { throw scanner.failure("expected a key in quotation marks") }
      let name = try scanner.key()
      guard let section = JournalSection(rawValue: name) else {
        throw context.damage("unknown key \(name.quotedForMessage()) in a line of a journal", at: start)
      }
      if section.rank <= last { throw context.damage("the key “\(name)” is not in its place", at: start) }
      last = section.rank
      try scanner.expect(":")
      var names = SeenNames()
      try scanner.object(depth: 1) { scanner, name, offset throws(SnapshotError) in
        guard names.insert(name) else {
          throw context.damage("the name \(name.quotedForMessage()) occurs twice", at: offset)
        }
        switch section {
        case .ids: ids[ExactText(name)] = try idKey(&scanner)
        case .set:
          if tables.contains(name) {
            throw context.damage("\(name.quotedForMessage()) is both a table and a value", at: offset)
          }
          try readValue(name, offset, &scanner, line)
        case .removed, .old, .put:
          tables.insert(name)
          try readTable(name, offset, section, ids[ExactText(name)], &scanner, line)
        }
        return .goOn
      }
    }
    if scanner.offset != line.content.upperBound {
      throw context.damage("the line does not end where its checksum begins", at: line.range.lowerBound)
    }
  }

  private func idKey(_ scanner: inout JSONScanner) throws(SnapshotError) -> IDKey {
    let item = try scanner.value(depth: 2)
    guard let key = IDKey(item) else { throw context.damage("“ids” has a value that is no key", at: item.offset) }
    return key
  }

  private mutating func readTable(
    _ name: String, _ offset: Int, _ section: JournalSection, _ key: IDKey?, _ scanner: inout JSONScanner,
    _ line: Journal.Line
  ) throws(SnapshotError) {
    if let field = field(name) { return try field.read(section, &scanner, line) }
    try refuseHeader(name, offset)
    if refusesNames { throw unknownName("table", name, offset) }
    try others.read(name, section, key ?? .key("id"), &scanner, line, context)
  }

  private mutating func readValue(
    _ name: String, _ offset: Int, _ scanner: inout JSONScanner, _ line: Journal.Line
  ) throws(SnapshotError) {
    if let field = field(name) { return try field.read(.set, &scanner, line) }
    try refuseHeader(name, offset)
    if refusesNames { throw unknownName("field", name, offset) }
    let item = try scanner.value(depth: 2)
    others.set(name, item)
  }

  /// Refuses the name of the header, with which the value could not be saved.
  private func refuseHeader(_ name: String, _ offset: Int) throws(SnapshotError) {
    guard ExactText(name) == "snapshot" else { return }
    throw context.damage("“snapshot” is the name of the header; a table or a value cannot have it", at: offset)
  }

  private mutating func field(_ name: String) -> (any JournalField<Root>)? {
    if let latest, latest.name == ExactText(name) { return latest.field }
    guard let field = fields[ExactText(name)] ?? makers.make(name, context) else { return nil }
    fields[ExactText(name)] = field
    latest = (ExactText(name), field)
    return field
  }

  /// The error for a name that the schema does not have.
  private func unknownName(_ kind: String, _ name: String, _ offset: Int) -> SnapshotError {
    SnapshotError(
      .unknownKey, "there is no \(kind) \(name.quotedForMessage()) in the schema",
      position: context.source.position(offset))
  }

  /// Applies what was read, in the order of the lines.
  static func apply(
    _ readings: [JournalReading], to content: SnapshotContent<Root>, _ idKeys: [ExactText: IDKey]
  ) throws(SnapshotError) -> SnapshotContent<Root> {
    var content = content
    for field in Root.schema.fields {
      let parts = readings.compactMap { $0.fields[ExactText(field.name)] }
      try parts.first?.apply(parts, to: &content)
    }
    var others = JournalOthers()
    for reading in readings { others.append(reading.others) }
    guard !others.isEmpty, let context = readings.first?.context else { return content }
    let before = content.unknown
    try content.scatter()
    try others.apply(to: &content, idKeys, context)
    try content.gather(context.options, in: context.source)
    // Otherwise each line would seem to change it, and the next save would write all tables anew.
    if before.isEmpty, content.unknown.isEmpty {
      let flattened = content.unknown.flattened
      content.unknown = before
      content.unknown.flattened.note(flattened)
    }
    return content
  }
}

/// Names that occurred. Most lines have one, for which no set is made.
private struct SeenNames {
  private var first: ExactText?
  private var others: Set<ExactText> = []

  func contains(_ name: String) -> Bool { first == ExactText(name) || others.contains(ExactText(name)) }

  /// Adds a name. Returns whether it is new.
  @discardableResult
  mutating func insert(_ name: String) -> Bool {
    if first == nil {
      first = ExactText(name)
      return true
    }
    return first != ExactText(name) && others.insert(ExactText(name)).inserted
  }
}

/// What lines do to one table or single value of a schema.
protocol JournalField<Root>: AnyObject {
  associatedtype Root: Model

  /// Reads the array of a table, or a single value.
  func read(_ section: JournalSection, _ scanner: inout JSONScanner, _ line: Journal.Line) throws(SnapshotError)

  /// Applies what several of these have read, in the order of the lines.
  func apply(_ parts: [any JournalField<Root>], to content: inout SnapshotContent<Root>) throws(SnapshotError)
}

/// Makes the readers of tables and single values, each for its type.
private struct JournalFields<Root: Model>: FieldVisitor {
  private var makers: [ExactText: (JournalContext) -> any JournalField<Root>] = [:]

  init() { Root.schema.visit(&self) }

  func make(_ name: String, _ context: JournalContext) -> (any JournalField<Root>)? {
    makers[ExactText(name)]?(context)
  }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    makers[ExactText(name)] = { JournalTable(name, table, $0) }
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {
    // Its members are gathered from what the schema does not name.
    if Root.schema.flattened == ExactText(name) { return }
    makers[ExactText(name)] = { JournalValue(name, value, $0) }
  }
}

extension SnapshotError {
  /// The error for text that breaks the rules of JSON although its checksum is right.
  fileprivate var inJournal: SnapshotError {
    guard code == .malformed, let position else { return self }
    var error = JournalLines.damage(message, position)
    error.dataPath = dataPath
    return error
  }
}
