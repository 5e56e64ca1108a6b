public import SnapshotFoundation

/// A declaration of a secondary index; see ``Index``.
public protocol RecordIndex<Value>: Sendable {
  /// The record type.
  associatedtype Value: Record

  /// The index's name, unique among those of a record type; it appears in messages only.
  var name: String { get }

  /// How a table keeps this index.
  var upkeep: IndexUpkeep<Value> { get }
}

/// A secondary index: finds the records of a table by something other than their id, and orders them by it.
///
/// Declare an index as a constant of the record type, and list it in ``Record/indexes``:
///
/// ```swift
/// extension Note {
///   static let bySortDate = Index<Note, Date>("sortDate") { $0.sortDate }
///   static let byTag = Index<Note, Tag.ID>("tag", each: { $0.tags })
///   static let indexes: [any RecordIndex<Note>] = [bySortDate, byTag]
/// }
/// let recent = notes.records(in: Note.bySortDate, from: yesterday...).reversed()
/// ```
///
/// Every table of the record type then keeps it; it cannot be forgotten and cannot disagree. Records with one key are
/// ordered by their ids. A record without a key (`nil`, no elements, or a key that is not equal to itself, such as a
/// NaN) is not in the index. A ``CompoundKey`` is for several keys, for `Bool`, and for an optional of which nil is a key too. Finding is O(log n); every change of a record costs O(log n) for each key that changed.
public struct Index<Value: Record, Key: Comparable & Sendable>: RecordIndex {
  /// The index's name, as it appears in messages.
  public let name: String
  /// Whether two records may not have one key.
  public let isUnique: Bool
  /// How a table keeps this index.
  public let upkeep: IndexUpkeep<Value>

  /// An index by one key per record, or none where `key` gives nil.
  @inlinable
  public init(_ name: String, unique: Bool = false, key: @escaping @Sendable (Value) -> Key?) {
    self.name = name
    isUnique = unique
    upkeep = IndexUpkeep(name: name, isUnique: unique, isUnaffected: nil, rank: Self.rank) { IndexKeys(key($0)) }
  }

  /// A multi-valued index, in which a record stands once under each of its keys.
  @inlinable
  public init(_ name: String, unique: Bool = false, each keys: @escaping @Sendable (Value) -> [Key]) {
    self.name = name
    isUnique = unique
    upkeep = IndexUpkeep(name: name, isUnique: unique, isUnaffected: nil, rank: Self.rank) { IndexKeys(keys($0)) }
  }

  /// A multi-valued index with a quick test, so that most changes of a record need not make its keys.
  ///
  /// - Parameters:
  ///   - name: the index's name, for messages.
  ///   - unique: whether two records may not have one key.
  ///   - isUnaffected: whether two versions of a record certainly have the same keys. It may be false of some that have.
  ///   - keys: the keys of a record, in any order.
  @inlinable
  public init(
    _ name: String, unique: Bool = false, isUnaffected: @escaping @Sendable (Value, Value) -> Bool,
    each keys: @escaping @Sendable (Value) -> [Key]
  ) {
    self.name = name
    isUnique = unique
    upkeep = IndexUpkeep(name: name, isUnique: unique, isUnaffected: isUnaffected, rank: Self.rank) {
      IndexKeys(keys($0))
    }
  }

  /// A number in the order of the keys, for the commonest types that have one. A `UInt128` is for keys of two numbers, as one.
  @inlinable
  static var rank: (@Sendable (Key) -> SortRank)? {
    if Key.self == Date.self {
      return { SortRank(identityCast($0, to: Date.self).timeIntervalSinceReferenceDate) }
    }
    if Key.self == Double.self { return { SortRank(identityCast($0, to: Double.self)) } }
    if Key.self == Int64.self { return { SortRank(identityCast($0, to: Int64.self)) } }
    if Key.self == UInt128.self { return { SortRank(identityCast($0, to: UInt128.self)) } }
    if Key.self == Int.self { return { SortRank(Int64(identityCast($0, to: Int.self))) } }
    return nil
  }
}
