public import SnapshotFoundation

/// A key by which records can be sorted: a `Comparable` type, `Bool`, or an optional of either.
///
/// ```swift
/// enum Priority: Int, Codable, Comparable, SortKey {
///   case low, high
///   static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
/// }
///
/// let urgent = store.observe(\.tasks, sortedBy: \.priority, order: .descending)
/// ```
///
/// A `Comparable` type of your own needs only the conformance: `extension Priority: SortKey {}`.
public protocol SortKey: Sendable {
  /// Whether `a` comes before `b`; nil if neither does. The order is total. All values that are not equal to
  /// themselves, such as a NaN, count as one key that is greater than all others.
  static func isBefore(_ a: Self, _ b: Self) -> Bool?
}

extension SortKey where Self: Comparable {
  /// The order of `<`.
  @inlinable
  public static func isBefore(_ a: Self, _ b: Self) -> Bool? {
    if a < b { return true }
    if b < a { return false }
    if a == b { return nil }
    let (isPlain, isOtherPlain) = (a == a, b == b)
    return isPlain == isOtherPlain ? nil : isPlain
  }
}

extension Bool: SortKey {
  /// `false` comes before `true`.
  @inlinable
  public static func isBefore(_ a: Bool, _ b: Bool) -> Bool? { a == b ? nil : b }
}

extension Optional: SortKey where Wrapped: SortKey {
  /// `nil` comes before all other values.
  @inlinable
  public static func isBefore(_ a: Wrapped?, _ b: Wrapped?) -> Bool? {
    switch (a, b) {
    case (let a?, let b?): Wrapped.isBefore(a, b)
    case (nil, nil): nil
    case (nil, _): true
    case (_, nil): false
    }
  }
}

extension Int: SortKey {}
extension Int8: SortKey {}
extension Int16: SortKey {}
extension Int32: SortKey {}
extension Int64: SortKey {}
extension UInt: SortKey {}
extension UInt8: SortKey {}
extension UInt16: SortKey {}
extension UInt32: SortKey {}
extension UInt64: SortKey {}
extension Double: SortKey {}
extension Float: SortKey {}
extension String: SortKey {}
extension Character: SortKey {}
extension Date: SortKey {}
extension Decimal: SortKey {}
extension UUID: SortKey {}

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

/// The direction of a list of records.
public enum RecordOrder: Sendable {
  /// The smallest key first.
  case ascending
  /// The greatest key first.
  case descending

  /// The other direction.
  @inlinable var reversed: RecordOrder { self == .ascending ? .descending : .ascending }

  /// Whether `a` comes before `b`; nil if neither does. Keys that are not equal to themselves, such as NaN, count as
  /// one key. It is greater than all others, so the order is total.
  @inlinable
  @inline(__always)
  func isBefore<Key: Comparable>(_ a: Key, _ b: Key) -> Bool? {
    if a < b { return self == .ascending }
    if b < a { return self == .descending }
    if a == b { return nil }
    let (isPlain, isOtherPlain) = (a == a, b == b)
    return isPlain == isOtherPlain ? nil : isPlain == (self == .ascending)
  }
}
