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
