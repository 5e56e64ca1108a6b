/// The names of a model's tables and single values. The layout of the file, differences, change sets and checks follow
/// from them.
///
/// ```swift
/// struct Library: Model {
///   var books = Table<Book>()
///   var settings = Settings()
///
///   static let schema = Schema(
///     "library", version: 2,
///     Field("books", \Library.books),
///     Field("settings", \Library.settings),
///     migrations: [
///       Migration("titles", to: 2) { try $0["books"].rename("name", to: "title") }
///     ])
/// }
/// ```
public struct Schema<Root: Model>: Sendable {
  /// The name in the file. It keeps another model's program from opening the file.
  public let name: String
  /// The version of the schema, from 1. A file with a higher version is refused, except for reading by request.
  public let version: Int
  /// The steps from older versions to this one. A file of an older version is refused if no steps lead from it.
  let migrations: [Migration]
  /// The values of keys that a file lacks, those of the parts first.
  let defaults: [DefaultValue]
  /// The tables and single values, in the order in which they are written.
  public let fields: [Field<Root>]
  /// The models inside the model.
  let parts: [Part<Root>]
  /// The relations of the model's own tables.
  let relations: [Relation<Root>]
  /// The rules, in the order in which they run: those of the parts, the one that follows relations, then its own.
  let rules: [Rule<Root>]
  /// The validations, including those of the parts.
  let validations: [Validation<Root>]
  /// The tables that remember removed records, without those of the parts.
  let tombstones: [Tombstones<Root>]
  /// The functions of the model for merges, losses and undos; nil if it is not a ``RepairingModel``.
  let repairHooks: RepairHooks<Root>?
  /// Where a value refers to its tables. Nil if a table can be found only by its key path, which is slower.
  let tableReferences: [TableReference]?
  /// The place of each field at which its bytes differ if it differs. For a table it has the reference that identifies
  /// it, for a single value all bytes. Nil for a field that only its key path finds.
  let evidence: [Range<Int>?]
  /// Whether there are single values.
  let hasValues: Bool
  /// The name of the single value whose members are members of the file. Only reports and conflicts have it. Nil if
  /// there is none.
  let flattened: ExactText?
  /// The names of the tables and single values that rules compute.
  let derivedFields: Set<String>
  /// Whether rules compute fields, or properties of records.
  let hasDerived: Bool
  /// Whether the model or a part has tombstones.
  let hasTombstones: Bool
  /// Whether a value from elsewhere must be settled: there are rules, validations or tombstones.
  let hasPromises: Bool
  /// Whether transactions must be settled.
  let settlesTransactions: Bool

  /// A schema with its fields in the order in which they are written.
  ///
  /// Each name may be given only once. `snapshot` is the name of the header, so no field can have it.
  ///
  /// - Parameters:
  ///   - name: the name in the file.
  ///   - version: the version of the schema.
  ///   - content: the tables, single values and parts.
  ///   - migrations: the steps from older versions, in their order. There is at least one for each version from the
  ///     first step's to this one. Never change or remove a step after it was shipped.
  ///   - defaults: the values of keys that a file lacks, in records and single values.
  ///   - relations: the references between tables, and what a removal does to them.
  ///   - rules: the computed values.
  ///   - validations: the conditions that every value must satisfy.
  ///   - tombstones: the tables that remember removed records.
  ///   - settlesTransactions: whether transactions, background blocks and scratchpads keep the relations, rules,
  ///     validations and tombstones. With false, every function of the model keeps them itself, and no other code may
  ///     change the tables. Such a model is a ``RepairingModel``, which repairs what a merge of transactions breaks.
  ///     That saves the time of the checks. A value that comes in any other way is settled all the same. So is every
  ///     transaction of a model that has this one as a part and settles its own.
  public init(
    _ name: String, version: Int, _ content: Field<Root>..., migrations: [Migration] = [],
    defaults: [DefaultValue] = [], relations: [Relation<Root>] = [], rules: [Rule<Root>] = [],
    validations: [Validation<Root>] = [], tombstones: [Tombstones<Root>] = [], settlesTransactions: Bool = true
  ) {
    self.name = name
    self.version = version
    self.migrations = migrations
    repairHooks = RepairHooks.find()
    fields = content.flatMap { $0.part?.fields ?? [$0] }
    parts = content.compactMap(\.part)
    self.defaults = parts.flatMap(\.defaults) + defaults
    self.relations = relations
    self.rules = parts.flatMap(\.rules) + Rule.relations(relations) + rules
    self.tombstones = tombstones
    self.validations = parts.flatMap(\.validations) + relations.flatMap { $0.hooks.validations } + validations
    derivedFields = Set(fields.filter(\.isDerived).map(\.name))
    hasDerived = fields.contains { $0.isDerived || $0.hasDerivedProperties }
    let hasOwnPromises = !relations.isEmpty || !rules.isEmpty || !validations.isEmpty || !tombstones.isEmpty
    hasTombstones = !tombstones.isEmpty || parts.contains(where: \.hasTombstones)
    hasPromises = hasOwnPromises || parts.contains(where: \.hasPromises)
    self.settlesTransactions = hasOwnPromises && settlesTransactions || parts.contains(where: \.settlesTransactions)
    let tables = self.fields.filter(\.isTable)
    let references = tables.compactMap(\.reference)
    tableReferences = references.count == tables.count ? references : nil
    evidence = self.fields.map { field in
      field.isTable ? field.reference.map { $0.offset..<$0.offset + MemoryLayout<UInt>.size } : field.place
    }
    hasValues = tables.count < self.fields.count
    let flat = self.fields.filter(\.isFlattened)
    flattened = flat.first.map { ExactText($0.name) }
    let names = self.fields.map(\.name)
    let hasControl = (names + [name]).contains { $0.unicodeScalars.contains { $0.isUnsafeInMessage } }
    if hasControl { fatalError("schema \(name): names must not hold control characters") }
    if version < 1 { fatalError("the schema “\(name)” has the version \(version), but versions start at 1") }
    if let twice = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
      fatalError(
        "the schema “\(name)” names two fields “\(names[twice])”: each needs its own. A part may have a prefix"
      )
    }
    if flat.count > 1 || flat.contains(where: { $0.isOfPart || $0.isDerived }) {
      fatalError("the schema “\(name)” can have one flattened field, which is its own and which no rule computes")
    }
    if names.contains("snapshot") {
      fatalError(
        "the schema “\(name)” names a field “snapshot”, under which a file has its header: choose another name")
    }
    if let problem = migrations.problem(upTo: version) ?? self.defaults.problem(in: names) {
      fatalError("schema \(name): \(problem)")
    }
  }

  /// Calls the visitor for every field, in order.
  package func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) where Visitor.Root == Root {
    for field in fields { try field.accept(&visitor) }
  }

  /// Calls the visitor for every field that may differ between two values, in order. A table that is identical in
  /// memory is skipped, and so is a single value with the same bytes. To compare these is much cheaper than a key path.
  func visitDifferent<Visitor: FieldVisitor>(
    _ a: UnsafePointer<Root>, _ b: UnsafePointer<Root>, _ visitor: inout Visitor
  ) throws(Visitor.Failure) where Visitor.Root == Root {
    let (a, b) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
    for (index, place) in evidence.enumerated() {
      if let place, haveSameBytes(a + place.lowerBound, b + place.lowerBound, count: place.count) { continue }
      try fields[index].accept(&visitor)
    }
  }

  /// Calls the visitor for every field that does not belong to a part.
  func visitOwn<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) where Visitor.Root == Root {
    for field in fields where !field.isOfPart { try field.accept(&visitor) }
  }
}

extension Schema where Root: Model {
  /// The name of a table in the file; nil if the schema does not name it.
  func name(of table: PartialKeyPath<Root>) -> String? {
    var search = TableName(table: table)
    visit(&search)
    return search.name
  }
}

private struct TableName<Root: Model>: FieldVisitor {
  let table: PartialKeyPath<Root>
  var name: String?

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    if path == table { self.name = name }
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}
