/// A secondary index: finds and orders the records of a table by another key than their id.
///
/// Declare an index as a constant of the record type, and list it in ``Record/indexes``:
///
/// ```swift
/// extension Note {
///   static let bySortDate = Index("sortDate", key: \Note.sortDate)
///   static let byTag = Index("tag", each: \Note.tags)
///   static let indexes = Indexes(bySortDate, byTag)
/// }
/// let recent = notes.records(in: Note.bySortDate, from: yesterday...).reversed()
/// ```
///
/// Every table of the record type keeps the index, always up to date. Records with the same key are ordered by their
/// ids. A record without a key is not in the index. `nil`, an empty array, and a key that is not equal to itself (a
/// NaN) are no keys. Use a ``CompoundKey`` for several keys, for a `Bool`, and for an optional in which nil is a key
/// too.
///
/// After a large file was opened, an index that is not unique is built in the background. A use that comes sooner waits
/// for it.
///
/// A search is O(log n). A change of a record costs O(log n) for each key that changed.
public struct Index<Value: Record, Key: Comparable & Sendable>: Sendable {
  /// The name of the index, unique among those of a record type. Only messages use it.
  @usableFromInline let name: String
  /// The keys of a record, in any order.
  @usableFromInline let keys: @Sendable (Value) -> IndexKeys<Key>
  @usableFromInline let maintainer: IndexMaintainer<Value>

  /// An index with one key for each record, or none if `key` returns nil.
  @inlinable
  public init(_ name: String, unique: Bool = false, key: @escaping @Sendable (Value) -> Key?) {
    self.name = name
    self.keys = { IndexKeys(key($0)) }
    maintainer = IndexMaintainer(name: name, isUnique: unique, isUnaffected: nil, rank: Self.rank) {
      IndexKeys(key($0))
    }
  }

  /// A multi-valued index. A record has one entry for each of its keys.
  @inlinable
  public init(_ name: String, unique: Bool = false, each keys: @escaping @Sendable (Value) -> [Key]) {
    self.name = name
    self.keys = { IndexKeys(keys($0)) }
    maintainer = IndexMaintainer(name: name, isUnique: unique, isUnaffected: nil, rank: Self.rank) {
      IndexKeys(keys($0))
    }
  }

  /// A multi-valued index with a quick test, so that most changes of a record need not compute its keys.
  ///
  /// - Parameters:
  ///   - name: the name of the index, for messages.
  ///   - unique: whether two records must not have the same key.
  ///   - isUnaffected: returns true only if two versions of a record have the same keys. It may return false for the
  ///     same keys.
  ///   - keys: returns the keys of a record, in any order.
  @inlinable
  public init(
    _ name: String, unique: Bool = false, isUnaffected: @escaping @Sendable (Value, Value) -> Bool,
    each keys: @escaping @Sendable (Value) -> [Key]
  ) {
    self.name = name
    self.keys = { IndexKeys(keys($0)) }
    maintainer = IndexMaintainer(name: name, isUnique: unique, isUnaffected: isUnaffected, rank: Self.rank) {
      IndexKeys(keys($0))
    }
  }

  /// A number that is ordered like the keys, for common types of keys. A `UInt128` can combine two numbers in one key.
  @inlinable
  static var rank: (@Sendable (Key) -> SortRank)? {
    if SortRank.hasWord(Key.self) { return { SortRank(low: SortRank.word($0)) } }
    if Key.self == UInt128.self { return { SortRank(identityCast($0, to: UInt128.self)) } }
    return nil
  }
}

/// The indexes that a record type declares, whatever their keys are; see ``Record/indexes``.
public struct Indexes<Value: Record>: Sendable {
  @usableFromInline let maintainers: [IndexMaintainer<Value>]

  /// No index.
  public init() { maintainers = [] }

  /// Indexes with names of their own, in any order.
  public init<each Key>(_ index: repeat Index<Value, each Key>) {
    var maintainers: [IndexMaintainer<Value>] = []
    repeat maintainers.append((each index).maintainer)
    self.maintainers = maintainers
  }
}
