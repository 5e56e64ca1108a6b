/// One entry of an index, ordered by key, then by id.
@usableFromInline
struct IndexEntry<Key: Comparable & Sendable, ID: Comparable & Sendable>: Comparable, Sendable {
  @usableFromInline let key: Key
  @usableFromInline let id: ID

  @inlinable
  init(key: Key, id: ID) {
    self.key = key
    self.id = id
  }

  @inlinable
  static func == (a: Self, b: Self) -> Bool { a.id == b.id && a.key == b.key }

  @inlinable
  static func < (a: Self, b: Self) -> Bool {
    // The processor predicts this branch: during a search, few keys are equal to the searched one.
    a.key == b.key ? a.id < b.id : a.key < b.key
  }

  /// The entries of many records, in order, without duplicates.
  ///
  /// - Parameters:
  ///   - boxes: the records in ascending order of their ids.
  ///   - rank: returns a number that is ordered like the keys, if there is one.
  @inlinable
  static func sorted<Value: Record>(
    _ boxes: [RecordBox<Value>], keys: (Value) -> IndexKeys<Key>, rank: ((Key) -> SortRank)?
  ) -> [IndexEntry] where Value.ID == ID {
    var entries: [IndexEntry] = []
    entries.reserveCapacity(boxes.count)
    // References are not counted here. Several threads build indexes of the same boxes, and each count would move a box
    // from one processor's cache to another's.
    boxes.withUnsafeBufferPointer { boxes in
      boxes.withMemoryRebound(to: Unmanaged<RecordBox<Value>>.self) { boxes in
        for box in boxes { box._withUnsafeGuaranteedRef { append(keys($0.record), id: $0.record.id, to: &entries) } }
      }
    }
    if let rank, entries.count > 256 {
      // Entries with the same key keep the order of the records, which is the order of their ids.
      RadixSort.sort(&entries) { rank($0.key) }
    } else {
      entries.sort()
    }
    // A record that has a key twice gives two equal adjacent entries.
    var last = 0
    for position in entries.indices.dropFirst() where entries[position] != entries[last] {
      last += 1
      if last != position { entries[last] = entries[position] }
    }
    entries.removeLast(max(0, entries.count - last - 1))
    return entries
  }

  /// Appends the entries of one record.
  @inlinable
  static func append(_ keys: IndexKeys<Key>, id: ID, to entries: inout [IndexEntry]) {
    switch keys {
    case .none: break
    case .one(let key): entries.append(IndexEntry(key: key, id: id))
    case .many(let keys):
      for key in keys where key == key { entries.append(IndexEntry(key: key, id: id)) }
    }
  }
}

/// The keys of one record. A single key needs no array.
@usableFromInline
enum IndexKeys<Key: Comparable & Sendable> {
  case none
  case one(Key)
  case many([Key])

  /// A key that is not equal to itself counts as no key. A NaN has no place in an order, and no search would find it.
  @inlinable
  init(_ key: Key?) {
    if let key, key == key { self = .one(key) } else { self = .none }
  }

  @inlinable
  init(_ keys: [Key]) {
    switch keys.count {
    case 0: self = .none
    case 1: self.init(keys[0])
    default: self = .many(keys)
    }
  }

  /// Whether both have the same keys in the same order. False does not prove a difference.
  @inlinable
  func isSame(as other: IndexKeys) -> Bool {
    switch (self, other) {
    case (.none, .none): true
    case (.one(let a), .one(let b)): a == b
    case (.many(let a), .many(let b)): a == b
    default: false
    }
  }

  /// Each key once, in ascending order, without keys that are not equal to themselves.
  @inlinable var normalized: IndexKeys {
    guard case .many(var keys) = self else { return self }
    keys.removeAll { $0 != $0 }
    keys.sort()
    var last = 0
    for position in keys.indices.dropFirst() where keys[position] != keys[last] {
      last += 1
      keys[last] = keys[position]
    }
    keys.removeLast(max(0, keys.count - last - 1))
    return IndexKeys(keys)
  }

  @inlinable var count: Int {
    switch self {
    case .none: 0
    case .one: 1
    case .many(let keys): keys.count
    }
  }

  @inlinable
  subscript(position: Int) -> Key {
    switch self {
    case .none: fatalError("there is no key")
    case .one(let key): key
    case .many(let keys): keys[position]
    }
  }
}

extension SortedTree where Value == Void {
  /// Moves a record's entries from its old keys to its new keys, both normalized. Common keys keep their entries.
  @inlinable
  mutating func move<IndexKey, ID>(
    from olds: IndexKeys<IndexKey>, to news: IndexKeys<IndexKey>, oldID: ID?, newID: ID?
  ) where Key == IndexEntry<IndexKey, ID> {
    var (old, new) = (0, 0)
    while old < olds.count || new < news.count {
      if old < olds.count, new < news.count, olds[old] == news[new] {
        old += 1
        new += 1
      } else if let oldID, old < olds.count, new == news.count || olds[old] < news[new] {
        removeValue(forKey: IndexEntry(key: olds[old], id: oldID))
        old += 1
      } else if let newID {
        updateValue((), forKey: IndexEntry(key: news[new], id: newID))
        new += 1
      }
    }
  }
}
