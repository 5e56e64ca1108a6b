/// The difference of tables whose types are unknown.
struct UntypedComparison {
  private(set) var records: [RecordDifference] = []

  init(from old: [UntypedTable], to new: [UntypedTable]) {
    let (old, new) = (old.byName, new.byName)
    for name in Set(old.keys).union(new.keys).sorted() {
      let (before, after) = (old[name]?.items, new[name]?.items)
      compare(name.text, before ?? [], after ?? [], UntypedTable.keyOfIDs(in: [new[name], old[name]]))
      // An empty array differs from a missing one.
      guard (before ?? []).isEmpty, (after ?? []).isEmpty, (before == nil) != (after == nil) else { continue }
      let (none, empty): (Item?, Item) = (nil, Item(.array([])))
      let difference = RecordDifference(
        value: name.text, old: before == nil ? none : empty, new: after == nil ? none : empty)
      if let difference { records.append(difference) }
    }
  }

  /// Compares records by their ids, in any order, or by their places if they have none. Of a table in which only the
  /// order differs, the ids in their order are the difference.
  ///
  /// - Parameter key: the key of the ids; nil if no key has them.
  private mutating func compare(_ table: String, _ old: [Item], _ new: [Item], _ key: ExactText?) {
    if let key, let before = old.byID(key), let after = new.byID(key) {
      let found = differences(table, before, after, key)
      records += found
      if !found.isEmpty { return }
      // An array may have only another order, such as a playlist.
      let ids = [old, new].map { Item(.array($0.compactMap { $0[key] })) }
      if let difference = RecordDifference(value: table, old: ids[0], new: ids[1]) { records.append(difference) }
    } else {
      records += differences(table, old.byPlace, new.byPlace, nil)
    }
  }

  private func differences(
    _ table: String, _ old: [ExactText: Item], _ new: [ExactText: Item], _ key: ExactText?
  ) -> [RecordDifference] {
    let changed = Set(old.keys).union(new.keys).filter { !Item.areSame(old[$0], new[$0]) }
    let pairs = changed.map { (old: old[$0], new: new[$0], key: $0) }.sorted { a, b in
      guard let key, let first = (a.new ?? a.old)?[key], let second = (b.new ?? b.old)?[key] else {
        return (a.key.text.utf8.count, a.key) < (b.key.text.utf8.count, b.key)
      }
      return Item.isOrderedBefore(first, second)
    }
    return pairs.compactMap { pair in
      let id = (pair.new ?? pair.old)?[key ?? "id"]
      return RecordDifference(
        table: table, id: key.flatMap { _ in id?.textOfID } ?? pair.key.text, idItem: id, old: pair.old, new: pair.new)
    }
  }
}

extension UntypedTable {
  /// The key of the ids in several versions of a table; nil if no key has them. Not every version has to name it.
  static func keyOfIDs(in versions: [UntypedTable?]) -> ExactText? {
    switch versions.lazy.compactMap({ $0?.statedIDKey }).first {
    case .key(let key)?: key
    case .nowhere?: nil
    case nil: "id"
    }
  }
}

extension Item {
  /// An id as text.
  var textOfID: String { shortText ?? json }
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
  /// Records by their ids as written, in any order; nil unless every record has an id of its own.
  ///
  /// - Parameter key: the key of the ids.
  func byID(_ key: ExactText) -> [ExactText: Item]? {
    var result: [ExactText: Item] = [:]
    result.reserveCapacity(count)
    for item in self {
      guard let id = item[key], result.updateValue(item, forKey: ExactText(id.json)) == nil else { return nil }
    }
    return result
  }

  /// Records by their places, counted from 0.
  fileprivate var byPlace: [ExactText: Item] {
    Dictionary(uniqueKeysWithValues: enumerated().map { (ExactText("\($0)"), $1) })
  }
}
