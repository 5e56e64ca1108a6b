/// A list that follows one store, with the records of another that its records link to: fetched properties.
///
/// Both stores are followed, and neither knows of the other. If they are one, each update shows one value of it. The links of all records are kept in one set, so that there is no
/// fetch for each record, and a commit of the other store that touches no linked record costs about nothing.
///
/// The sequence goes on as long as one of the stores does, and ends when both are closed or the task is cancelled.
public struct LinkedUpdates<Value: Record, Section: Comparable & Sendable, Target: Record>: AsyncSequence, Sendable {
  /// A list and where its links lead.
  public typealias Element = LinkedUpdate<Value, Section, Target>
  /// It does not fail.
  public typealias Failure = Never

  let updates: LiveUpdates<Value, Section>
  let links: @Sendable (Value) -> [SoftLink<Target>]
  let targets: LiveSource<Target>

  /// Starts with what is there by then.
  public func makeAsyncIterator() -> Iterator { Iterator(linked: self) }

  /// Goes along with both stores.
  public struct Iterator: AsyncIteratorProtocol {
    let linked: LinkedUpdates
    private var state: LinkedState<Value, Section, Target>?
    private var isOver = false

    init(linked: LinkedUpdates) { self.linked = linked }

    /// The next change on either side, or the first list; nil when both stores are closed or the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> LinkedUpdate<Value, Section, Target>? {
      guard !isOver, let update = await linked.next(&state) else {
        (isOver, state) = (true, nil)
        return nil
      }
      return update
    }
  }
}

/// A list with the targets of its links.
public struct LinkedUpdate<Value: Record, Section: Comparable & Sendable, Target: Record>: Sendable {
  /// The list now.
  public let list: LiveList<Value, Section>
  /// How it came from the one delivered before; nil for the first, and if only targets have changed.
  public let batch: ListBatch<Value, Section>?
  /// Where the links of the list's records lead, or that they lead nowhere.
  public let targets: LinkTargets<Target>
  /// The ids, ascending, of records linked now that came, went or changed on the other side since the update before. Of one that was
  /// not linked then, it may be missing here that it changed; the record that links to it now is in the batch.
  public let changedTargets: [Target.ID]
}

/// What an iteration knows of both sides.
struct LinkedState<Value: Record, Section: Comparable & Sendable, Target: Record>: Sendable {
  var parents: LiveState<Value, Section>
  var targets: LinkTargets<Target>
}

extension LiveUpdates {
  /// The same list, with the records that its records link to in another store, or in another table of the same one.
  ///
  /// ```swift
  /// let recipes = try Store<Cookbook>.open(at: shipped, options: StoreOptions(policy: .readOnly))
  /// let plans = store.observe(\.plans, sortedBy: \.day).linked(by: { [$0.recipe] }, to: recipes, \.recipes)
  /// for await update in plans {
  ///   for plan in update.list { show(plan, update.targets[plan.recipe]) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - links: the links of a record; a function of the record alone.
  ///   - store: where they lead.
  ///   - table: into which table of it.
  public func linked<Root, Target>(
    by links: @escaping @Sendable (Value) -> [SoftLink<Target>], to store: Store<Root>,
    _ table: TableReadPath<Root, Target>
  ) -> LinkedUpdates<Value, Section, Target> {
    LinkedUpdates(updates: self, links: links, targets: LiveSource(store, table))
  }
}
