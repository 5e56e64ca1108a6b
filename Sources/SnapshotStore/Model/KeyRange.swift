/// A range of keys, open or closed at either end: `a...b`, `a..<b`, `a...`, `...b`, `..<b`.
///
/// ```swift
/// let later = posts.records(in: Post.byDate, from: start...)
/// let until = posts.records(in: Post.byDate, from: ..<start)
/// ```
///
/// The ranges of the standard library conform. ``KeySpan`` has the others. In a type of your own, the keys of the range
/// must follow each other in the order of `<`. The texts with a prefix do not, if they are compared by characters.
public protocol KeyRange<Key> {
  /// The type of the keys.
  associatedtype Key: Comparable

  /// Whether the key lies before the range.
  func isBelow(_ key: Key) -> Bool

  /// Whether the key lies after the range.
  func isAbove(_ key: Key) -> Bool
}

/// The range of one key. Empty if the key is not equal to itself, such as a NaN.
@usableFromInline
struct SingleKey<Key: Comparable>: KeyRange {
  @usableFromInline let key: Key
  @usableFromInline let isKey: Bool

  @inlinable
  init(_ key: Key) {
    self.key = key
    isKey = key == key
  }

  @inlinable
  func isBelow(_ other: Key) -> Bool { !isKey || other < key }

  @inlinable
  func isAbove(_ other: Key) -> Bool { isKey && key < other }
}

extension SingleKey: Sendable where Key: Sendable {}

extension Range: KeyRange {
  /// Whether the key lies before the range.
  @inlinable public func isBelow(_ key: Bound) -> Bool { key < lowerBound }
  /// Whether the key lies after the range.
  @inlinable public func isAbove(_ key: Bound) -> Bool { !(key < upperBound) }
}

extension ClosedRange: KeyRange {
  /// Whether the key lies before the range.
  @inlinable public func isBelow(_ key: Bound) -> Bool { key < lowerBound }
  /// Whether the key lies after the range.
  @inlinable public func isAbove(_ key: Bound) -> Bool { upperBound < key }
}

extension PartialRangeFrom: KeyRange {
  /// Whether the key lies before the range.
  @inlinable public func isBelow(_ key: Bound) -> Bool { key < lowerBound }
  /// Always false.
  @inlinable public func isAbove(_ key: Bound) -> Bool { false }
}

extension PartialRangeThrough: KeyRange {
  /// Always false.
  @inlinable public func isBelow(_ key: Bound) -> Bool { false }
  /// Whether the key lies after the range.
  @inlinable public func isAbove(_ key: Bound) -> Bool { upperBound < key }
}

extension PartialRangeUpTo: KeyRange {
  /// Always false.
  @inlinable public func isBelow(_ key: Bound) -> Bool { false }
  /// Whether the key lies after the range.
  @inlinable public func isAbove(_ key: Bound) -> Bool { !(key < upperBound) }
}
