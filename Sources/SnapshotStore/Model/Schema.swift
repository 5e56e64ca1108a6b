import Foundation

/// Names the tables of a model, once: the layout of the file, differences, change sets and checks all follow from it.
public struct Schema<Root>: Sendable {
  /// The name that a file carries, so that it is not opened by the wrong program.
  public let name: String
  /// The version of the shape; a file with a higher one is refused, unless it is asked for to be read. From 1.
  public let version: Int
  /// The steps from older versions to this one; a file of an older version is refused if they do not lead from it.
  public let migrations: [Migration]
  /// What records have under keys that a file lacks.
  public let defaults: [DefaultValue]
  /// The tables, in the order in which they are written.
  public let fields: [Field<Root>]
  /// What follows from what, in the order in which it is run.
  public let rules: [Rule<Root>]
  /// What must hold of every value.
  public let validations: [Validation<Root>]
  /// The command line tool that knows the model, for the advice of errors; nil if there is none.
  public let tool: String?
  /// Where the tables are; nil if one of them has to be found by its key path, which takes a while.
  private let identityOffsets: [Int]?

  /// A schema with its tables in the order in which they are to be written.
  ///
  /// A name may be given only once, and `snapshot` is taken by the file's own header.
  ///
  /// - Parameters:
  ///   - name: the name that files carry.
  ///   - version: the version of the shape.
  ///   - migrations: the steps from older versions, in their order: to each version from the first step's to this one at
  ///     least one. Steps that were shipped are never changed or removed.
  ///   - defaults: what records have under keys that a file lacks.
  ///   - rules: what follows from what.
  ///   - validations: what must hold of every value.
  ///   - tool: the command line tool that knows the model and has the commands of `snapshot-cli`, which errors then advise to use; without
  ///     one they name what the library has.
  ///   - fields: the tables.
  public init(
    name: String, version: Int, migrations: [Migration] = [], defaults: [DefaultValue] = [],
    rules: [Rule<Root>] = [], validations: [Validation<Root>] = [], tool: String? = nil,
    @FieldBuilder<Root> _ fields: () -> [Field<Root>]
  ) {
    self.name = name
    self.version = version
    self.migrations = migrations
    self.defaults = defaults
    self.rules = rules
    self.validations = validations
    self.tool = tool
    self.fields = fields()
    let offsets = self.fields.compactMap(\.identityOffset)
    identityOffsets = offsets.count == self.fields.count ? offsets : nil
    let names = self.fields.map(\.name)
    let hasControl = (names + [name]).contains { $0.unicodeScalars.contains { $0.isUnsafeInMessage } }
    if hasControl { fatalError("schema \(name): names must not hold control characters") }
    if version < 1 { fatalError("the schema “\(name)” has the version \(version), but versions start at 1") }
    if let twice = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
      fatalError("the schema “\(name)” names two fields “\(names[twice])”: each needs a name of its own")
    }
    if names.contains("snapshot") {
      fatalError(
        "the schema “\(name)” names a field “snapshot”, under which a file has its header: choose another name")
    }
    if let problem = migrations.problem(upTo: version) ?? defaults.problem(in: names) {
      fatalError("schema \(name): \(problem)")
    }
  }

  /// Calls the visitor for every table, in order.
  package func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) where Visitor.Root == Root {
    for field in fields { try field.accept(&visitor) }
  }
}

extension Schema where Root: Model {
  /// How two values differ, as far as it shows without a look into their tables. O(number of tables).
  @usableFromInline
  func difference(_ a: UnsafePointer<Root>, _ b: UnsafePointer<Root>) -> ValueDifference {
    if memcmp(a, b, MemoryLayout<Root>.size) == 0 { return .none }
    return hasSameTables(a, b) ? .besidesTables : .inTables
  }

  /// Whether every table is the same table in memory. O(number of tables).
  func hasSameTables(_ a: UnsafePointer<Root>, _ b: UnsafePointer<Root>) -> Bool {
    guard let identityOffsets else { return a.pointee.hasSameTables(as: b.pointee) }
    let (a, b) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
    return identityOffsets.allSatisfy {
      a.load(fromByteOffset: $0, as: UInt.self) == b.load(fromByteOffset: $0, as: UInt.self)
    }
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
}

/// How two values of a model differ.
@usableFromInline
enum ValueDifference {
  /// Not at all: they are the same bits.
  case none
  /// At most in stored properties that are no tables.
  case besidesTables
  /// In a table, at least.
  case inTables
}

/// One table of a model: its name in the file, and where it is in the value.
public struct Field<Root>: Sendable {
  /// The table's name in the file.
  public let name: String
  private let table: any FieldTable<Root>
  /// Where in a value the reference stands by which the table is known; nil if the table is not stored in the value itself.
  let identityOffset: Int?

  /// A table by its name and its key path.
  public init<Value: Record>(_ name: String, _ table: TablePath<Root, Value>) {
    let indexes = Value.indexes.map(\.name)
    if Set(indexes).count != indexes.count { fatalError("two indexes of \(Value.self) have one name") }
    self.name = name
    self.table = TypedField(table: table)
    identityOffset = MemoryLayout<Root>.offset(of: table).map { $0 + Table<Value>.identityOffset }
  }

  var path: AnyKeyPath { table.path }

  func accept<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) where Visitor.Root == Root {
    try table.accept(&visitor, name)
  }
}

/// Something that is done to every table of a model, each with its own record type.
package protocol FieldVisitor<Root> {
  associatedtype Root
  associatedtype Failure: Error = Never

  mutating func visit<Value: Record>(
    _ name: String, _ table: TablePath<Root, Value>
  ) throws(Failure)
}

private protocol FieldTable<Root>: Sendable {
  associatedtype Root
  var path: AnyKeyPath { get }
  func accept<Visitor: FieldVisitor>(
    _ visitor: inout Visitor, _ name: String
  ) throws(Visitor.Failure) where Visitor.Root == Root
}

private struct TypedField<Root, Value: Record>: FieldTable {
  let table: TablePath<Root, Value>

  var path: AnyKeyPath { table }

  func accept<Visitor: FieldVisitor>(
    _ visitor: inout Visitor, _ name: String
  ) throws(Visitor.Failure) where Visitor.Root == Root {
    try visitor.visit(name, table)
  }
}

/// Lets a schema list its fields between braces.
@resultBuilder
public enum FieldBuilder<Root> {
  /// One field.
  public static func buildExpression(_ field: Field<Root>) -> Field<Root> { field }
  /// All fields.
  public static func buildBlock(_ fields: Field<Root>...) -> [Field<Root>] { fields }
}

/// Where in a model a table is.
public typealias TablePath<Root, Value: Record> = any WritableKeyPath<Root, Table<Value>> & Sendable
