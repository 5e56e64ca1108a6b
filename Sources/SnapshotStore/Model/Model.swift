public import SnapshotFoundation

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
public protocol Model: Sendable {
  /// The empty value.
  init()

  /// The names of the tables and single values, and the version of their shape.
  static var schema: Schema<Self> { get }

  /// What is wrong with the value by the rules of its domain, for example ids that lead nowhere. Nothing by default.
  func violations() -> [Violation]

  /// Mends what the loss of records has left behind in a value that was salvaged from a damaged file, or merged from two, for
  /// example ids that lead nowhere, and says what it did: the record concerned, and what was made of it. Nothing by default.
  mutating func mendAfterLosses() -> [Violation]

  /// Takes back records that a merge of two sides has taken out, because one of them removed it, and to which a record of the
  /// other still refers; and says which. Nothing by default: ``mendAfterLosses()`` then has to do without them.
  ///
  /// - Parameter values: those that the merge was made of; each record is taken from the first that has it.
  mutating func takeBackReferenced(from values: [Self]) -> [Violation]

  /// Makes an undo a change of its own, so that no copy of the value takes it back: gives what the undo has brought back a new date.
  ///
  /// ``UndoHistory`` calls it in the transaction in which it undoes a step, or does it again. By default it is
  /// ``renewDates(since:at:)``. A model that remembers what was deleted has more to do: what is gone by an undo was deleted now, and
  /// what is back must be newer than what remembers its deletion.
  ///
  /// - Parameters:
  ///   - before: the value before the undo.
  ///   - date: the date, by the clock of the history. A model with a clock of its own takes that.
  mutating func dateUndo(since before: Self, at date: Date)

  /// Whether the value, made of a sound one by these changes of others, may need ``takeBackReferenced(from:)`` or
  /// ``mendAfterLosses()``. True by default, which is always safe. A model that looks at the changes alone, and at what they refer to or is
  /// referred to by indexes, lets large changes that remove records be merged while others write all the time.
  func mayNeedMending(after changes: ChangeSet<Self>) -> Bool

  /// Brings together what stands beside the tables, such as a counter, where a block in the background and others have both changed it.
  /// The value has what came of merging the tables, and beside them what the others have.
  ///
  /// - Parameters:
  ///   - base: what both were made from.
  ///   - theirs: what the block has made.
  /// - Returns: false if that cannot be, as it is by default: the block then runs again. Any value will do where what stands there has no
  ///   meaning by itself, as of a source of random numbers.
  mutating func mergeUnsaved(base: Self, theirs: Self) -> Bool
}

extension Model {
  /// No rules.
  public func violations() -> [Violation] { [] }

  /// Nothing to mend.
  public mutating func mendAfterLosses() -> [Violation] { [] }

  /// Nothing to take back.
  public mutating func takeBackReferenced(from values: [Self]) -> [Violation] { [] }

  /// It may.
  public func mayNeedMending(after changes: ChangeSet<Self>) -> Bool { true }

  /// It cannot be.
  public mutating func mergeUnsaved(base: Self, theirs: Self) -> Bool { false }
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
