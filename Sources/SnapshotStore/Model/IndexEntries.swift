/// The entries of an index from one place on, in the order of their keys, those of one key in the order of their ids. No record
/// is looked at.
///
/// It is a snapshot: changes of the table it came from do not reach it. Starting it is O(log n), each entry O(1).
public struct IndexEntries<Value: Record, Key: Comparable & Sendable>: Sequence, Sendable {
  @usableFromInline let tree: SortedTree<IndexEntry<Key, Value.ID>, Void>
  /// The place to begin at.
  @usableFromInline let start: Start

  @usableFromInline
  enum Start: Sendable {
    case beginning
    case at(Key)
    case after(IndexEntry<Key, Value.ID>)
  }

  @inlinable
  init(_ tree: SortedTree<IndexEntry<Key, Value.ID>, Void>, from start: Start) {
    self.tree = tree
    self.start = start
  }

  /// Iterates over the entries in order.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Steps from entry to entry.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var cursor: SortedTree<IndexEntry<Key, Value.ID>, Void>.Cursor

    @inlinable
    init(_ entries: IndexEntries) {
      cursor =
        switch entries.start {
        case .beginning: .init(entries.tree) { _ in false }
        case .at(let key): .init(entries.tree) { $0.key < key }
        case .after(let entry): .init(entries.tree) { !(entry < $0) }
        }
    }

    /// The key and the id of the next entry; nil at the end.
    @inlinable
    public mutating func next() -> (key: Key, id: Value.ID)? {
      guard let entry = cursor.current?.key else { return nil }
      cursor.advance()
      return (entry.key, entry.id)
    }
  }
}

extension Table {
  /// The entries of an index, for lists in pages and for what is put together from several lists.
  @inlinable
  public func entries<Key>(in index: Index<Value, Key>) -> IndexEntries<Value, Key> {
    IndexEntries(entries(of: index), from: .beginning)
  }

  /// The entries of an index whose keys are not below one.
  @inlinable
  public func entries<Key>(in index: Index<Value, Key>, from key: Key) -> IndexEntries<Value, Key> {
    IndexEntries(entries(of: index), from: .at(key))
  }

  /// The entries of an index behind a place, whether or not there is an entry at it: the next page of a list.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - key: the key of the last entry before them.
  ///   - id: the id of that entry's record.
  @inlinable
  public func entries<Key>(in index: Index<Value, Key>, after key: Key, id: ID) -> IndexEntries<Value, Key> {
    IndexEntries(entries(of: index), from: .after(IndexEntry(key: key, id: id)))
  }
}
