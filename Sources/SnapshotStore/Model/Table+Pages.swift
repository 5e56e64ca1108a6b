/// Lists in pages, through any index.
extension Table {
  /// One page of the records in an index.
  ///
  /// ```swift
  /// var page = posts.page(in: Post.byDate, order: .descending, limit: 50)
  /// page = posts.page(
  ///   in: Post.byDate, order: .descending, after: page.last?.position, limit: 50)
  /// ```
  ///
  /// A page begins after a place, not after a number of records. So records that come and go between two pages neither
  /// repeat nor hide others, and the record of the place may be gone. A record whose key changes in between appears at
  /// its new place, so it may be on both pages or on neither. In a multi-valued index a record has one row for each of
  /// its keys. O(log n), and O(log n) for each record that is looked at.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - order: the order of keys. Records with the same key are in the order of their ids, in the same direction.
  ///   - position: the end of the page before; nil begins with the first record.
  ///   - end: the begin of the page after; nil for no end. Without `position`, the page has the rows that are nearest
  ///     to this place: so a list goes back.
  ///   - isIncluded: whether a record belongs to the list; by default all do.
  ///   - limit: the greatest number of rows.
  @inlinable
  public func page<Key>(
    in index: Index<Value, Key>, order: RecordOrder = .ascending, after position: IndexPosition<Key, ID>? = nil,
    before end: IndexPosition<Key, ID>? = nil, where isIncluded: (Value) -> Bool = { _ in true }, limit: Int
  ) -> [Index<Value, Key>.Row] {
    guard let end, position == nil else {
      return rows(
        entries(in: index, order: order, after: position), order: order, before: end, where: isIncluded, limit: limit)
    }
    return rows(
      entries(in: index, order: order.reversed, after: end), order: order, where: isIncluded, limit: limit
    ).reversed()
  }

  /// One page of the records whose keys in an index lie in a range.
  ///
  /// The same as without a range. The places may lie outside the range.
  @inlinable
  public func page<Key>(
    in index: Index<Value, Key>, from range: some KeyRange<Key> & Sendable, order: RecordOrder = .ascending,
    after position: IndexPosition<Key, ID>? = nil, before end: IndexPosition<Key, ID>? = nil,
    where isIncluded: (Value) -> Bool = { _ in true }, limit: Int
  ) -> [Index<Value, Key>.Row] {
    guard let end, position == nil else {
      return rows(
        entries(in: index, from: range, order: order, after: position), order: order, before: end, where: isIncluded,
        limit: limit)
    }
    return rows(
      entries(in: index, from: range, order: order.reversed, after: end), order: order, where: isIncluded, limit: limit
    ).reversed()
  }

  /// The first rows of some entries.
  @inlinable
  func rows<Key>(
    _ entries: IndexEntries<Key>, order: RecordOrder, before end: IndexPosition<Key, ID>? = nil,
    where isIncluded: (Value) -> Bool, limit: Int
  ) -> [Index<Value, Key>.Row] {
    guard limit > 0 else { return [] }
    var rows: [Index<Value, Key>.Row] = []
    rows.reserveCapacity(Swift.min(limit, 128))
    for entry in entries {
      if let end, !(order == .ascending ? entry < end : end < entry) { break }
      guard let box = tree[entry.id], isIncluded(box.record) else { continue }
      rows.append(Index.Row(box.record, key: entry.key))
      if rows.count == limit { break }
    }
    return rows
  }
}

extension Index {
  /// A record in a page of an index, with its place.
  public struct Row: Sendable {
    /// The record.
    public let record: Value
    /// The key under which the index has the record.
    public let key: Key

    @inlinable
    init(_ record: Value, key: Key) {
      self.record = record
      self.key = key
    }

    /// The place of the record: the end of a page that ends with it.
    @inlinable public var position: IndexPosition<Key, Value.ID> { IndexPosition(key: key, id: record.id) }
  }
}

extension Index.Row: Equatable {
  /// Whether the records and the keys are equal.
  public static func == (a: Self, b: Self) -> Bool { a.key == b.key && a.record == b.record }
}
