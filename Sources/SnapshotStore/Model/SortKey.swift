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
