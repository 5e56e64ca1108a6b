/// The section of lists without sections: it contains all records.
public struct NoSections: Comparable, Hashable, Sendable {
  @inlinable
  init() {}

  /// Always false, because all values are equal.
  @inlinable
  public static func < (a: NoSections, b: NoSections) -> Bool { false }
}
