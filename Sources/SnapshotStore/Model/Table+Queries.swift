/// A run of a table's records in some order: a range of ids, or of the keys of an index.
///
/// It is a snapshot: changes of the table it came from do not reach it. Making one is O(1), starting it O(log n).
public struct Records<Value: Record>: Sequence, Sendable {
  private let forwards: @Sendable () -> AnyIterator<Value>
  private let backwards: @Sendable () -> AnyIterator<Value>

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

  private init(
    forwards: @escaping @Sendable () -> AnyIterator<Value>, backwards: @escaping @Sendable () -> AnyIterator<Value>
  ) {
    self.forwards = forwards
    self.backwards = backwards
  }

  /// Iterates over the records in order.
  public func makeIterator() -> AnyIterator<Value> { forwards() }

  /// The same records, last to first, without copying them.
  public func reversed() -> Records { Records(forwards: backwards, backwards: forwards) }

  /// Whether there are none. O(log n).
  public var isEmpty: Bool { makeIterator().next() == nil }
}

extension Table: Sequence {
  /// Iterates over the records in ascending order of their ids.
  public struct Iterator: IteratorProtocol {
    private var base: SortedTree<ID, RecordBox<Value>>.Iterator

    init(_ table: Table) { base = table.tree.elements.makeIterator() }

    /// The next record.
    public mutating func next() -> Value? { base.next()?.value.record }
  }

  /// Iterates over the records in ascending order of their ids.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The number of records, which is exact.
  public var underestimatedCount: Int { count }

  /// The records in descending order of their ids, without copying them.
  public func reversed() -> Records<Value> {
    Records(tree.elements) { $0.value.record }.reversed()
  }

  /// The record with the smallest id.
  public var first: Value? {
    var iterator = makeIterator()
    return iterator.next()
  }

  /// The record with the greatest id.
  public var last: Value? { reversed().makeIterator().next() }

  /// The ids, ascending.
  public var ids: [ID] { tree.elements.map(\.key) }

  /// The records whose ids lie in a range, in order.
  public func records(in range: some KeyRange<ID> & Sendable) -> Records<Value> {
    Records(tree.elements(isBelow: { range.isBelow($0) }, isAbove: { range.isAbove($0) })) { $0.value.record }
  }
}

extension Table {
  /// The records under one key of an index, in order of their ids.
  public func records<Key>(in index: Index<Value, Key>, at key: Key) -> Records<Value> {
    records(in: index, from: key...key)
  }

  /// All records that an index holds, ordered by their keys, then by their ids.
  public func records<Key>(in index: Index<Value, Key>) -> Records<Value> {
    records(of: storage(of: index).entries.elements)
  }

  /// The records whose keys in an index lie in a range, ordered by their keys, then by their ids.
  public func records<Key>(in index: Index<Value, Key>, from range: some KeyRange<Key> & Sendable) -> Records<Value> {
    records(of: storage(of: index).entries(in: range))
  }

  private func records<Key>(of entries: SortedTree<IndexEntry<Key, ID>, Void>.Elements) -> Records<Value> {
    let tree = tree
    return Records(entries) { tree[$0.key.id]?.record }
  }

  private func storage<Key>(of index: Index<Value, Key>) -> OrderedIndexStorage<Value, Key> {
    for storage in indexes where storage.name == index.name {
      if let storage = storage as? OrderedIndexStorage<Value, Key> { return storage }
    }
    fatalError("the index \(index.name) is not among \(Value.self).indexes; declare it there")
  }
}
