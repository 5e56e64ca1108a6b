/// The entries of an index, in order, without their records.
extension Table {
  /// The entries of an index from a place on, in the order of their keys, then of their ids. It does not access the
  /// records.
  ///
  /// It is a snapshot: later changes of the table do not affect it. Starting it is O(log n), each entry O(1).
  public struct IndexEntries<Key: Comparable & Sendable>: Sequence, Sendable {
    @usableFromInline let tree: SortedTree<IndexEntry<Key, Value.ID>, Void>
    /// The place of the first entry.
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

    /// An iterator over entries.
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

  /// All entries of an index, for lists in pages, and for merging several lists.
  @inlinable
  public func entries<Key>(in index: Index<Value, Key>) -> IndexEntries<Key> {
    IndexEntries(entries(of: index), from: .beginning)
  }

  /// The entries of an index whose keys are not less than `key`.
  @inlinable
  public func entries<Key>(in index: Index<Value, Key>, from key: Key) -> IndexEntries<Key> {
    IndexEntries(entries(of: index), from: .at(key))
  }

  /// The entries of an index after a place, for the next page of a list. The place itself need not have an entry.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - key: the key of the last entry before them.
  ///   - id: the id of that entry's record.
  @inlinable
  public func entries<Key>(in index: Index<Value, Key>, after key: Key, id: ID) -> IndexEntries<Key> {
    IndexEntries(entries(of: index), from: .after(IndexEntry(key: key, id: id)))
  }
}
