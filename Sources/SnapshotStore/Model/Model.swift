/// The root value of a store: a struct of tables, and of single values such as settings.
///
/// ```swift
/// struct Dashboard: Model {
///   var posts = Table<Post>()
///   static let schema = Schema(
///     "dashboard", version: 1, Field("posts", \Dashboard.posts))
/// }
/// ```
///
/// These three members are all that a model needs. If records refer to each other, declare each reference as a
/// ``Relation``. A ``RepairingModel`` is for the rest, such as references that a salvage has broken.
///
/// Only tables and single values that the schema names are saved, compared and put into change sets. A table without a
/// field in the schema would never be saved. So a store traps when it is made if it finds one, even inside a structure,
/// an optional, an array or an object. It also traps for a property of a `Codable` and `Equatable` type without a
/// field, unless that is ``Transient``. That is found only if each field leads to a stored property without observers.
/// Properties of other types live as long as the value.
///
/// A model may be a part of another one; see ``Field/init(part:prefix:)``. The functions of the part are then called
/// before those of the whole. The whole handles only its own content, and its relations to its parts.
public protocol Model: Sendable {
  /// The empty value.
  init()

  /// The names of the tables and single values, and their version.
  static var schema: Schema<Self> { get }

  /// Violations of the rules of the model's domain, for example ids without a record. Empty by default.
  func violations() -> [Violation]
}

extension Model {
  /// There are no rules.
  public func violations() -> [Violation] { [] }
}

/// A broken rule of a model's domain, or the repair of one.
///
/// ```swift
/// struct Blog: Model {
///   var posts = Table<Post>()
///   static let schema = Schema(
///     "blog", version: 1, Field("posts", \Blog.posts))
///
///   func violations() -> [Violation] {
///     posts.filter { $0.title.isEmpty }
///       .map { Violation(place: "posts \($0.id)", message: "the title is empty") }
///   }
/// }
/// ```
public struct Violation: Equatable, Sendable, CustomStringConvertible {
  /// The table and the id of the record, for example `notes 1001`.
  public var place: String
  /// The violation: one sentence without a final full stop.
  public var message: String

  /// A broken rule at a place.
  public init(place: String, message: String) {
    self.place = place
    self.message = message
  }

  /// `place: message`.
  public var description: String { "\(place.escapedForMessage()): \(message.escapedForMessage(limit: .max))" }
}

extension Model {
  /// Everything that is wrong with a value, in words: the structure of its tables and indexes, and the rules of its
  /// domain. These are ``violations()``, and each ``Validation`` on a table, for all records. Every test on a store
  /// should end with the check that this is empty. O(n log n).
  public func allViolations() -> [String] {
    var check = TableCheck(root: self)
    Self.schema.visit(&check)
    return check.violations + (wholeViolations() + Self.schema.invalidRecords(of: self)).map(\.description)
  }

  /// Repairs a value, as every merge of the library does with its result. A model that merges in a way of its own calls
  /// it. O(n log n), plus the cost of the model's own functions.
  ///
  /// Each part and the model call ``RepairingModel/repair()``. The ``Tombstone`` of an existing record is
  /// removed, and the record is dated after it. Violations that no function repairs stay.
  ///
  /// - Returns: what was repaired.
  public mutating func repairAll() -> [Violation] {
    var repaired: [Violation] = []
    for part in Self.schema.parts { repaired += part.hooks.repair(in: &self) }
    repaired += Self.schema.repairHooks?.repair(&self) ?? []
    for tombstones in Self.schema.tombstones { repaired += tombstones.hooks.repair(&self) }
    return repaired
  }
}

private struct TableCheck<Root: Model>: FieldVisitor {
  let root: Root
  var violations: [String] = []

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    violations += root[keyPath: table].invariantViolations().map { "\(name): \($0)" }
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}
