/// Which end of an order comes first.
public enum LiveOrder: Sendable {
  /// The smallest first.
  case ascending
  /// The greatest first.
  case descending

  /// Whether `a` comes before `b`; nil if neither does. Keys that are not equal to themselves, such as NaN, count as one key
  /// that is greater than all others, so that the order is total.
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

/// The section of lists that have none: all records are in one.
public struct NoSections: Comparable, Hashable, Sendable {
  @inlinable
  init() {}

  /// There is only one.
  @inlinable
  public static func < (a: NoSections, b: NoSections) -> Bool { false }
}
