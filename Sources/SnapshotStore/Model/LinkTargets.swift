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
  public internal(set) var table: Table<Target>
  /// The number of links to each id.
  var uses = SortedTree<Target.ID, Int>()

  init(_ table: Table<Target>) { self.table = table }

  init(_ links: some Sequence<SoftLink<Target>>, in table: Table<Target>) {
    self.table = table
    for id in links.lazy.map(\.id).sorted() where id == id { uses.updateValue((uses[id] ?? 0) + 1, forKey: id) }
  }

  /// The record that a link points to; nil if there is none with its id. Also works for links that were not requested.
  /// O(log n).
  public subscript(link: SoftLink<Target>) -> Target? { table[link.id] }

  /// The number of different ids among the links. O(1).
  public var count: Int { uses.count }

  /// The ids of the links, ascending, without duplicates.
  public var ids: [Target.ID] { uses.elements.map(\.key) }

  /// The records that the links point to, ascending by id, without duplicates. O(links · log n), in one pass.
  public var found: [Target] { uses.elements.compactMap { table[$0.key] } }

  /// The ids without a record, ascending, without duplicates. O(links · log n), in one pass.
  public var missing: [Target.ID] { uses.elements.map(\.key).filter { !table.contains($0) } }

  mutating func add(_ links: [SoftLink<Target>]) {
    for link in links where link.id == link.id { uses.updateValue((uses[link.id] ?? 0) + 1, forKey: link.id) }
  }

  mutating func remove(_ links: [SoftLink<Target>]) {
    for link in links {
      guard let count = uses[link.id] else { continue }
      if count > 1 {
        uses.updateValue(count - 1, forKey: link.id)
      } else {
        uses.removeValue(forKey: link.id)
      }
    }
  }
}

extension Table {
  /// Finds the records that links point to, in one pass over ascending ids. The result also names missing targets.
  /// O(links · log n).
  public func resolve(_ links: some Sequence<SoftLink<Value>>) -> LinkTargets<Value> {
    LinkTargets(links, in: self)
  }
}
