/// One table or single value of a model: its name in the file, and its place in the value.
public struct Field<Root: Model>: Sendable {
  /// The name in the file. That of a part is empty.
  public let name: String
  private let content: any FieldContent<Root>
  /// Whether it is a table.
  let isTable: Bool
  /// Whether it belongs to a part.
  var isOfPart = false
  /// Whether rules compute all of it.
  private(set) var isDerived = false
  /// Whether the properties of the value are members of the file itself; see ``flattened()``.
  public private(set) var isFlattened = false
  /// Whether rules compute properties of its records.
  let hasDerivedProperties: Bool
  /// Where a value refers to the table. Nil for another field, and if the table is not stored in the value itself.
  let reference: TableReference?
  /// The range of its bytes in a value; nil if it is not stored in the value itself.
  let place: Range<Int>?
  /// The part, of which a schema has the fields in place of this one; nil for a table and a single value.
  let part: Part<Root>?

  /// A table by its name and its key path.
  @inlinable
  public init<Value: Record>(_ name: String, _ table: any WritableKeyPath<Root, Table<Value>> & Sendable) {
    self.init(name, table: table) { a, b in
      unsafeDowncast(a, to: Table<Value>.Box.self).record == unsafeDowncast(b, to: Table<Value>.Box.self).record
    }
  }

  /// - Parameter haveEqualRecords: whether two boxes of the table have equal records.
  @usableFromInline
  init<Value: Record>(
    _ name: String, table: any WritableKeyPath<Root, Table<Value>> & Sendable,
    haveEqualRecords: @escaping @Sendable (AnyObject, AnyObject) -> Bool
  ) {
    let indexes = Value.indexes.maintainers.map(\.name)
    if Set(indexes).count != indexes.count { fatalError("two indexes of \(Value.self) have one name") }
    self.name = name
    content = TableField(table: table)
    isTable = true
    hasDerivedProperties = !Value.derivedKeys.isEmpty
    let offset = MemoryLayout<Root>.offset(of: table)
    reference = offset.map {
      TableReference(offset: $0 + Table<Value>.identityOffset, haveEqualRecords: haveEqualRecords)
    }
    place = offset.map { $0..<$0 + MemoryLayout<Table<Value>>.size }
    part = nil
  }

  /// A single value by its name and its key path. If a file lacks it, it is as in the empty model.
  public init<Value: SingleValue>(_ name: String, _ value: any WritableKeyPath<Root, Value> & Sendable) {
    self.name = name
    content = ValueField(value: value)
    isTable = false
    hasDerivedProperties = false
    reference = nil
    place = MemoryLayout<Root>.offset(of: value).map { $0..<$0 + MemoryLayout<Value>.size }
    part = nil
  }

  /// All tables and single values of a model inside the model. It lets an app add tables to an existing model.
  ///
  /// ```swift
  /// struct Journal: Model {
  ///   var notebook = Notebook()
  ///   var places = Table<Place>()
  ///   static let schema = Schema(
  ///     "journal", version: 1,
  ///     Field(part: \Journal.notebook),
  ///     Field("places", \Journal.places))
  /// }
  /// ```
  ///
  /// In the file, the fields of the part have their own names beside the others. Its defaults, relations, rules and
  /// validations count for the whole. Its functions for checks, and those of a ``RepairingModel``, are called before
  /// the whole's.
  ///
  /// The file has one version, that of the whole. Migrations in the part's schema are not run. When the shape of the
  /// part changes, raise the version of the whole and add a migration to it.
  ///
  /// - Parameters:
  ///   - path: the place of the part in the model.
  ///   - prefix: a text before the names of its fields in the file, such as `work.`. It is needed if two parts, or a
  ///     part and the whole, would have a name in common.
  public init<Content: Model>(part path: any WritableKeyPath<Root, Content> & Sendable, prefix: String = "") {
    let part = Part(path, prefix: prefix)
    name = ""
    content = PartFields(part: part, place: path)
    (isTable, hasDerivedProperties, reference, place) = (false, false, nil, nil)
    self.part = part
  }

  /// Tables that cannot change are refused.
  @available(*, unavailable, message: "declare the table with “var”, not with “let”")
  public init<Value: Record>(_ name: String, _ table: any KeyPath<Root, Table<Value>> & Sendable) { fatalError() }

  /// Values that cannot change are refused.
  @available(*, unavailable, message: "declare the value with “var”, not with “let”")
  public init<Value: SingleValue>(_ name: String, _ value: any KeyPath<Root, Value> & Sendable) { fatalError() }

  /// Properties of other types are refused.
  @available(
    *, unavailable, message: "a field is a Table of records, or a value that is Codable, Equatable and Sendable"
  )
  public init<Value>(_ name: String, _ other: any KeyPath<Root, Value> & Sendable) { fatalError() }

  var path: AnyKeyPath { content.path }

  /// The same table or single value, all of which a ``Rule`` computes. It is never a conflict. After a merge, an undo
  /// or an edit by another program it is as before, and the rule computes it again.
  ///
  /// ```swift
  /// struct Shop: Model {
  ///   var items = Table<Item>()
  ///   var totals = Table<Total>()
  ///   static let schema = Schema(
  ///     "shop", version: 1,
  ///     Field("items", \Shop.items),
  ///     Field("totals", \Shop.totals).derived(),
  ///     rules: [Rule("totals", on: \Shop.items) { try $1.addUp($0) }])
  /// }
  /// ```
  ///
  /// If only some properties of records are computed, use ``MergeRule/derived(_:)``.
  public func derived() -> Field {
    if part != nil { fatalError("a part is not derived: mark the fields in its own schema") }
    var field = self
    field.isDerived = true
    return field
  }

  /// Stores the properties of this value at the top level of the file. So a model with tables reads the file of a value
  /// that was alone in it, as with ``Store/value(_:at:options:)``.
  ///
  /// ```swift
  /// struct Reader: Model {
  ///   var preferences = Preferences()
  ///   var books = Table<Book>()
  ///   static let schema = Schema(
  ///     "value", version: 1,
  ///     Field("preferences", \Reader.preferences).flattened(),
  ///     Field("books", \Reader.books))
  /// }
  /// ```
  ///
  /// A schema can have one such field. Its value is never nil. A property must not have the name of another field, or
  /// the name `snapshot`. Saving then fails with `unencodable`.
  public func flattened() -> Field {
    if isTable || part != nil { fatalError("only a single value can be flattened, not a table or a part") }
    if type(of: path).valueType is any AnyOptional.Type {
      fatalError("the field “\(name)” may be nil, and a flattened value is always there")
    }
    return flattenedInAnyCase()
  }

  /// The same for a value that may be nil, which is the empty model of a ``ValueModel``.
  func flattenedInAnyCase() -> Field {
    var field = self
    field.isFlattened = true
    return field
  }

  func accept<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) where Visitor.Root == Root {
    try content.accept(&visitor, name)
  }
}

/// Where a value of a model refers to one of its tables.
struct TableReference: Sendable {
  /// The offset in a value of the reference that identical tables share.
  let offset: Int
  /// Whether two boxes of the table have equal records. It is made where the type of the records is known.
  let haveEqualRecords: @Sendable (AnyObject, AnyObject) -> Bool
}

/// A function on every table and single value of a model, each with its own type.
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
  associatedtype Root: Model
  var path: AnyKeyPath { get }
  func accept<Visitor: FieldVisitor>(
    _ visitor: inout Visitor, _ name: String
  ) throws(Visitor.Failure) where Visitor.Root == Root
}

private struct TableField<Root: Model, Value: Record>: FieldContent {
  let table: TablePath<Root, Value>

  var path: AnyKeyPath { table }

  func accept<Visitor: FieldVisitor>(
    _ visitor: inout Visitor, _ name: String
  ) throws(Visitor.Failure) where Visitor.Root == Root {
    try visitor.visit(name, table)
  }
}

private struct ValueField<Root: Model, Value: SingleValue>: FieldContent {
  let value: ValuePath<Root, Value>

  var path: AnyKeyPath { value }

  func accept<Visitor: FieldVisitor>(
    _ visitor: inout Visitor, _ name: String
  ) throws(Visitor.Failure) where Visitor.Root == Root {
    try visitor.visit(name, value: value)
  }
}

/// All fields of a part.
private struct PartFields<Root: Model>: FieldContent {
  let part: Part<Root>
  let place: any PartialKeyPath<Root> & Sendable

  var path: AnyKeyPath { place }

  func accept<Visitor: FieldVisitor>(
    _ visitor: inout Visitor, _ name: String
  ) throws(Visitor.Failure) where Visitor.Root == Root {
    for field in part.fields { try field.accept(&visitor) }
  }
}

/// The place of a table in a model.
package typealias TablePath<Root, Value: Record> = any WritableKeyPath<Root, Table<Value>> & Sendable

/// The place in a model of a table that is only read. Other modules need not be able to set it.
public typealias TableReadPath<Root, Value: Record> = any KeyPath<Root, Table<Value>> & Sendable
