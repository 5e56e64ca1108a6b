/// The entries of an index, in order, without their records.
extension Table {
  /// A part of the entries of an index, in the order of their keys, then of their ids. It does not access the records.
  ///
  /// ```swift
  /// var counts: [String: Int] = [:]
  /// for entry in posts.entries(in: Post.byTag) {
  ///   counts[entry.key, default: 0] += 1
  /// }
  /// ```
  ///
  /// It is a snapshot: later changes of the table do not affect it. Starting it is O(log n), each entry O(1).
  public struct IndexEntries<Key: Comparable & Sendable>: Sequence, Sendable {
    @usableFromInline typealias Elements = SortedTree<IndexPosition<Key, Value.ID>, Void>.Elements
    @usableFromInline let elements: Elements
    @usableFromInline let order: RecordOrder

    @inlinable
    init(_ elements: Elements, order: RecordOrder) {
      self.elements = elements
      self.order = order
    }

    /// Iterates over the entries in order.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(self) }

    /// An iterator over entries.
    public struct Iterator: IteratorProtocol {
      @usableFromInline var cursor: SortedTree<IndexPosition<Key, Value.ID>, Void>.Cursor
      @usableFromInline let isBeyond: (@Sendable (IndexPosition<Key, Value.ID>) -> Bool)?
      @usableFromInline let order: RecordOrder

      @inlinable
      init(_ entries: IndexEntries) {
        order = entries.order
        switch order {
        case .ascending:
          cursor = entries.elements.makeIterator().cursor
          isBeyond = entries.elements.isAbove
        case .descending:
          cursor = entries.elements.descending().makeIterator().cursor
          isBeyond = entries.elements.isBelow
        }
      }

      /// The key and the id of the next entry; nil at the end.
      @inlinable
      public mutating func next() -> IndexPosition<Key, Value.ID>? {
        // A descending cursor stands on the entry that was returned last.
        if order == .descending { cursor.retreat() }
        guard let entry = cursor.current?.key else { return nil }
        if let isBeyond, isBeyond(entry) { return nil }
        if order == .ascending { cursor.advance() }
        return entry
      }
    }
  }

  /// The entries of an index, for lists in pages, and for merging several lists.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - order: the order of keys. Entries with the same key are in the order of their ids, in the same direction.
  ///   - position: the place after which the entries begin; nil for all of them. It need not have an entry.
  @inlinable
  public func entries<Key>(
    in index: Index<Value, Key>, order: RecordOrder = .ascending, after position: IndexPosition<Key, ID>? = nil
  ) -> IndexEntries<Key> {
    entries(in: index, isBelow: nil, isAbove: nil, order: order, after: position)
  }

  /// The entries of an index whose keys lie in a range; see ``entries(in:order:after:)``.
  @inlinable
  public func entries<Key>(
    in index: Index<Value, Key>, from range: some KeyRange<Key> & Sendable, order: RecordOrder = .ascending,
    after position: IndexPosition<Key, ID>? = nil
  ) -> IndexEntries<Key> {
    entries(
      in: index, isBelow: { range.isBelow($0.key) }, isAbove: { range.isAbove($0.key) }, order: order, after: position)
  }

  @inlinable
  func entries<Key>(
    in index: Index<Value, Key>, isBelow: (@Sendable (IndexPosition<Key, ID>) -> Bool)?,
    isAbove: (@Sendable (IndexPosition<Key, ID>) -> Bool)?, order: RecordOrder, after position: IndexPosition<Key, ID>?
  ) -> IndexEntries<Key> {
    let tree = entries(of: index)
    guard let position else {
      return IndexEntries(tree.elements(isBelow: isBelow, isAbove: isAbove), order: order)
    }
    // Each test is true for a prefix, or for a suffix, of all entries. That holds of both together too.
    return switch order {
    case .ascending:
      IndexEntries(
        tree.elements(isBelow: { isBelow?($0) == true || !(position < $0) }, isAbove: isAbove), order: order)
    case .descending:
      IndexEntries(
        tree.elements(isBelow: isBelow, isAbove: { isAbove?($0) == true || !($0 < position) }), order: order)
    }
  }
}
