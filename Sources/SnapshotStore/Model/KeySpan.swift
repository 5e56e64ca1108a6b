/// A range of keys for which the standard library has no type.
///
/// ```swift
/// let found = posts.records(in: Post.byTitle, from: .startingWith("Fla"))
/// let later = posts.records(in: Post.byDate, from: .above(lastSeen))
/// ```
public struct KeySpan<Key: Comparable & Sendable>: KeyRange, Sendable {
  private let below: @Sendable (Key) -> Bool
  private let above: @Sendable (Key) -> Bool

  fileprivate init(below: @escaping @Sendable (Key) -> Bool, above: @escaping @Sendable (Key) -> Bool) {
    (self.below, self.above) = (below, above)
  }

  /// Whether the key lies before the range.
  public func isBelow(_ key: Key) -> Bool { below(key) }

  /// Whether the key lies after the range.
  public func isAbove(_ key: Key) -> Bool { above(key) }
}

extension KeyRange {
  /// All keys.
  public static func all<Keys>() -> KeySpan<Keys> where Self == KeySpan<Keys> {
    KeySpan(below: { _ in false }, above: { _ in false })
  }

  /// The keys that are greater than a key.
  public static func above<Keys>(_ key: Keys) -> KeySpan<Keys> where Self == KeySpan<Keys> {
    KeySpan(below: { !(key < $0) }, above: { _ in false })
  }

  /// The compound keys with a first key, whatever the others are. If that is optional, write `Optional(key)`.
  public static func startingWith<First: SortKey, each Rest: SortKey>(
    _ first: First
  ) -> Self where Self == KeySpan<CompoundKey<First, repeat each Rest>> {
    KeySpan(below: { $0.isFirst(before: first) == true }, above: { $0.isFirst(before: first) == false })
  }
}

extension KeyRange where Self == KeySpan<String> {
  /// The texts that begin with the Unicode scalars of a text. Texts in different normalisations are equal.
  ///
  /// `e` followed by an accent is the one scalar `é` for this. So `é` does not start with `e`.
  public static func startingWith(_ prefix: String) -> KeySpan<String> {
    // The order of texts is that of their composed scalars, and this is the last one. No text has it in earnest.
    let last: Unicode.Scalar = "\u{10FFFF}"
    let end = prefix + String(last)
    return KeySpan(
      below: { $0 < prefix },
      above: { key in
        if key < end { return false }
        let scalars = key.unicodeScalars
        return !scalars.indices.contains { scalars[$0] == last && String(scalars[..<$0]) == prefix }
      })
  }
}

extension CompoundKey {
  /// Whether its first key comes before a key of the same type; nil if neither does.
  fileprivate func isFirst<First: SortKey>(before other: First) -> Bool? {
    for key in repeat each keys { return (key as? First).flatMap { First.isBefore($0, other) } }
    return nil
  }
}
