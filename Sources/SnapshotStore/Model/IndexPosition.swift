/// A place in an index: the key and the id of a record. A page of a list begins after such a place, or ends before it.
///
/// ```swift
/// let last = posts.page(in: Post.byDate, limit: 50).last?.position
/// // … later, even if that post is gone by then
/// let next = posts.page(in: Post.byDate, after: last, limit: 50)
/// ```
///
/// It is no count of records. So it stays valid when other records come and go, and when its own record is removed. A
/// program may keep it in a file, if key and id are `Codable`. Places are ordered by key, then by id.
///
/// A key that is not equal to itself, such as a NaN, is nowhere in an index. No page begins after such a place, or ends
/// before it.
public struct IndexPosition<Key: Comparable & Sendable, ID: Comparable & Sendable>: Comparable, Sendable {
  /// The key of the record in the index.
  public let key: Key
  /// The id of the record.
  public let id: ID

  /// The place of a record, which need not exist.
  @inlinable
  public init(key: Key, id: ID) {
    self.key = key
    self.id = id
  }

  /// Whether key and id are equal.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool { a.id == b.id && a.key == b.key }

  /// Whether `a` comes first in an ascending index.
  @inlinable
  public static func < (a: Self, b: Self) -> Bool {
    // The processor predicts this branch: during a search, few keys are equal to the searched one.
    a.key == b.key ? a.id < b.id : a.key < b.key
  }
}

extension IndexPosition: Hashable where Key: Hashable, ID: Hashable {}
extension IndexPosition: Encodable where Key: Encodable, ID: Encodable {}
extension IndexPosition: Decodable where Key: Decodable, ID: Decodable {}

extension IndexPosition {
  /// The entries of many records, in order, without duplicates.
  ///
  /// - Parameters:
  ///   - boxes: the records in ascending order of their ids.
  ///   - rank: returns a number that is ordered like the keys, if there is one.
  @inlinable
  static func sorted<Value: Record>(
    _ boxes: [RecordBox<Value>], keys: (Value) -> IndexKeys<Key>, rank: ((Key) -> SortRank)?
  ) -> [IndexPosition] where Value.ID == ID {
    var entries: [IndexPosition] = []
    entries.reserveCapacity(boxes.count)
    // References are not counted here. Several threads build indexes of the same boxes, and each count would move a box
    // from one processor's cache to another's.
    boxes.withUnsafeBufferPointer { boxes in
      boxes.withMemoryRebound(to: Unmanaged<RecordBox<Value>>.self) { boxes in
        for box in boxes { box._withUnsafeGuaranteedRef { append(keys($0.record), id: $0.record.id, to: &entries) } }
      }
    }
    sort(&entries, rank)
    // A record that has a key twice gives two equal adjacent entries.
    var last = 0
    for position in entries.indices.dropFirst() where entries[position] != entries[last] {
      last += 1
      if last != position { entries[last] = entries[position] }
    }
    entries.removeLast(max(0, entries.count - last - 1))
    return entries
  }

  /// Sorts entries that are in ascending order of their ids. Entries with the same key keep this order.
  @inlinable
  static func sort(_ entries: inout [IndexPosition], _ rank: ((Key) -> SortRank)?) {
    if let rank, entries.count > 256 {
      RadixSort.sort(&entries) { rank($0.key) }
    } else {
      entries.sort()
    }
  }

  /// Appends the entries of one record.
  @inlinable
  static func append(_ keys: IndexKeys<Key>, id: ID, to entries: inout [IndexPosition]) {
    switch keys {
    case .none: break
    case .one(let key): entries.append(IndexPosition(key: key, id: id))
    case .many(let keys):
      for key in keys where key == key { entries.append(IndexPosition(key: key, id: id)) }
    }
  }
}

extension SortedTree where Value == Void {
  /// Moves a record's entries from its old keys to its new keys, both normalized. Common keys keep their entries.
  @inlinable
  mutating func move<IndexKey, ID>(
    from olds: IndexKeys<IndexKey>, to news: IndexKeys<IndexKey>, oldID: ID?, newID: ID?
  ) where Key == IndexPosition<IndexKey, ID> {
    var (old, new) = (0, 0)
    while old < olds.count || new < news.count {
      if old < olds.count, new < news.count, olds[old] == news[new] {
        old += 1
        new += 1
      } else if let oldID, old < olds.count, new == news.count || olds[old] < news[new] {
        removeValue(forKey: IndexPosition(key: olds[old], id: oldID))
        old += 1
      } else if let newID {
        updateValue((), forKey: IndexPosition(key: news[new], id: newID))
        new += 1
      }
    }
  }
}
