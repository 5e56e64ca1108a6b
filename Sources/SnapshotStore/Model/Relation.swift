/// The declaration that records of one table refer to records of another.
///
/// ```swift
/// struct Order: Record {
///   let id: Int
/// }
///
/// struct Item: Record {
///   let id: Int
///   var order: Order.ID
///   static let byOrder = Index("order", key: \Item.order)
///   static let indexes = Indexes(byOrder)
/// }
///
/// struct Shop: Model {
///   var orders = Table<Order>()
///   var items = Table<Item>()
///   static let schema = Schema(
///     "shop", version: 1,
///     Field("orders", \Shop.orders),
///     Field("items", \Shop.items),
///     relations: [
///       Relation(\.items, Item.byOrder, to: \.orders, onRemove: .cascade)
///     ])
/// }
/// ```
///
/// The keys of the index are the ids to which a record refers. A record without a key refers to nothing. Both tables
/// may be the same, as in a tree.
///
/// **A reference is to something.** A transaction is refused if it adds or changes a record that refers to a missing
/// one. So is every other change that is validated. ``Model/allViolations()`` and the command `check` look at all
/// records.
///
/// **A record to which others refer is removed.** Then ``OnRemove`` decides, along chains and cycles of any length. It
/// acts at the end of the transaction, or at the commit of a scratchpad. So records may be added in any order, and code
/// in the transaction still sees what a cascade will remove. The relations and rules of a part come before those of
/// the whole, and relations before the rules of their schema.
///
/// **A merge keeps what an edit needs.** One side may have removed a record, and the other side has added or changed a
/// record that refers to it. Any change counts. By `cascade` and `refuse`, the merge restores the removed record, and
/// says so in what it repaired. It restores nothing else that was removed with it. It cannot restore a record whose
/// unique key another one has now, nor one in a table that the key path cannot set. Then the action decides.
///
/// By `clear`, the reference is removed, also one that the other side has just added. What was repaired does not name
/// it.
///
/// Without a base, only dates and tombstones say what a side has removed. So give both tables dates and ``Tombstones``.
/// Otherwise a record that only one side has brings back what it refers to.
///
/// **What it does not do.** It does not repair a file that is opened, migrated or salvaged, and
/// ``Store/runRules(origin:)`` does not either. A transaction that clears a reference does not date the record. A
/// command and an undo date it, as everything that they change.
///
/// A transaction costs O(log n) more for each record that it adds or changes, and for each removed record to which
/// others may refer.
public struct Relation<Root: Model>: Sendable {
  let hooks: any RelationHooks<Root>

  /// A relation from the records of one table to those of another.
  ///
  /// - Parameters:
  ///   - records: the table of the records that refer.
  ///   - index: their index, whose keys are ids of the other table. Messages use its name.
  ///   - targets: the table of the records to which they refer.
  ///   - action: what happens to the records that refer to a removed one.
  public init<Value: Record, Target: Record>(
    _ records: any WritableKeyPath<Root, Table<Value>> & Sendable, _ index: Index<Value, Target.ID>,
    to targets: TableReadPath<Root, Target>, onRemove action: OnRemove<Value, Target>
  ) {
    if !Value.indexes.maintainers.contains(where: { $0.name == index.name }) {
      fatalError("the index “\(index.name)” of a relation is not in \(Value.self).indexes: add it there")
    }
    hooks = TypedRelation(records: records, index: index, targets: targets, action: action.action)
  }
}

extension Relation {
  /// What happens to the records that refer to a removed one.
  public struct OnRemove<Value: Record, Target: Record>: Sendable {
    enum Action {
      case cascade
      case refuse
      case clear(@Sendable (inout Value, Target.ID) -> Void)
    }

    let action: Action

    /// They are removed too.
    public static var cascade: Self { Self(action: .cascade) }

    /// The removal is refused, unless the same transaction removes them too, or makes them refer to something else.
    public static var refuse: Self { Self(action: .refuse) }

    /// The property is set to nil. It must be the one from which the index takes its keys.
    public static func clear(_ property: any WritableKeyPath<Value, Target.ID?> & Sendable) -> Self {
      Self(action: .clear { record, _ in record[keyPath: property] = nil })
    }

    /// The id is removed from the list. It must be the one from which the index takes its keys.
    public static func clear(_ list: any WritableKeyPath<Value, [Target.ID]> & Sendable) -> Self {
      Self(action: .clear { record, id in record[keyPath: list].removeAll { $0 == id } })
    }
  }
}

/// The functions of a relation, without the types of its records.
protocol RelationHooks<Root>: Sendable {
  associatedtype Root: Model

  /// Removes or clears what refers to the records that were removed since an earlier value. Returns whether it changed
  /// something.
  func follow(_ before: Root, _ value: inout Root) throws -> Bool

  /// The conditions on references and removals.
  var validations: [Validation<Root>] { get }

  /// Restores what one side of a merge has removed, if another side has added or changed a record that refers to it.
  func takeBack(in value: inout Root, from values: [Root]) -> [Violation]

  /// Whether changes of others may need ``takeBack(in:from:)``. O(changes · log n).
  func mayNeedRepair(_ value: Root, after changes: ChangeSet<Root>) -> Bool
}

extension Rule where Root: Model {
  /// The rule that follows relations, until none has more to do. Each step of a cascade removes something, so it ends.
  static func relations(_ relations: [Relation<Root>]) -> [Rule<Root>] {
    if relations.isEmpty { return [] }
    return [
      Rule(name: "relations") { before, value, _ in
        var seen = Array(repeating: before, count: relations.count)
        var hasNews = true
        while hasNews {
          hasNews = false
          for (index, relation) in relations.enumerated() {
            let old = seen[index]
            seen[index] = value
            if try relation.hooks.follow(old, &value) { hasNews = true }
          }
        }
      }
    ]
  }
}
