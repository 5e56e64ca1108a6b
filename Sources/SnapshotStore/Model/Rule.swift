/// Code that computes values. It runs inside every transaction that changes the table that it watches.
///
/// ```swift
/// struct Shop: Model {
///   var orders = Table<Order>()
///   var items = Table<Item>()
///   static let schema = Schema(
///     "shop", version: 1,
///     Field("orders", \Shop.orders),
///     Field("items", \Shop.items),
///     rules: [
///       Rule("totals", on: \.items) { changes, shop in
///         let changed = changes.flatMap { [$0.before?.order, $0.after?.order] }
///         for order in Set(changed.compactMap { $0 }) {
///           let items = shop.items.records(in: Item.byOrder, at: order)
///           let total = items.reduce(0) { $0 + $1.price }
///           // A rule may run when what it refers to is gone.
///           if shop.orders.contains(order) {
///             try shop.orders.update(order) { $0.total = total }
///           }
///         }
///       }
///     ])
/// }
/// ```
///
/// Relations are followed first. Rules run in the order of their declarations. They run again until no rule has a new
/// change to look at. If a rule throws an error, the transaction is rolled back.
///
/// **A rule computes its result from the current value.** The changes only show where to look. Running the rule once
/// more on its own result must change nothing. A rule that adds differences to a sum would violate that, because an
/// external value may already contain the sum.
///
/// Rules run on every difference between the published value and the next one. Such differences come from:
///
/// - A transaction, or the commit of a scratchpad.
/// - A background block, or an import.
/// - An undo or redo beside other changes.
/// - An external change that is reloaded or merged.
/// - A journal that is merged with a file at opening.
/// - A command of a tool with the types, and its driver for git.
///
/// After a merge they also run on the differences from each other side. So a rule sees what any side has lost. After a
/// migration they run on the whole value.
///
/// **What a rule may assume.** What it refers to may be gone: a rule before it, or another side of a merge, may have
/// removed it. Other rules may not have run yet. It may run several times in one transaction. All rules together have
/// 100 rounds. After that the transaction is refused, with the names of the rules that never stop.
///
/// Declare what a rule computes, by ``MergeRule/derived(_:)`` or ``Field/derived()``. Then it is never a conflict, and
/// what someone else has written in its place does not count.
///
/// Rules do not run when a file of the same version is opened, in a store that only reads, or in a scratchpad. They do
/// not run on the result of `Model.merging(base:ours:theirs:policy:)`; use
/// ``SnapshotContent/settledMerge(base:ours:theirs:policy:)``. ``Store/runRules(origin:)`` runs them on everything.
///
/// Stores that share a file run them where a change is made: on unsaved changes, on top of what others have saved. A
/// tool without the types, such as `snapshot-cli`, has no rules. What it has saved is settled by the stores that share
/// the file.
public struct Rule<Root>: Sendable {
  /// The name, for messages.
  let name: String
  let apply: @Sendable (_ before: Root, _ value: inout Root, _ transaction: RuledTransaction) throws -> Void
}

/// The transaction in which a rule runs.
struct RuledTransaction: Sendable {
  /// The revision that the transaction will make.
  let revision: Int
  let origin: Origin
}

extension Rule where Root: Model {
  /// A rule on all changes of a transaction.
  ///
  /// - Parameters:
  ///   - name: the name for messages.
  ///   - body: receives the changes since the rule last ran, and the value to change.
  public init(_ name: String, _ body: @escaping @Sendable (ChangeSet<Root>, inout Root) throws -> Void) {
    self.name = name
    apply = { before, value, transaction in
      let changes = ChangeSet(
        before: before, after: value, revision: transaction.revision, origin: transaction.origin)
      try body(changes, &value)
    }
  }

  /// A rule on one table. It runs only if records of the table have changed.
  ///
  /// - Parameters:
  ///   - name: the name for messages.
  ///   - table: the table.
  ///   - body: receives the changes since the rule last ran, in ascending order of ids, and the value to change.
  public init<Value>(
    _ name: String, on table: TableReadPath<Root, Value>,
    _ body: @escaping @Sendable ([RecordChange<Value>], inout Root) throws -> Void
  ) {
    self.name = name
    apply = { before, value, _ in
      let changes = value[keyPath: table].changes(from: before[keyPath: table])
      if !changes.isEmpty { try body(changes, &value) }
    }
  }
}

/// A condition that every value must satisfy. A transaction that violates it is refused, with all reasons. The same
/// holds for an undo, the commit of a scratchpad, and an external change of the file of an open store. A file that is
/// opened is not validated. ``Model/allViolations()`` and the command `check` look at all records.
///
/// ```swift
/// struct Blog: Model {
///   var posts = Table<Post>()
///   static let schema = Schema(
///     "blog", version: 1,
///     Field("posts", \Blog.posts),
///     validations: [
///       Validation("titles", on: \.posts) { post, _ in
///         post.title.isEmpty ? "the title is empty" : nil
///       }
///     ])
/// }
/// ```
public struct Validation<Root>: Sendable {
  /// The name, for messages.
  let name: String
  /// Whether it is a condition on each record, so that it has a meaning for a value without a transaction.
  let isOnRecords: Bool
  let check: @Sendable (_ before: Root, _ value: Root, _ transaction: RuledTransaction) -> [Violation]
}

extension Validation where Root: Model {
  /// A validation of a transaction's changes. `check` returns the violations, or an empty array.
  ///
  /// It may compare the value with the one before. So ``Model/allViolations()`` does not call it.
  public init(_ name: String, _ check: @escaping @Sendable (ChangeSet<Root>) -> [Violation]) {
    self.name = name
    isOnRecords = false
    self.check = { check(ChangeSet(before: $0, after: $1, revision: $2.revision, origin: $2.origin)) }
  }

  /// A validation of each record of a table that was added or changed.
  ///
  /// It is not called for a record that the transaction has left alone. A condition on two tables needs a second
  /// validation, or a ``Rule`` on the other table. For a reference to another table, declare a ``Relation``.
  ///
  /// - Parameters:
  ///   - name: the name that distinguishes it from other validations. Messages name the record.
  ///   - table: the table.
  ///   - problem: returns what is wrong with the record, in one sentence; nil if nothing is.
  public init<Value>(
    _ name: String, on table: TableReadPath<Root, Value>,
    _ problem: @escaping @Sendable (Value, Root) -> String?
  ) {
    self.name = name
    isOnRecords = true
    check = { before, value, _ in
      value[keyPath: table].changes(from: before[keyPath: table]).compactMap { change in
        guard let record = change.after, let problem = problem(record, value) else { return nil }
        return Violation(place: "\(Root.schema.name(of: table) ?? name) \(record.id)", message: problem)
      }
    }
  }
}

extension Schema where Root: Model {
  /// The records that break a validation of their table, as if a transaction had added all of them.
  func invalidRecords(of value: Root) -> [Violation] {
    let empty = Root()
    let transaction = RuledTransaction(revision: 1, origin: .file)
    return validations.filter(\.isOnRecords).flatMap { $0.check(empty, value, transaction) }
  }
}
