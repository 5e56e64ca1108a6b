/// A list that follows one store, with the records of another store that its records link to: fetched properties.
///
/// Both stores are followed, and neither knows the other. If they are the same store, each update shows one value of
/// it. The links of all records are kept in one set, so no record needs a fetch of its own. A commit of the other store
/// that changes no linked record costs almost nothing.
///
/// The sequence ends when both stores are closed or the task is cancelled.
public struct LinkedUpdates<Value: Record, Section: Comparable & Sendable, Target: Record>: AsyncSequence, Sendable {
  /// A list and the targets of its links.
  public typealias Element = Update
  /// The sequence does not fail.
  public typealias Failure = Never

  let updates: LiveUpdates<Value, Section>
  let links: @Sendable (Value) -> [SoftLink<Target>]
  let targets: LiveSource<Target>

  /// Starts an iteration. Its first element is the list at that time.
  public func makeAsyncIterator() -> Iterator { Iterator(linked: self) }

  /// An iteration over the changes of both stores.
  public struct Iterator: AsyncIteratorProtocol {
    let linked: LinkedUpdates
    private var state: LinkedState<Value, Section, Target>?
    private var isOver = false

    init(linked: LinkedUpdates) { self.linked = linked }

    /// The next change on either side, or the first list; nil when both stores are closed or the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Update? {
      guard !isOver, let update = await linked.next(&state) else {
        (isOver, state) = (true, nil)
        return nil
      }
      return update
    }
  }
}

extension LinkedUpdates {
  /// A list with the targets of its links.
  public struct Update: Sendable {
    /// The list now.
    public let list: LiveList<Value, Section>
    /// The changes since the previous update; nil for the first update, and if only targets have changed.
    public let batch: ListBatch<Value, Section>?
    /// The targets of the list's links, including the links whose target is missing.
    public let targets: LinkTargets<Target>
    /// The ids of linked records that were added, changed or removed on the other side since the previous update,
    /// ascending. A change of a record that was not linked at the previous update may be missing here. The record that
    /// links to it now is in the batch.
    public let changedTargets: [Target.ID]
  }
}

/// The state of an iteration on both sides.
struct LinkedState<Value: Record, Section: Comparable & Sendable, Target: Record>: Sendable {
  var parents: LiveState<Value, Section>
  var targets: LinkTargets<Target>
}

extension LiveUpdates {
  /// The same list, with the records that it links to in another store, or in another table of the same store.
  ///
  /// ```swift
  /// let options = StoreOptions(policy: .readOnly)
  /// let recipes = try Store<Cookbook>.open(at: shipped, options: options)
  /// let plans = store.observe(\.plans, sortedBy: \.day)
  ///   .linked(by: { [$0.recipe] }, to: recipes, \.recipes)
  /// for await update in plans {
  ///   for plan in update.list { show(plan, update.targets[plan.recipe]) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - links: returns the links of a record. It must depend on the record alone.
  ///   - store: the store with the linked records.
  ///   - table: the table with the linked records.
  public func linked<Root, Target>(
    by links: @escaping @Sendable (Value) -> [SoftLink<Target>], to store: Store<Root>,
    _ table: TableReadPath<Root, Target>
  ) -> LinkedUpdates<Value, Section, Target> {
    LinkedUpdates(updates: self, links: links, targets: LiveSource(store, table))
  }
}
