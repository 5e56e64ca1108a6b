/// Several keys as one: records are sorted by the first, those that have it in common by the second, and so on.
///
/// ```swift
/// typealias State = CompoundKey<Bool, Date?>
/// static let byState = Index<Task, State>("state") { State($0.isDone, $0.due) }
///
/// let open = tasks.records(in: Task.byState, from: ..<Task.State(true, nil))
/// let list = store.observe(\.tasks, sortedBy: { CompoundKey($0.isDone, $0.due, $0.title) })
/// ```
///
/// One of a single key is for an index, or sections, by a `Bool` or by an optional.
public struct CompoundKey<each Key: SortKey>: Comparable, Sendable {
  /// The keys.
  public let keys: (repeat each Key)

  /// A key of several.
  @inlinable
  public init(_ keys: repeat each Key) { self.keys = (repeat each keys) }

  /// Whether all keys are the same in the order that they have.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool { isBefore(a, b) == nil }

  /// By the first keys that differ.
  @inlinable
  public static func < (a: Self, b: Self) -> Bool { isBefore(a, b) == true }

  @inlinable
  static func isBefore(_ a: Self, _ b: Self) -> Bool? {
    for (type, a, b) in repeat ((each Key).self, each a.keys, each b.keys) {
      if let isBefore = type.isBefore(a, b) { return isBefore }
    }
    return nil
  }
}
