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
