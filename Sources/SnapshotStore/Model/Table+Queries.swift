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
