/// A change that is made on a copy while other transactions run. It is rebased onto newer published values until no
/// other transaction comes in between.
protocol BesideChange<Root> {
  associatedtype Root: Model

  /// The result, on the value onto which it was last rebased.
  var value: Root { get }

  /// The other sides of the merge that made the result. Empty if there was none.
  var others: [Root] { get }

  /// Continues from what the schema has made of the result, on a published value.
  mutating func settle(_ settled: Settled<Root>, over seen: Root)

  /// Rebases the change onto a newer value.
  ///
  /// - Parameter isQuick: whether the cost is limited to O(log n) for each record that differs between the two values.
  ///   It is true under the writer lock, except in the last round.
  /// - Returns: false, with nothing changed, if that is not possible.
  mutating func rebase(from old: Root, onto new: Root, isQuick: Bool) throws -> Bool

  /// Throws if the result must not be published.
  func requireSound() throws
}

extension Store {
  /// A value that was made from the published one, on top of the transactions in between. Called under the writer lock.
  ///
  /// - Parameters:
  ///   - settled: the value, which is settled over the one that it was made from.
  ///   - change: the same as a change.
  ///   - isLast: whether it is to be done at any cost. What transactions have changed too stays as they have it then.
  /// - Returns: nil if it would take longer than the changes of a transaction. Also nil if both have changed the same,
  ///   or if the schema refuses the result.
  func rebase(
    _ settled: Settled<Root>, _ change: inout MergedChange<Root>, from seen: Published, onto now: Published,
    isLast: Bool
  ) -> Settled<Root>? {
    if now === seen { return settled }
    let isLittle = !Root.schema.hasPromises || change.value.differsLittle(from: seen.value)
    guard isLast || isLittle && now.value.differsLittle(from: seen.value),
      change.rebase(from: seen.value, onto: now.value, isQuick: !isLast),
      isLast || change.conflicts.isEmpty && change.repaired.isEmpty
    else { return nil }
    return try? external(change.value, .merge(with: change.others), over: now).get()
  }

  /// The most rebases outside the writer lock. After that, other writers must wait.
  private static var roundLimit: Int { 20 }

  /// Publishes the result of a change, as one transaction.
  ///
  /// Transactions of other writers are merged outside the writer lock. Those that come during the merge are merged
  /// in the next round. Each round has less to merge, because the previous one was shorter. Under the lock at most 64
  /// records are merged, except in the last round.
  ///
  /// For a change of more than 64 records, rules and validations also run outside the lock. They are repeated if
  /// other transactions come in between. After 20 rounds the change makes other writers wait. That happens to a change
  /// with slow rules, or one that needs repair, beside transactions without a pause.
  ///
  /// - Parameter seen: the value onto which the change was last rebased.
  func publish<Change: BesideChange>(
    _ change: inout Change, onto seen: Published, origin: Origin
  ) throws where Change.Root == Root {
    var seen = seen
    for round in 0... {
      try change.requireSound()
      var settled = try settled(change, over: seen, origin)
      // Rules have looked at all sides now. What comes in between is the only news to them.
      if isRuled { change.settle(settled, over: seen.value) }
      let isLast = round == Self.roundLimit
      let isLittle = !isRuled || settled.value.differsLittle(from: seen.value)
      var isDone = false
      // The old value is freed outside the lock, because that takes time.
      let now = try writerLock.withLock {
        let now = try latestForWriting()
        if now !== seen {
          guard isLast || isLittle && now.value.differsLittle(from: seen.value),
            try change.rebase(from: seen.value, onto: now.value, isQuick: !isLast)
          else { return now }
          try change.requireSound()
          settled = try self.settled(change, over: now, origin)
        }
        publish(settled, over: now, origin: origin)
        isDone = true
        return now
      }
      if isDone { return }
      _ = try change.rebase(from: seen.value, onto: now.value, isQuick: false)
      seen = now
    }
  }

  private func settled<Change: BesideChange>(
    _ change: Change, over seen: Published, _ origin: Origin
  ) throws -> Settled<Root> where Change.Root == Root {
    // Transactions keep what the model leaves to its own functions, and the repair of their merge keeps it too.
    if !isRuled { return Settled(verbatim: change.value, isStaged ? .staged : .noPromises) }
    let others = change.others
    return try settled(change.value, others.isEmpty ? .edit : .merge(with: others), over: seen, origin)
  }
}
