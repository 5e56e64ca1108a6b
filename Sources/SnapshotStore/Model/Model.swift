/// The root value of a store: a struct of tables, and of single values such as settings.
///
/// ```swift
/// struct Dashboard: Model {
///   var posts = Table<Post>()
///   static let schema = Schema<Dashboard>(name: "dashboard", version: 1) {
///     Field("posts", \.posts)
///   }
/// }
/// ```
///
/// Only the tables and single values that the schema names are saved, compared and put into change sets; other stored properties live
/// as long as the value does. A store traps when it is made if a table has no field in the schema, also one within a structure, an
/// optional, an array or an object: it would never be saved.
///
/// A model may be within another, as a ``Part`` of its schema. What is required here is then done for it too, before it is done for the
/// whole: a model looks only after what is its own, and what that has to do with its parts.
///
/// These three members are all that a model needs. Records that refer to each other can break when values are merged or salvaged:
/// a ``MendingModel`` says how they are mended.
public protocol Model: Sendable {
  /// The empty value.
  init()

  /// The names of the tables and single values, and the version of their shape.
  static var schema: Schema<Self> { get }

  /// What is wrong with the value by the rules of its domain, for example ids that lead nowhere. Nothing by default.
  func violations() -> [Violation]
}

extension Model {
  /// No rules.
  public func violations() -> [Violation] { [] }
}

/// A broken rule of a model's domain, or what was done about one.
public struct Violation: Equatable, Sendable, CustomStringConvertible {
  /// The table and the id of the record concerned, for example `notes 1001`.
  public var place: String
  /// What is wrong, in one sentence without a final full stop.
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
  /// Everything that is wrong with a value, in words: the structure of its tables and indexes, then the rules of its
  /// domain. Every test on a store should end with this being empty. O(n log n).
  public func allViolations() -> [String] {
    var check = TableCheck(root: self)
    Self.schema.visit(&check)
    return check.violations + wholeViolations().map(\.description)
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
