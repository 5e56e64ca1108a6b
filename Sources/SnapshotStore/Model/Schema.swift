/// Names the tables and single values of a model, once: the layout of the file, differences, change sets and checks all follow from it.
public struct Schema<Root: Model>: Sendable {
  /// The name that a file carries, so that it is not opened by the wrong program.
  public let name: String
  /// The version of the shape; a file with a higher one is refused, unless it is asked for to be read. From 1.
  public let version: Int
  /// The steps from older versions to this one; a file of an older version is refused if they do not lead from it.
  public let migrations: [Migration]
  /// What records have under keys that a file lacks, those of the parts first.
  public let defaults: [DefaultValue]
  /// The tables and single values, in the order in which they are written.
  public let fields: [Field<Root>]
  /// The models within the model.
  let parts: [Part<Root>]
  /// What follows from what, in the order in which it is run: that of the parts first.
  public let rules: [Rule<Root>]
  /// What must hold of every value, also of the parts.
  public let validations: [Validation<Root>]
  /// The command line tool that knows the model, for the advice of errors; nil if there is none.
  public let tool: String?
  /// What the model does after merges, losses and undos; nil if it is no ``MendingModel``.
  let mending: MendingHooks<Root>?
  /// Where the tables are; nil if one of them has to be found by its key path, which takes a while.
  let identityOffsets: [Int]?
  /// Whether there are single values.
  let hasValues: Bool

  /// A schema with its fields in the order in which they are to be written.
  ///
  /// A name may be given only once, and `snapshot` is taken by the file's own header.
  ///
  /// - Parameters:
  ///   - name: the name that files carry.
  ///   - version: the version of the shape.
  ///   - migrations: the steps from older versions, in their order: to each version from the first step's to this one at
  ///     least one. Steps that were shipped are never changed or removed.
  ///   - defaults: what records and single values have under keys that a file lacks.
  ///   - rules: what follows from what.
  ///   - validations: what must hold of every value.
  ///   - tool: the command line tool that knows the model and has the commands of `snapshot-cli`, which errors then advise to use; without
  ///     one they name what the library has.
  ///   - content: the tables, single values and parts.
  public init(
    name: String, version: Int, migrations: [Migration] = [], defaults: [DefaultValue] = [],
    rules: [Rule<Root>] = [], validations: [Validation<Root>] = [], tool: String? = nil,
    @SchemaBuilder<Root> _ content: () -> SchemaContent<Root>
  ) {
    let content = content()
    self.name = name
    self.version = version
    self.migrations = migrations
    self.tool = tool
    mending = MendingHooks.find()
    fields = content.fields
    parts = content.parts
    self.defaults = parts.flatMap(\.defaults) + defaults
    self.rules = parts.flatMap(\.rules) + rules
    self.validations = parts.flatMap(\.validations) + validations
    let tables = self.fields.filter(\.isTable)
    let offsets = tables.compactMap(\.identityOffset)
    identityOffsets = offsets.count == tables.count ? offsets : nil
    hasValues = tables.count < self.fields.count
    let names = self.fields.map(\.name)
    let hasControl = (names + [name]).contains { $0.unicodeScalars.contains { $0.isUnsafeInMessage } }
    if hasControl { fatalError("schema \(name): names must not hold control characters") }
    if version < 1 { fatalError("the schema “\(name)” has the version \(version), but versions start at 1") }
    if let twice = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
      fatalError(
        "the schema “\(name)” names two fields “\(names[twice])”: each needs a name of its own. A Part may have a prefix"
      )
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

  /// Calls the visitor for every field that is not of a part.
  func visitOwn<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) where Visitor.Root == Root {
    for field in fields where !field.isOfPart { try field.accept(&visitor) }
  }
}

extension Schema where Root: Model {
  /// What a table is called in the file; nil if the schema does not name it.
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

/// One table or single value of a model: its name in the file, and where it is in the value.
public struct Field<Root>: Sendable {
  /// The name in the file.
  public let name: String
  private let content: any FieldContent<Root>
  /// Whether it is a table.
  let isTable: Bool
  /// Whether it is of a model within the model.
  var isOfPart = false
  /// Where in a value the reference stands by which the table is known; nil if the table is not stored in the value itself.
  let identityOffset: Int?
  /// The bytes that it takes in a value; nil if it is not stored in the value itself.
  let place: Range<Int>?

  /// A table by its name and its key path.
  public init<Value: Record>(_ name: String, _ table: TablePath<Root, Value>) {
    let indexes = Value.indexes.map(\.name)
    if Set(indexes).count != indexes.count { fatalError("two indexes of \(Value.self) have one name") }
    self.name = name
    content = TableField(table: table)
    isTable = true
    let offset = MemoryLayout<Root>.offset(of: table)
    identityOffset = offset.map { $0 + Table<Value>.identityOffset }
    place = offset.map { $0..<$0 + MemoryLayout<Table<Value>>.size }
  }

  /// A single value by its name and its key path. In a file without it the value is what the empty model has.
  public init<Value: SingleValue>(_ name: String, _ value: ValuePath<Root, Value>) {
    self.name = name
    content = ValueField(value: value)
    isTable = false
    identityOffset = nil
    place = MemoryLayout<Root>.offset(of: value).map { $0..<$0 + MemoryLayout<Value>.size }
  }

  var path: AnyKeyPath { content.path }

  func accept<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) where Visitor.Root == Root {
    try content.accept(&visitor, name)
  }
}

/// Something that is done to every table and single value of a model, each with its own type.
package protocol FieldVisitor<Root> {
  associatedtype Root
  associatedtype Failure: Error = Never

  mutating func visit<Value: Record>(
    _ name: String, _ table: TablePath<Root, Value>
  ) throws(Failure)

  mutating func visit<Value: SingleValue>(
    _ name: String, value: ValuePath<Root, Value>
  ) throws(Failure)
}

private protocol FieldContent<Root>: Sendable {
  associatedtype Root
  var path: AnyKeyPath { get }
  func accept<Visitor: FieldVisitor>(
    _ visitor: inout Visitor, _ name: String
  ) throws(Visitor.Failure) where Visitor.Root == Root
}

private struct TableField<Root, Value: Record>: FieldContent {
  let table: TablePath<Root, Value>

  var path: AnyKeyPath { table }

  func accept<Visitor: FieldVisitor>(
    _ visitor: inout Visitor, _ name: String
  ) throws(Visitor.Failure) where Visitor.Root == Root {
    try visitor.visit(name, table)
  }
}

private struct ValueField<Root, Value: SingleValue>: FieldContent {
  let value: ValuePath<Root, Value>

  var path: AnyKeyPath { value }

  func accept<Visitor: FieldVisitor>(
    _ visitor: inout Visitor, _ name: String
  ) throws(Visitor.Failure) where Visitor.Root == Root {
    try visitor.visit(name, value: value)
  }
}

/// Where in a model a table is.
public typealias TablePath<Root, Value: Record> = any WritableKeyPath<Root, Table<Value>> & Sendable

/// Where in a model a table is that is only read: also one that other modules must not set.
public typealias TableReadPath<Root, Value: Record> = any KeyPath<Root, Table<Value>> & Sendable
