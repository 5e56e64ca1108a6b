/// The targets of some links: a version of a table, and the requested ids.
///
/// ```swift
/// let links = plans.map(\.recipe)
/// let targets = recipes.resolve(links)
/// for plan in plans { print(plan.day, targets[plan.recipe]?.title ?? "gone") }
/// ```
///
/// It is a value that does not change. A copy is O(1).
public struct LinkTargets<Target: Record>: Sendable {
  /// The table that contains the targets.
  public let table: Table<Target>
  /// The ids of the links, ascending, without duplicates.
  public let ids: [Target.ID]

  init(_ links: some Sequence<SoftLink<Target>>, in table: Table<Target>) {
    self.table = table
    var ids: [Target.ID] = []
    // Not a number is no id.
    for id in links.lazy.map(\.id).sorted() where id == id && id != ids.last { ids.append(id) }
    self.ids = ids
  }

  /// The record that a link points to; nil if there is none with its id. Also works for links that were not requested.
  /// O(log n).
  public subscript(link: SoftLink<Target>) -> Target? { table[link.id] }

  /// The number of different ids among the links. O(1).
  public var count: Int { ids.count }

  /// The records that the links point to, ascending by id, without duplicates. O(links · log n), in one pass.
  public var found: [Target] { ids.compactMap { table[$0] } }

  /// The ids without a record, ascending, without duplicates. O(links · log n), in one pass.
  public var missing: [Target.ID] { ids.filter { !table.contains($0) } }
}

extension Table {
  /// Finds the records that links point to, in one pass over ascending ids. The result also names missing targets.
  /// O(links · log n).
  public func resolve(_ links: some Sequence<SoftLink<Value>>) -> LinkTargets<Value> {
    LinkTargets(links, in: self)
  }
}
