/// A value that will not change any more, and the revision that it had in its store.
public struct Snapshot<Root: Model>: Sendable {
  /// The value.
  public let value: Root
  /// How many transactions had changed it since the store was opened.
  public let revision: Int
}
