/// The changes of one transaction: the value before and the value after it.
///
/// ```swift
/// for await change in store.changes where change.origin != "sync" {
///   for post in change.changes(in: \.posts) {
///     show(post.id, post.before?.title ?? "new")
///   }
/// }
/// ```
///
/// The changes of a table are computed on request, in O(changes · log n). So an unused change set costs nothing. It
/// keeps the old value alive, which shares all unchanged content with the new one.
public struct ChangeSet<Root: Model>: Sendable {
  /// The value before the transaction.
  public let before: Root
  /// The value after it.
  public let after: Root
  /// The revision that the transaction made.
  public let revision: Int
  /// The origin of the transaction, as given to `write`.
  public let origin: Origin

  /// The difference between two values.
  package init(before: Root, after: Root, revision: Int, origin: Origin = .local) {
    self.before = before
    self.after = after
    self.revision = revision
    self.origin = origin
  }

  /// The changes of one table, in ascending order of ids.
  public func changes<Value>(in table: KeyPath<Root, Table<Value>>) -> [RecordChange<Value>] {
    after[keyPath: table].changes(from: before[keyPath: table])
  }

  /// A single value before and after the transaction; nil if both are equal by `==`.
  public func change<Value: SingleValue>(of value: KeyPath<Root, Value>) -> (before: Value, after: Value)? {
    let (before, after) = (before[keyPath: value], after[keyPath: value])
    return before == after ? nil : (before, after)
  }

  /// Whether no record of any table and no single value differs. A revision may have no difference: a record was
  /// replaced by an equal one, or removed and inserted again.
  public var isEmpty: Bool { after.hasSameRecords(as: before) }
}

/// The origin of a change. An observer can use it to skip its own changes.
///
/// ```swift
/// extension Origin {
///   static let sync: Origin = "sync"
/// }
///
/// try store.write(origin: .sync) { try $0.posts.upsert(contentsOf: received) }
/// ```
public struct Origin: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public let name: String

  /// An origin by its name.
  public init(_ name: String) { self.name = name }

  /// An origin by its name.
  public init(stringLiteral name: String) { self.name = name }

  /// The program itself; the default of `write`.
  public static let local = Origin("local")
}

extension Model {
  /// Whether all tables have equal records, and all single values are equal. O(changes · log n) if one value was made
  /// from the other.
  public func hasSameRecords(as other: Self) -> Bool {
    var comparison = Comparison(a: self, b: other)
    Self.schema.visit(&comparison)
    return comparison.areSame
  }
}

private struct Comparison<Root: Model>: FieldVisitor {
  let a: Root
  let b: Root
  var areSame = true

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    let (a, b) = (a[keyPath: table], b[keyPath: table])
    areSame = areSame && (a.isIdentical(to: b) || a == b)
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {
    areSame = areSame && a[keyPath: value] == b[keyPath: value]
  }
}

extension Origin {
  /// An external change of the file.
  public static let file = Origin("file")
}
