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

  /// The ids of both sides. It is a conflict if both sides moved records that all have.
  func merged(
    base: [Item], ours: [Item], theirs: [Item], choose: () -> MergePolicy.Side
  ) -> (ids: [ExactText], conflict: MergePolicy.Side?) {
    let (base, ours, theirs) = (side(base), side(ours), side(theirs))
    if Self.agree(ours, theirs) || Self.agree(theirs, base) { return (Self.union(ours, theirs), nil) }
    if Self.agree(ours, base) { return (Self.union(theirs, ours), nil) }
    let side = choose()
    return (side == .theirs ? Self.union(theirs, ours) : Self.union(ours, theirs), side)
  }

  private func side(_ items: [Item]) -> Side {
    items.compactMap { item in item[key].map { (ExactText($0.json), $0) } }
  }

  /// Whether the ids that both have are in the same order.
  private static func agree(_ a: Side, _ b: Side) -> Bool {
    let (inA, inB) = (Set(a.map(\.id)), Set(b.map(\.id)))
    return a.lazy.map(\.id).filter(inB.contains).elementsEqual(b.lazy.map(\.id).filter(inA.contains))
  }

  /// The ids of one side, with those that only the other one has. Each of these follows the nearest id before it that
  /// both have. Where both sides have added records, they are in the order of their ids. O(n).
  private static func union(_ first: Side, _ second: Side) -> [ExactText] {
    let inFirst = Set(first.map(\.id))
    let shared = inFirst.intersection(second.map(\.id))
    var added: [ExactText?: Side] = [:]
    var last: ExactText?
    for record in second {
      if shared.contains(record.id) { last = record.id } else { added[last, default: []].append(record) }
    }
    var result: [ExactText] = []
    result.reserveCapacity(first.count + second.count - shared.count)
    var waiting = (added[nil] ?? [])[...]
    for record in first {
      if shared.contains(record.id) {
        result += waiting.map(\.id)
        waiting = (added[record.id] ?? [])[...]
      } else {
        while let next = waiting.first, Item.isOrderedBefore(next.value, record.value) {
          result.append(next.id)
          waiting.removeFirst()
        }
      }
      result.append(record.id)
    }
    return result + waiting.map(\.id)
  }
}
