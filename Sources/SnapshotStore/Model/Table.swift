/// An ordered collection of records by id, with value semantics.
///
/// ```swift
/// var posts = Table<Post>()
/// try posts.insert(Post(id: "1", title: "A walk"))
/// try posts.update("1") { $0.title += " by the river" }
/// print(posts["1"]?.title ?? "", posts.count)     // A walk by the river 1
/// posts.remove("1")
/// ```
///
/// A copy of a table is O(1), whatever its size. Both copies share all content that neither side changes afterwards.
/// Records are kept in ascending order of their ids. Every index that the record type declares always agrees with them.
/// A change that an index refuses changes nothing.
///
/// Costs, for n records and a fixed number of indexes:
///
/// - lookup and each change: O(log n)
/// - building: O(n log n), from sorted records O(n) plus the indexes
/// - iteration: O(1) per record
public struct Table<Value: Record>: Sendable {
  /// The type of the ids.
  public typealias ID = Value.ID

  @usableFromInline var tree: SortedTree<ID, RecordBox<Value>>
  @usableFromInline var indexes: [TableIndex<Value>]

  /// An empty table.
  @inlinable
  public init() {
    tree = SortedTree()
    indexes = Value.indexes.maintainers.map { TableIndex($0) }
  }

  /// The number of records. O(1).
  @inlinable
  public var count: Int { tree.count }

  /// Whether there are no records. O(1).
  @inlinable
  public var isEmpty: Bool { tree.isEmpty }

  /// The record with an id. O(log n).
  ///
  /// It is read-only, because an index may refuse a change. Use ``update(_:_:)`` and ``upsert(_:)``, which can throw.
  public subscript(id: ID) -> Value? {
    @inlinable
    get { tree.withPosition(of: id) { boxes, index in boxes[index].record } }
    @available(
      *, unavailable,
      message:
        "change a record with “try table.update(id) { $0.name = … }”, put one in with upsert(_:), and take one out with remove(_:)"
    )
    set { fatalError("unavailable") }
  }

  /// Whether there is a record with the id. O(log n).
  @inlinable
  public func contains(_ id: ID) -> Bool { tree.contains(id) }

  /// Whether both are the same table in memory. O(1), and never true of tables that differ. False for tables with equal
  /// records that were made separately.
  @inlinable
  package func isIdentical(to other: Table) -> Bool { tree.isIdentical(to: other.tree) }

  /// The offset in a table of the reference that identical tables share.
  static var identityOffset: Int {
    guard let offset = MemoryLayout<Table>.offset(of: \Table.tree.root) else { fatalError("a stored property") }
    return offset
  }
}

extension Table: Equatable {
  /// Whether both have equal records. O(changes · log n) if one was made from the other, O(n) otherwise.
  public static func == (a: Table, b: Table) -> Bool {
    guard a.count == b.count else { return false }
    return a.changes(from: b).isEmpty
  }
}

extension Table: CustomStringConvertible {
  /// The record type and the count.
  public var description: String { "Table<\(Value.self)>(\(count))" }
}

/// Records as a table stores them.
extension Table {
  /// A record on the heap, as a table stores it. Moving it costs one reference, and an unchanged record stays the same
  /// object.
  ///
  /// Code that processes many large records can take boxes from a table and put boxes in; see ``box(_:)``. Then
  /// records that are only read are never copied.
  public final class Box: Sendable {
    /// The record.
    public let record: Value

    /// Puts a record on the heap.
    @inlinable
    public init(_ record: Value) { self.record = record }

    /// The size of a box in memory: the header of an object, and the record.
    @inlinable static var size: Int { 16 + MemoryLayout<Value>.size }
  }
}

/// The box of a table of these records, in code without a table.
@usableFromInline
typealias RecordBox<Value: Record> = Table<Value>.Box

/// The number of records under keys of an index.
extension Table {
  /// The number of records under one key of an index, without access to the records. O(log n + count / 32). It is 0 for
  /// a key that is not equal to itself.
  @inlinable
  public func count<Key>(in index: Index<Value, Key>, at key: Key) -> Int {
    let range = SingleKey(key)
    return entries(of: index).count(isBelow: { range.isBelow($0.key) }, isAbove: { range.isAbove($0.key) })
  }

  /// The number of index entries whose keys lie in a range, without access to the records. O(log n + count / 32).
  @inlinable
  public func count<Key>(in index: Index<Value, Key>, from range: some KeyRange<Key>) -> Int {
    entries(of: index).count(isBelow: { range.isBelow($0.key) }, isAbove: { range.isAbove($0.key) })
  }
}

/// The invariants of a table and its indexes, checked at the end of tests.
extension Table {
  /// Everything that is wrong with the table itself, in words. Empty unless this library has a defect.
  ///
  /// Checks the tree, the ids of all records, and every index against one that is built anew. O(n log n).
  package func invariantViolations() -> [String] {
    var violations = tree.invariantViolations()
    for (id, box) in tree.elements where box.record.id != id {
      violations.append("record \(Self.name(box.record.id)) stands under \(Self.name(id))")
    }
    let boxes = self.boxes
    for index in indexes {
      let (rebuilt, conflict) = index.maintainer.build(boxes)
      var problems = index.maintainer.violations(index.entries, rebuilt)
      if let conflict {
        problems.append("\(Self.name(conflict.id)) and \(Self.name(conflict.holder)) share a key")
      }
      violations += problems.map { "index \(index.maintainer.name): \($0)" }
    }
    return violations
  }
}

/// Copies tables from one value into another.
extension Model {
  /// This value with the tables and single values of another. Properties that the schema does not name stay.
  func replacingTables(with other: Self) -> Self {
    var copy = TableCopy(source: other, value: self)
    Self.schema.visit(&copy)
    return copy.value
  }
}

private struct TableCopy<Root: Model>: FieldVisitor {
  let source: Root
  var value: Root

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    value[keyPath: table] = source[keyPath: table]
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    value[keyPath: path] = source[keyPath: path]
  }
}
