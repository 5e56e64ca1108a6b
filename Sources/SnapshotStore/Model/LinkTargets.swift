/// Where some links lead: a table as it was, and the ids that were asked for.
///
/// A value: it stays as it is, and copying it is O(1).
public struct LinkTargets<Target: Record>: Sendable {
  /// The table that the links lead into.
  public internal(set) var table: Table<Target>
  /// How many links each id has.
  var uses = SortedTree<Target.ID, Int>()

  init(_ table: Table<Target>) { self.table = table }

  init(_ links: some Sequence<SoftLink<Target>>, in table: Table<Target>) {
    self.table = table
    for id in links.lazy.map(\.id).sorted() where id == id { uses.updateValue((uses[id] ?? 0) + 1, forKey: id) }
  }

  /// Where a link leads. Also answers for links that were not asked for. O(log n).
  public subscript(link: SoftLink<Target>) -> LinkTarget<Target> {
    table[link.id].map { .found($0) } ?? .missing(link.id)
  }

  /// The number of different ids among the links. O(1).
  public var count: Int { uses.count }

  /// The ids of the links, ascending, each once.
  public var ids: [Target.ID] { uses.elements.map(\.key) }

  /// The records that links lead to, in ascending order of their ids, each once. O(links · log n), in one pass.
  public var found: [Target] { uses.elements.compactMap { table[$0.key] } }

  /// The ids that lead nowhere, ascending, each once. O(links · log n), in one pass.
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

/// Where one link leads.
public enum LinkTarget<Target: Record>: Equatable, Sendable {
  /// To this record.
  case found(Target)
  /// There is no record with this id.
  case missing(Target.ID)

  /// The record, if there is one.
  public var record: Target? {
    if case .found(let record) = self { record } else { nil }
  }
}

extension Table {
  /// Finds the records that links lead to, all in one pass over ascending ids, and says which are missing.
  /// O(links · log n).
  public func resolve(_ links: some Sequence<SoftLink<Value>>) -> LinkTargets<Value> {
    LinkTargets(links, in: self)
  }
}
