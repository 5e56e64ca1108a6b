/// What a table keeps for one index. Only ``Table`` calls it; the protocol is public because ``RecordIndex`` names it.
public protocol IndexStorage<Value>: Sendable {
  /// The record type.
  associatedtype Value: Record

  /// The index's name.
  var name: String { get }

  /// The id of another record that holds one of the record's keys, in a unique index.
  func conflict(with record: Value) -> Value.ID?

  /// Moves a record from the keys it had to the keys it has.
  mutating func update(from old: Value?, to new: Value?)

  /// Fills an empty index with the records of a table; returns two ids that hold one key if the index forbids it.
  mutating func build(from records: some Sequence<Value>) -> (Value.ID, Value.ID)?

  /// Whether both hold the same entries, and each is sound.
  func invariantViolations(against rebuilt: any IndexStorage<Value>) -> [String]
}

/// One entry of an index. Ordered by key, then by id.
struct IndexEntry<Key: Comparable & Sendable, ID: Comparable & Sendable>: Comparable, Sendable {
  let key: Key
  let id: ID

  static func < (a: Self, b: Self) -> Bool {
    a.key < b.key || (!(b.key < a.key) && a.id < b.id)
  }
}

/// An index as a sorted tree of entries.
struct OrderedIndexStorage<Value: Record, Key: Comparable & Sendable>: IndexStorage {
  typealias Entry = IndexEntry<Key, Value.ID>
  let index: Index<Value, Key>
  private(set) var entries = SortedTree<Entry, Void>()

  init(index: Index<Value, Key>) {
    self.index = index
  }

  var name: String { index.name }

  /// The entries whose keys lie in a range, in order.
  func entries(in range: some KeyRange<Key> & Sendable) -> SortedTree<Entry, Void>.Elements {
    entries.elements(isBelow: { range.isBelow($0.key) }, isAbove: { range.isAbove($0.key) })
  }

  func conflict(with record: Value) -> Value.ID? {
    guard index.isUnique else { return nil }
    for key in index.keys(of: record) {
      for (entry, _) in entries(in: key...key) where entry.id != record.id { return entry.id }
    }
    return nil
  }

  mutating func update(from old: Value?, to new: Value?) {
    var olds = (old.map(index.keys) ?? [])[...]
    var news = (new.map(index.keys) ?? [])[...]
    // Both are sorted; what stands in both stays.
    while !olds.isEmpty || !news.isEmpty {
      if let a = olds.first, let b = news.first, a == b {
        olds.removeFirst()
        news.removeFirst()
      } else if let old, let key = olds.first, news.first.map({ key < $0 }) ?? true {
        entries.removeValue(forKey: Entry(key: key, id: old.id))
        olds.removeFirst()
      } else if let new, let key = news.popFirst() {
        entries.updateValue((), forKey: Entry(key: key, id: new.id))
      }
    }
  }

  mutating func build(from records: some Sequence<Value>) -> (Value.ID, Value.ID)? {
    var all: [Entry] = []
    for record in records {
      for key in index.keys(of: record) { all.append(Entry(key: key, id: record.id)) }
    }
    all.sort()
    entries = SortedTree(sortedKeys: all, values: Array(repeating: (), count: all.count))
    guard index.isUnique else { return nil }
    return zip(all, all.dropFirst()).first { $0.key == $1.key }.map { ($0.id, $1.id) }
  }

  func invariantViolations(against rebuilt: any IndexStorage<Value>) -> [String] {
    var violations = entries.invariantViolations()
    let expected = (rebuilt as? Self)?.entries.elements.map(\.key)
    if entries.elements.map(\.key) != expected {
      violations.append("does not agree with its table")
    }
    return violations.map { "index \(name): \($0)" }
  }
}
