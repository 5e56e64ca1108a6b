/// A sequence of a table's records: a range of ids, or of the keys of an index.
///
/// ```swift
/// let tagged = posts.records(in: Post.byTag, at: "art")
/// for post in tagged.reversed() { print(post.title) }
/// ```
///
/// It is a snapshot: later changes of the table do not affect it. Making one is O(1), starting it O(log n).
public struct Records<Value: Record>: Sequence, Sendable {
  @usableFromInline let forwards: @Sendable () -> AnyIterator<Value>
  @usableFromInline let backwards: @Sendable () -> AnyIterator<Value>

  @inlinable
  init<Key, Payload>(
    _ elements: SortedTree<Key, Payload>.Elements, record: @escaping @Sendable ((key: Key, value: Payload)) -> Value?
  ) {
    forwards = {
      var iterator = elements.makeIterator()
      return AnyIterator { iterator.next().flatMap(record) }
    }
    backwards = {
      var iterator = elements.descending().makeIterator()
      return AnyIterator { iterator.next().flatMap(record) }
    }
  }

  @inlinable
  init(
    forwards: @escaping @Sendable () -> AnyIterator<Value>, backwards: @escaping @Sendable () -> AnyIterator<Value>
  ) {
    self.forwards = forwards
    self.backwards = backwards
  }

  /// Iterates over the records in order.
  @inlinable
  public func makeIterator() -> AnyIterator<Value> { forwards() }

  /// The same records in reverse order, without copying them.
  @inlinable
  public func reversed() -> Records { Records(forwards: backwards, backwards: forwards) }

  /// The first record; nil if there is none. Costs what reading one record costs.
  @inlinable
  public var first: Value? { makeIterator().next() }

  /// Whether there are no records. O(log n).
  @inlinable
  public var isEmpty: Bool { makeIterator().next() == nil }
}

extension Table: Sequence {
  /// Iterates over the records in ascending order of their ids.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var base: SortedTree<ID, RecordBox<Value>>.Iterator

    @inlinable
    init(_ table: Table) { base = table.tree.elements.makeIterator() }

    /// The next record.
    @inlinable
    public mutating func next() -> Value? { base.next()?.value.record }
  }

  /// Iterates over the records in ascending order of their ids.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The exact number of records.
  @inlinable
  public var underestimatedCount: Int { count }

  /// The records in descending order of their ids, without copying them.
  @inlinable
  public func reversed() -> Records<Value> {
    Records(tree.elements) { $0.value.record }.reversed()
  }

  /// The record with the smallest id.
  @inlinable
  public var first: Value? {
    var iterator = makeIterator()
    return iterator.next()
  }

  /// The record with the greatest id.
  @inlinable
  public var last: Value? { reversed().makeIterator().next() }

  /// The ids, ascending.
  @inlinable
  public var ids: [ID] { tree.elements.map(\.key) }

  /// The records whose ids lie in a range, in order.
  @inlinable
  public func records(in range: some KeyRange<ID> & Sendable) -> Records<Value> {
    Records(tree.elements(isBelow: { range.isBelow($0) }, isAbove: { range.isAbove($0) })) { $0.value.record }
  }
}

extension Table {
  /// The records under one key of an index, in order of their ids. Empty for a key that is not equal to itself, such as
  /// a NaN.
  @inlinable
  public func records<Key>(in index: Index<Value, Key>, at key: Key) -> Records<Value> {
    records(in: index, from: SingleKey(key))
  }

  /// All records in an index, ordered by their keys, then by their ids.
  @inlinable
  public func records<Key>(in index: Index<Value, Key>) -> Records<Value> {
    records(of: entries(of: index).elements)
  }

  /// The records whose keys in an index lie in a range, ordered by their keys, then by their ids.
  @inlinable
  public func records<Key>(in index: Index<Value, Key>, from range: some KeyRange<Key> & Sendable) -> Records<Value> {
    records(of: entries(of: index).elements(isBelow: { range.isBelow($0.key) }, isAbove: { range.isAbove($0.key) }))
  }

  @inlinable
  func records<Key>(of entries: SortedTree<IndexPosition<Key, ID>, Void>.Elements) -> Records<Value> {
    let tree = tree
    return Records(entries) { tree[$0.key.id]?.record }
  }

  @inlinable
  func entries<Key>(of index: Index<Value, Key>) -> SortedTree<IndexPosition<Key, ID>, Void> {
    for candidate in indexes where candidate.maintainer.name == index.name {
      if let entries = candidate.entries.tree(as: SortedTree<IndexPosition<Key, ID>, Void>.self) { return entries }
    }
    fatalError("the index \(index.name) is not among \(Value.self).indexes; declare it there")
  }
}

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
