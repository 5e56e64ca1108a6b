/// A value that follows other values: run inside of every transaction that changes what it watches.
///
/// ```swift
/// static let schema = Schema<Shop>(
///   name: "shop", version: 1,
///   rules: [
///     Rule("totals", on: \.items) { changes, shop in
///       for order in Set(changes.flatMap { [$0.before?.order, $0.after?.order].compactMap { $0 } }) {
///         let total = shop.items.records(in: Item.byOrder, at: order).reduce(0) { $0 + $1.price }
///         try shop.orders.update(order) { $0.total = total }
///       }
///     }
///   ]
/// ) { … }
/// ```
///
/// Rules run in the order in which they are declared, again and again until none has anything new to look at. If one throws, nothing
/// of the transaction remains.
///
/// **A rule computes what follows from the value as it is.** The changes only say where to look; running it once more on its own result
/// changes nothing. A rule that adds the difference to what is there breaks that: a value that comes from elsewhere may have been
/// added up already.
///
/// Rules run on every difference between the published value and the next one. That is a transaction, the commit of a scratchpad, what a
/// background block has made, an undo or redo beside other changes, and an external change that is reloaded or merged.
/// After a migration they run on the whole value.
///
/// Rules do not run when a file of the same version is opened, in a store that only reads, in a scratchpad, and on what
/// `Model.merging(base:ours:theirs:policy:)` gives. ``Store/runRules(origin:)`` runs them on everything.
public struct Rule<Root>: Sendable {
  /// The name, for messages.
  public let name: String
  let apply: @Sendable (_ before: Root, _ value: inout Root, _ transaction: RuledTransaction) throws -> Void
}

/// Which transaction a rule is part of.
struct RuledTransaction: Sendable {
  /// The revision that it will make.
  let revision: Int
  let origin: Origin
}

extension Rule where Root: Model {
  /// A rule on all that a transaction changes.
  ///
  /// - Parameters:
  ///   - name: for messages.
  ///   - body: is given what has changed since the rule last looked, and the value to change.
  public init(_ name: String, _ body: @escaping @Sendable (ChangeSet<Root>, inout Root) throws -> Void) {
    self.name = name
    apply = { before, value, transaction in
      let changes = ChangeSet(
        before: before, after: value, revision: transaction.revision, origin: transaction.origin)
      try body(changes, &value)
    }
  }

  /// A rule on one table: runs only if records of it have changed.
  ///
  /// - Parameters:
  ///   - name: for messages.
  ///   - table: which table.
  ///   - body: is given the changes since the rule last looked, in ascending order of ids, and the value to change.
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

/// What must hold of every value: a transaction that breaks it is refused, with all reasons. So are an undo, the commit of a
/// scratchpad, and what someone else has written into the file of a store that is open. A file that is opened is not validated.
public struct Validation<Root>: Sendable {
  /// The name, for messages.
  public let name: String
  let check: @Sendable (_ before: Root, _ value: Root, _ transaction: RuledTransaction) -> [Violation]
}

extension Validation where Root: Model {
  /// A rule by what is wrong with a transaction's changes; an empty array if nothing is.
  public init(_ name: String, _ check: @escaping @Sendable (ChangeSet<Root>) -> [Violation]) {
    self.name = name
    self.check = { check(ChangeSet(before: $0, after: $1, revision: $2.revision, origin: $2.origin)) }
  }

  /// A rule on each record of a table that was added or changed.
  ///
  /// - Parameters:
  ///   - name: tells it apart from others; messages name the record.
  ///   - table: which table.
  ///   - problem: what is wrong with the record, in one sentence; nil if nothing is.
  public init<Value>(
    _ name: String, on table: TableReadPath<Root, Value>,
    _ problem: @escaping @Sendable (Value, Root) -> String?
  ) {
    self.name = name
    check = { before, value, _ in
      value[keyPath: table].changes(from: before[keyPath: table]).compactMap { change in
        guard let record = change.after, let problem = problem(record, value) else { return nil }
        return Violation(place: "\(Root.schema.name(of: table) ?? name) \(record.id)", message: problem)
      }
    }
  }
}
