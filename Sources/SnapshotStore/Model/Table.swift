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
