/// The whole content of a file: the value of its model, and the content that its schema does not know.
///
/// A newer program may have added keys or tables to the file. The value alone would lose them when it is written back.
/// The content keeps them: they stay with their records in every format, through differences and merges.
///
/// ```swift
/// let content = try SnapshotFile.readContent(Library.self, at: old)
/// try SnapshotFile.create(content, as: .xml, at: new)
/// ```
public struct SnapshotContent<Root: Model>: Sendable {
  /// The value of the model. It may be changed. Unknown keys of a removed record are not written. They are written
  /// again if a record with its id is added again.
  public var value: Root
  /// The content that the schema does not know.
  var unknown = UnknownContent()

  /// A value without unknown content.
  public init(_ value: Root) { self.value = value }

  init(_ value: Root, _ unknown: UnknownContent) {
    self.value = value
    self.unknown = unknown
  }

  init(_ decoded: DecodedSnapshot<Root>) {
    value = decoded.root
    unknown = decoded.unknown
  }

  /// The tables of the schema, in its order, with the number of their records. For ``UntypedModel`` the tables of the
  /// file. O(tables).
  public var tableCounts: [(name: String, count: Int)] {
    if Root.isUntyped { return unknown.members.compactMap(\.tableCount) }
    var counter = TableCounter(root: value)
    Root.schema.visit(&counter)
    return counter.tables
  }

  /// The unknown tables and the unknown keys of records, sorted.
  public var unknownKeys: [UnknownKey] { unknown.report }
}

private struct TableCounter<Root>: FieldVisitor {
  let root: Root
  var tables: [(name: String, count: Int)] = []

  init(root: Root) { self.root = root }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    tables.append((name, root[keyPath: table].count))
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}
