/// The difference of tables whose types are unknown.
struct UntypedComparison {
  private(set) var records: [RecordDifference] = []

  init(from old: [UntypedTable], to new: [UntypedTable]) {
    let (old, new) = (old.byName, new.byName)
    for name in Set(old.keys).union(new.keys).sorted() {
      let (before, after) = (old[name]?.items, new[name]?.items)
      compare(name.text, before ?? [], after ?? [])
      // An empty array differs from a missing one.
      guard (before ?? []).isEmpty, (after ?? []).isEmpty, (before == nil) != (after == nil) else { continue }
      let (none, empty): (Item?, Item) = (nil, Item(.array([])))
      let difference = RecordDifference(
        value: name.text, old: before == nil ? none : empty, new: after == nil ? none : empty)
      if let difference { records.append(difference) }
    }
  }

  private mutating func compare(_ table: String, _ old: [Item], _ new: [Item]) {
    let (before, after) = (old.byID, new.byID)
    let isByID = before != nil && after != nil
    let (mine, theirs) = isByID ? (before ?? [:], after ?? [:]) : (old.byPlace, new.byPlace)
    let keys = Set(mine.keys).union(theirs.keys)
    let pairs = keys.map { key in (old: mine[key], new: theirs[key], key: key) }.sorted { a, b in
      Self.isOrdered(a.new ?? a.old, b.new ?? b.old, isByID, a.key, b.key)
    }
    for pair in pairs {
      let id = isByID ? (pair.new ?? pair.old)?["id"]?.shortText ?? pair.key.text : pair.key.text
      let difference = RecordDifference(
        table: table, old: pair.old.map { (id, $0) }, new: pair.new.map { (id, $0) })
      if let difference { records.append(difference) }
    }
  }

  private static func isOrdered(_ a: Item?, _ b: Item?, _ isByID: Bool, _ first: ExactText, _ second: ExactText) -> Bool
  {
    guard isByID, let a = a?["id"], let b = b?["id"] else {
      return (first.text.utf8.count, first) < (second.text.utf8.count, second)
    }
    return Item.isOrderedBefore(a, b)
  }
}

extension [UntypedTable] {
  /// The tables by name. Each name occurs once.
  var byName: [ExactText: UntypedTable] { Dictionary(map { (ExactText($0.name), $0) }) { first, _ in first } }
}

extension UnknownContent {
  /// The single values by name. Each name occurs once.
  var valuesByName: [ExactText: Item] {
    Dictionary(values.map { (ExactText($0.name), $0.item) }) { first, _ in first }
  }
}

extension [Item] {
  /// Records by their ids as written; nil unless all records have ids that ascend. Another array may have an order with
  /// a meaning, such as a playlist.
  var byID: [ExactText: Item]? {
    var result: [ExactText: Item] = [:]
    var last: Item?
    for item in self {
      guard let id = item["id"], last.map({ Item.isOrderedBefore($0, id) }) ?? true else { return nil }
      result[ExactText(id.json)] = item
      last = id
    }
    return result
  }

  /// Records by their places, counted from 0.
  fileprivate var byPlace: [ExactText: Item] {
    Dictionary(uniqueKeysWithValues: enumerated().map { (ExactText("\($0)"), $1) })
  }
}
