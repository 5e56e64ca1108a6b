/// The order of the records of a merged table whose types are unknown.
///
/// A file has its records in the order of the type of their ids, or in one that a person gave them. Neither is known
/// here. So the order is that of one side, and the records of the other side keep their places between those that both
/// sides have.
struct MergedOrder {
  private let key: ExactText
  /// The ids of one side in their order, as text and as values.
  private typealias Side = [(id: ExactText, value: Item)]

  init(by key: ExactText) { self.key = key }

  /// The ids of both sides. If they differ in the order of what both have, the side counts that moved records which all
  /// three have. It is a conflict if both did, or none.
  func merged(
    base: [Item], ours: [Item], theirs: [Item], choose: () -> MergePolicy.Side
  ) -> (ids: [ExactText], conflict: MergePolicy.Side?) {
    let (base, ours, theirs) = (side(base), side(ours), side(theirs))
    if Self.areAlike(ours, theirs, among: nil) { return (Self.union(ours, theirs).map(\.id), nil) }
    let everywhere = Set(base.map(\.id)).intersection(ours.map(\.id)).intersection(theirs.map(\.id))
    let isOursMoved = !Self.areAlike(ours, base, among: everywhere)
    if isOursMoved != !Self.areAlike(theirs, base, among: everywhere) {
      return ((isOursMoved ? Self.union(ours, theirs) : Self.union(theirs, ours)).map(\.id), nil)
    }
    let side = choose()
    let order =
      switch side {
      case .ours: Self.union(ours, theirs)
      case .theirs: Self.union(theirs, ours)
      case .base: Self.union(Self.union(base, ours), theirs)
      }
    return (order.map(\.id), side)
  }

  private func side(_ items: [Item]) -> Side {
    items.compactMap { item in item[key].map { (ExactText($0.json), $0) } }
  }

  /// Whether some ids are in the same order on both sides.
  ///
  /// - Parameter ids: the ids; nil for all that both have.
  private static func areAlike(_ a: Side, _ b: Side, among ids: Set<ExactText>?) -> Bool {
    let ids = ids ?? Set(a.map(\.id)).intersection(b.map(\.id))
    return a.lazy.map(\.id).filter(ids.contains).elementsEqual(b.lazy.map(\.id).filter(ids.contains))
  }

  /// The ids of one side, with those that only the other one has. Each of these follows the nearest id before it that
  /// both have. Where both sides have added records, they are in the order of their ids. O(n).
  private static func union(_ first: Side, _ second: Side) -> Side {
    let inFirst = Set(first.map(\.id))
    let shared = inFirst.intersection(second.map(\.id))
    var added: [ExactText?: Side] = [:]
    var last: ExactText?
    for record in second {
      if shared.contains(record.id) { last = record.id } else { added[last, default: []].append(record) }
    }
    var result: Side = []
    result.reserveCapacity(first.count + second.count - shared.count)
    var waiting = (added[nil] ?? [])[...]
    for record in first {
      if shared.contains(record.id) {
        result += waiting
        waiting = (added[record.id] ?? [])[...]
      } else {
        while let next = waiting.first, Item.isOrderedBefore(next.value, record.value) {
          result.append(next)
          waiting.removeFirst()
        }
      }
      result.append(record)
    }
    return result + waiting
  }
}
