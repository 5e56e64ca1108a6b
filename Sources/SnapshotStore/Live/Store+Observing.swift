/// Live queries of a store.
extension Store {
  /// A list that follows a table: its matching records, in order, in sections, and up to a limit.
  ///
  /// ```swift
  /// let notes = store.observe(
  ///   \.notes, where: { !$0.archived }, sortedBy: \.sortDate, order: .descending)
  /// for await update in notes {
  ///   show(update.list, update.batch)
  /// }
  /// ```
  ///
  /// The functions must depend on the record alone, be quick, and not use the store. They are called O(log n) times for
  /// each changed record, by transactions and by the tasks that follow.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - isIncluded: whether a record matches; by default all do.
  ///   - key: the key to sort by; a ``CompoundKey`` has several. Records with the same key are sorted by their ids, in
  ///     the same direction.
  ///   - order: the order of keys.
  ///   - section: the key of a record's section. Sections are sorted before keys.
  ///   - sectionOrder: the order of sections.
  ///   - limit: the most records in the list.
  @inlinable
  public func observe<Value, Key: Comparable & Sendable, Section: Comparable & Sendable>(
    _ table: TableReadPath<Root, Value>, where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true },
    sortedBy key: @escaping @Sendable (Value) -> Key, order: RecordOrder = .ascending,
    sectionedBy section: @escaping @Sendable (Value) -> Section, sectionOrder: RecordOrder = .ascending,
    limit: Int? = nil
  ) -> LiveList<Value, Section>.Updates {
    observe(
      table,
      LiveSlice(
        where: isIncluded, sortedBy: key, order: order, sectionedBy: section, sectionOrder: sectionOrder, limit: limit))
  }

  /// A list that follows a table: its matching records, in order, and up to a limit.
  ///
  /// The same as with `sectionedBy`, with one section for all records.
  @inlinable
  public func observe<Value, Key: Comparable & Sendable>(
    _ table: TableReadPath<Root, Value>, where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true },
    sortedBy key: @escaping @Sendable (Value) -> Key, order: RecordOrder = .ascending, limit: Int? = nil
  ) -> LiveList<Value, NoSections>.Updates {
    observe(
      table, where: isIncluded, sortedBy: key, order: order, sectionedBy: { _ in NoSections() }, limit: limit)
  }

  /// The same, sorted by a `Bool` or an optional. False and nil come first.
  @inlinable
  @_disfavoredOverload
  public func observe<Value, Key: SortKey, Section: Comparable & Sendable>(
    _ table: TableReadPath<Root, Value>, where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true },
    sortedBy key: @escaping @Sendable (Value) -> Key, order: RecordOrder = .ascending,
    sectionedBy section: @escaping @Sendable (Value) -> Section, sectionOrder: RecordOrder = .ascending,
    limit: Int? = nil
  ) -> LiveList<Value, Section>.Updates {
    observe(
      table, where: isIncluded, sortedBy: { CompoundKey(key($0)) }, order: order, sectionedBy: section,
      sectionOrder: sectionOrder, limit: limit)
  }

  /// The same, sorted by a `Bool` or an optional. False and nil come first.
  @inlinable
  @_disfavoredOverload
  public func observe<Value, Key: SortKey>(
    _ table: TableReadPath<Root, Value>, where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true },
    sortedBy key: @escaping @Sendable (Value) -> Key, order: RecordOrder = .ascending, limit: Int? = nil
  ) -> LiveList<Value, NoSections>.Updates {
    observe(table, where: isIncluded, sortedBy: { CompoundKey(key($0)) }, order: order, limit: limit)
  }

  /// Unavailable: the key has no order.
  @available(
    *, unavailable,
    message:
      "sort by something that is Comparable, by a Bool or an optional of it; by several with CompoundKey($0.first, $0.second)"
  )
  @_disfavoredOverload
  public func observe<Value, Key>(
    _ table: TableReadPath<Root, Value>, where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true },
    sortedBy key: @escaping @Sendable (Value) -> Key, order: RecordOrder = .ascending, limit: Int? = nil
  ) -> LiveList<Value, NoSections>.Updates {
    // No program can call it, but it must return a value.
    observe(table, where: isIncluded, sortedBy: \.id, order: order, limit: limit)
  }

  @usableFromInline
  func observe<Value, Section>(
    _ table: TableReadPath<Root, Value>, _ slice: LiveSlice<Value, Section>
  ) -> LiveList<Value, Section>.Updates {
    LiveList.Updates(source: LiveSource(self, table), slice: slice)
  }

  /// The results of a function of the value: the current result, and then each different one.
  ///
  /// A slow consumer receives only the latest result. The following task calls the function once for each commit that
  /// changes a table, so the function should depend on tables alone. The sequence ends when the store is closed or
  /// deallocated.
  public func observe<Result: Equatable & Sendable>(
    _ function: @escaping @Sendable (Root) -> Result
  ) -> LiveValues<Root, Result> {
    LiveValues(self, function)
  }

  /// Finds the records that links point to in a table of this store, in one pass. The result also names missing
  /// targets. O(links · log n).
  public func resolve<Target>(
    _ links: some Sequence<SoftLink<Target>>, in table: TableReadPath<Root, Target>
  ) -> LinkTargets<Target> {
    read { $0[keyPath: table] }.resolve(links)
  }
}
