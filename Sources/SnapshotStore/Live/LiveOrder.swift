/// The direction of an order.
public enum LiveOrder: Sendable {
  /// The smallest key first.
  case ascending
  /// The greatest key first.
  case descending

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

/// The section of lists without sections: it contains all records.
public struct NoSections: Comparable, Hashable, Sendable {
  @inlinable
  init() {}

  /// Always false, because all values are equal.
  @inlinable
  public static func < (a: NoSections, b: NoSections) -> Bool { false }
}
