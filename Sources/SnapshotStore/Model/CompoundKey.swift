/// Several keys as one. Records are sorted by the first key, records with the same first key by the second, and so on.
///
/// ```swift
/// extension Task {
///   typealias State = CompoundKey<Bool, Date?>
///   static let byState = Index<Task, State>("state") { State($0.isDone, $0.due) }
/// }
///
/// let open = tasks.records(in: Task.byState, from: .startingWith(false))
/// let list = store.observe(
///   \.tasks, sortedBy: { CompoundKey($0.isDone, $0.due, $0.title) })
/// ```
///
/// A compound key of a single key serves for an index, or sections, by a `Bool` or an optional.
public struct CompoundKey<each Key: SortKey>: Comparable, Sendable, CustomStringConvertible {
  /// The keys.
  public let keys: (repeat each Key)

  /// Makes a key from several.
  @inlinable
  public init(_ keys: repeat each Key) { self.keys = (repeat each keys) }

  /// Whether all keys are equal in their order.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool { isBefore(a, b) == nil }

  /// Compares the first keys that differ.
  @inlinable
  public static func < (a: Self, b: Self) -> Bool { isBefore(a, b) == true }

  /// The keys, with commas between them.
  public var description: String {
    func text(_ key: some Any) -> String {
      let mirror = Mirror(reflecting: key)
      return mirror.displayStyle == .optional ? mirror.children.first.map { "\($0.value)" } ?? "nil" : "\(key)"
    }
    var texts: [String] = []
    repeat texts.append(text(each keys))
    return texts.joined(separator: ", ")
  }

  @inlinable
  static func isBefore(_ a: Self, _ b: Self) -> Bool? {
    for (type, a, b) in repeat ((each Key).self, each a.keys, each b.keys) {
      if let isBefore = type.isBefore(a, b) { return isBefore }
    }
    return nil
  }
}
