/// What one transaction changed: the value before and the value after it.
///
/// The changes of a table are found when they are asked for, in O(changes · log n): a change set that nobody reads
/// costs nothing. It keeps the old value alive, which shares all that did not change with the new one.
public struct ChangeSet<Root: Model>: Sendable {
  /// The value before the transaction.
  public let before: Root
  /// The value after it.
  public let after: Root
  /// The revision that the transaction made.
  public let revision: Int
  /// Who made it, as given to `write`.
  public let origin: Origin

  /// The difference between two values.
  public init(before: Root, after: Root, revision: Int, origin: Origin = .local) {
    self.before = before
    self.after = after
    self.revision = revision
    self.origin = origin
  }

  /// The changes of one table, in ascending order of ids.
  public func changes<Value>(in table: KeyPath<Root, Table<Value>>) -> [RecordChange<Value>] {
    after[keyPath: table].changes(from: before[keyPath: table])
  }

  /// A single value before and after the transaction; nil if `==` holds them equal.
  public func change<Value: SingleValue>(of value: KeyPath<Root, Value>) -> (before: Value, after: Value)? {
    let (before, after) = (before[keyPath: value], after[keyPath: value])
    return before == after ? nil : (before, after)
  }

  /// Whether no record of any table and no single value differs. A revision may be without a difference: a record was replaced by an equal
  /// one, or put back.
  public var isEmpty: Bool { after.hasSameRecords(as: before) }
}

/// Who made a change, so that an observer can leave out its own.
public struct Origin: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public let name: String

  /// An origin by its name.
  public init(_ name: String) { self.name = name }

  /// An origin by its name.
  public init(stringLiteral name: String) { self.name = name }

  /// The program itself; what `write` assumes.
  public static let local = Origin("local")
}

extension Model {
  /// Whether every table holds equal records, and every single value is equal. O(changes · log n) if one value was made from the other.
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
  /// Someone else, who changed the file.
  public static let file = Origin("file")
}
