/// Live queries of a store.
extension Store {
  /// A list that follows a table: its records that match, in order, in sections, and no more than a limit.
  ///
  /// ```swift
  /// for await update in store.observe(\.notes, where: { !$0.archived }, sortedBy: \.sortDate, order: .descending) {
  ///   show(update.list, update.batch)
  /// }
  /// ```
  ///
  /// The functions must be functions of the record alone, quick, and must not use the store: they are asked O(log n) times for each
  /// record that changes, by transactions and by the tasks that follow.
  ///
  /// - Parameters:
  ///   - table: which table.
  ///   - isIncluded: which of its records; all by default.
  ///   - key: what they are sorted by; a ``CompoundKey`` is for several. Records of one key come in the order of their ids, in the same
  ///     direction.
  ///   - order: the order of keys.
  ///   - section: what the records of a section have in common; sections come before keys.
  ///   - sectionOrder: the order of sections.
  ///   - limit: how many records of all are in the list at most.
  @inlinable
  public func observe<Value, Key: Comparable & Sendable, Section: Comparable & Sendable>(
    _ table: TableReadPath<Root, Value>, where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true },
    sortedBy key: @escaping @Sendable (Value) -> Key, order: LiveOrder = .ascending,
    sectionedBy section: @escaping @Sendable (Value) -> Section, sectionOrder: LiveOrder = .ascending, limit: Int? = nil
  ) -> LiveUpdates<Value, Section> {
    observe(
      table,
      LiveSlice(
        where: isIncluded, sortedBy: key, order: order, sectionedBy: section, sectionOrder: sectionOrder, limit: limit))
  }

  /// A list that follows a table: its records that match, in order, and no more than a limit.
  ///
  /// The same as with `sectionedBy`, with one section for all.
  @inlinable
  public func observe<Value, Key: Comparable & Sendable>(
    _ table: TableReadPath<Root, Value>, where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true },
    sortedBy key: @escaping @Sendable (Value) -> Key, order: LiveOrder = .ascending, limit: Int? = nil
  ) -> LiveUpdates<Value, NoSections> {
    observe(
      table, where: isIncluded, sortedBy: key, order: order, sectionedBy: { _ in NoSections() }, limit: limit)
  }

  /// The same, sorted by a `Bool` or an optional: false and nil come first.
  @inlinable
  @_disfavoredOverload
  public func observe<Value, Key: SortKey, Section: Comparable & Sendable>(
    _ table: TableReadPath<Root, Value>, where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true },
    sortedBy key: @escaping @Sendable (Value) -> Key, order: LiveOrder = .ascending,
    sectionedBy section: @escaping @Sendable (Value) -> Section, sectionOrder: LiveOrder = .ascending, limit: Int? = nil
  ) -> LiveUpdates<Value, Section> {
    observe(
      table, where: isIncluded, sortedBy: { CompoundKey(key($0)) }, order: order, sectionedBy: section,
      sectionOrder: sectionOrder, limit: limit)
  }

  /// The same, sorted by a `Bool` or an optional: false and nil come first.
  @inlinable
  @_disfavoredOverload
  public func observe<Value, Key: SortKey>(
    _ table: TableReadPath<Root, Value>, where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true },
    sortedBy key: @escaping @Sendable (Value) -> Key, order: LiveOrder = .ascending, limit: Int? = nil
  ) -> LiveUpdates<Value, NoSections> {
    observe(table, where: isIncluded, sortedBy: { CompoundKey(key($0)) }, order: order, limit: limit)
  }

  /// Not for keys without an order.
  @available(
    *, unavailable,
    message:
      "sort by something that is Comparable, by a Bool or an optional of it; by several with CompoundKey($0.first, $0.second)"
  )
  @_disfavoredOverload
  public func observe<Value, Key>(
    _ table: TableReadPath<Root, Value>, where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true },
    sortedBy key: @escaping @Sendable (Value) -> Key, order: LiveOrder = .ascending, limit: Int? = nil
  ) -> LiveUpdates<Value, NoSections> {
    // No program can call it, but it has to return something.
    observe(table, where: isIncluded, sortedBy: \.id, order: order, limit: limit)
  }

  @usableFromInline
  func observe<Value, Section>(
    _ table: TableReadPath<Root, Value>, _ slice: LiveSlice<Value, Section>
  ) -> LiveUpdates<Value, Section> {
    LiveUpdates(source: LiveSource(self, table), slice: slice)
  }

  /// The results of a function of the value: the first one now, and then each one that differs from the one before.
  ///
  /// Who is slow gets the latest result only. The function is called once for each commit that changes a table, by the task that
  /// follows; it should be a function of the tables alone. The sequence ends when the store is closed or let go.
  public func observe<Result: Equatable & Sendable>(
    _ function: @escaping @Sendable (Root) -> Result
  ) -> LiveValues<Root, Result> {
    LiveValues(self, function)
  }

  /// Finds the records that links lead to in a table of this store, all in one pass, and says which are missing.
  /// O(links · log n).
  public func resolve<Target>(
    _ links: some Sequence<SoftLink<Target>>, in table: TableReadPath<Root, Target>
  ) -> LinkTargets<Target> {
    read { $0[keyPath: table] }.resolve(links)
  }
}
