/// The search for words in the texts of records.
extension Table {
  /// The records in which every word of a query occurs, in the order of their ids, at most `limit`.
  ///
  /// ```swift
  /// let query = SearchQuery("pencil drawing")
  /// let found = posts.search(in: [\.title, \.body], for: query, limit: 20)
  /// for post in found { print(post.title, query.ranges(in: post.body)) }
  /// ```
  ///
  /// See ``SearchQuery`` for what a word is, when it occurs, and for its places in a text. Each word may occur in
  /// another property. A query without words finds all records.
  ///
  /// There is no index of words. The first thousand texts are read in order. If they do not fill the limit, all others
  /// are read on all processors, O(n). A rare word among 100,000 notes of 450 bytes takes about 35 ms on two
  /// processors. A common word with a limit takes much less. `store.search` does the same beside the caller, and can be
  /// cancelled.
  ///
  /// - Parameters:
  ///   - properties: key paths of the properties to search: texts, optional texts and lists of texts
  ///     (``SearchableText``). Functions may stand for them.
  ///   - query: the words.
  ///   - isIncluded: whether a record is searched; by default all are.
  ///   - order: the order of the ids.
  ///   - id: the last id of the previous page; nil begins with the first record. The record need not exist.
  ///   - limit: the greatest number of records.
  @inlinable
  public func search(
    in properties: [SearchQuery.Property<Value>], for query: SearchQuery,
    where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true }, order: RecordOrder = .ascending,
    after id: ID? = nil, limit: Int = .max
  ) -> [Value] {
    search(
      in: properties, for: query, where: isIncluded, order: order, after: id, limit: limit, cancelled: nil)
  }

  /// The records in which every word of a query occurs, in the order of an index, at most `limit`.
  ///
  /// ```swift
  /// let page = posts.search(
  ///   in: [\.body], for: "pencil", by: Post.byDate, order: .descending,
  ///   limit: 20)
  /// let next = posts.search(
  ///   in: [\.body], for: "pencil", by: Post.byDate, order: .descending,
  ///   after: page.last?.position, limit: 20)
  /// ```
  ///
  /// The same as in the order of the ids. A record without a key in the index is not found. A record with several keys
  /// is found once, at the first of them in the order. A page begins after a place, as those of
  /// ``page(in:order:after:before:where:limit:)`` do.
  ///
  /// - Parameters:
  ///   - properties: key paths of the properties to search.
  ///   - query: the words.
  ///   - isIncluded: whether a record is searched; by default all are.
  ///   - index: the index.
  ///   - order: the order of keys. Records with the same key are in the order of their ids, in the same direction.
  ///   - position: the end of the previous page; nil begins with the first record.
  ///   - limit: the greatest number of rows.
  @inlinable
  public func search<Key>(
    in properties: [SearchQuery.Property<Value>], for query: SearchQuery,
    where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true }, by index: Index<Value, Key>,
    order: RecordOrder = .ascending, after position: IndexPosition<Key, ID>? = nil, limit: Int = .max
  ) -> [Index<Value, Key>.Row] {
    search(
      in: properties, for: query, where: isIncluded, by: index, order: order, after: position, limit: limit,
      cancelled: nil)
  }

  /// A search in an order of one's own, such as that of a list merged from several parts of an index.
  ///
  /// - Parameters:
  ///   - property: returns the text to search, or several.
  ///   - query: the words.
  ///   - places: the places of the records to search, ascending, each with the id of its record.
  ///   - limit: the greatest number of records.
  ///   - threads: the most threads at once; nil for the number of active processors.
  ///   - place: returns the place of a record, the one that `places` has; nil for a record that is not searched.
  @inlinable
  public func search<Place: Comparable & Sendable>(
    in property: @escaping @Sendable (Value) -> some SearchableText, for query: SearchQuery,
    along places: some Sequence<(place: Place, id: ID)>, limit: Int = .max, threads: Int? = nil,
    place: @escaping @Sendable (Value) -> Place?
  ) -> [Box] {
    OrderedSearch(
      self, for: query, order: .ascending, limit: limit, threads: threads, place: place,
      isMatch: { $1.matches(property($0)) }
    ).run(places).map(\.box)
  }
}

extension Table {
  @inlinable
  func search(
    in properties: [SearchQuery.Property<Value>], for query: SearchQuery,
    where isIncluded: @escaping @Sendable (Value) -> Bool, order: RecordOrder, after id: ID?, limit: Int,
    cancelled: CancellationFlag?
  ) -> [Value] {
    let search = OrderedSearch(
      self, for: query, order: order, limit: limit, cancelled: cancelled,
      place: { record in isIncluded(record) ? record.id : nil }, isMatch: { $1.matches($0, in: properties) })
    return search.run(ids(order: order, after: id).lazy.map { (place: $0, id: $0) }).map(\.box.record)
  }

  /// The ids in order, after one of them.
  @inlinable
  func ids(order: RecordOrder, after id: ID?) -> AnyIterator<ID> {
    switch order {
    case .ascending:
      var iterator = tree.elements(isBelow: { key in id.map { !($0 < key) } ?? false }, isAbove: nil).makeIterator()
      return AnyIterator { iterator.next()?.key }
    case .descending:
      let elements = tree.elements(isBelow: nil, isAbove: { key in id.map { !(key < $0) } ?? false })
      var iterator = elements.descending().makeIterator()
      return AnyIterator { iterator.next()?.key }
    }
  }

  @inlinable
  func search<Key>(
    in properties: [SearchQuery.Property<Value>], for query: SearchQuery,
    where isIncluded: @escaping @Sendable (Value) -> Bool, by index: Index<Value, Key>, order: RecordOrder,
    after position: IndexPosition<Key, ID>?, limit: Int, cancelled: CancellationFlag?
  ) -> [Index<Value, Key>.Row] {
    let search = OrderedSearch(
      self, for: query, order: order, limit: limit, cancelled: cancelled,
      place: { record in isIncluded(record) ? index.position(of: record, order: order) : nil },
      isMatch: { $1.matches($0, in: properties) })
    let entries = entries(in: index, order: order, after: position).lazy.map { (place: $0, id: $0.id) }
    return search.run(entries).map { Index.Row($0.box.record, key: $0.place.key) }
  }
}

extension Index {
  /// The first place of a record in the index; nil if it has none.
  @inlinable
  func position(of record: Value, order: RecordOrder) -> IndexPosition<Key, Value.ID>? {
    let key: Key? =
      switch keys(record) {
      case .none: nil
      case .one(let key): key
      case .many(let keys):
        order == .ascending ? keys.lazy.filter { $0 == $0 }.min() : keys.lazy.filter { $0 == $0 }.max()
      }
    return key.map { IndexPosition(key: $0, id: record.id) }
  }
}
