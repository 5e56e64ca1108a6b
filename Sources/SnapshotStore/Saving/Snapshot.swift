/// A value that never changes, and its revision in the store.
///
/// ```swift
/// let before = store.snapshot()
/// try store.write { $0.posts.removeAll() }
/// print(before.value.posts.count)                 // as many as before
/// ```
public struct Snapshot<Root: Model>: Sendable {
  /// The value.
  public let value: Root
  /// The number of transactions that had changed the value since the store was opened.
  public let revision: Int
}
