public import SnapshotFoundation

/// Ranks of common types of keys.
extension SortRank {
  /// Whether keys of a type have a rank of one word.
  @inlinable
  @inline(__always)
  static func hasWord<Key>(_ type: Key.Type) -> Bool {
    type == Date.self || type == Double.self || type == Int64.self || type == Int.self
  }

  /// A number that is ordered like the keys, for types that have one. All keys that are not equal to themselves (NaN)
  /// have one number, which is greater than all others.
  @inlinable
  @inline(__always)
  static func word<Key>(_ key: Key) -> UInt64 {
    if Key.self == Date.self { return numberWord(identityCast(key, to: Date.self).timeIntervalSinceReferenceDate) }
    if Key.self == Double.self { return numberWord(identityCast(key, to: Double.self)) }
    if Key.self == Int64.self { return SortRank(identityCast(key, to: Int64.self)).low }
    if Key.self == Int.self { return SortRank(Int64(identityCast(key, to: Int.self))).low }
    fatalError("keys of type \(Key.self) have no rank")
  }

  @inlinable
  static func numberWord(_ number: Double) -> UInt64 { number == number ? bits(number) : .max }
}
