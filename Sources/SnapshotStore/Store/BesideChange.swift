/// A change that is made on a copy while other transactions run. It is rebased onto newer published values until no
/// other transaction comes in between.
protocol BesideChange<Root> {
  associatedtype Root: Model

  /// The result, on the value onto which it was last rebased.
  var value: Root { get }

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
  ///   - change: the value, as the change of the one that it was made from.
  ///   - isLast: whether it is to be done at any cost. What transactions have changed too stays as they have it then.
  /// - Returns: nil if it would take longer than the changes of a transaction, or if both have changed the same.
  func rebase(
    _ change: inout MergedChange<Root>, from seen: Published, onto now: Published, isLast: Bool
  ) -> Root? {
    if now === seen { return change.value }
    let isLittle = !hasRules && !validates || change.value.differsLittle(from: seen.value)
    guard isLast || isLittle && now.value.differsLittle(from: seen.value),
      change.rebase(from: seen.value, onto: now.value, isQuick: !isLast),
      isLast || change.conflicts.isEmpty && change.mended.isEmpty
    else { return nil }
    return change.value
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
  /// with slow rules, or one that needs mending, beside transactions without a pause.
  ///
  /// - Parameter seen: the value onto which the change was last rebased.
  func publish<Change: BesideChange>(
    _ change: inout Change, onto seen: Published, origin: Origin
  ) throws where Change.Root == Root {
    let isRuled = hasRules || validates
    var seen = seen
    for round in 0... {
      try change.requireSound()
      var settled = change.value
      if isRuled { try settle(&settled, seen, origin, rules: hasRules) }
      let isLast = round == Self.roundLimit
      let isLittle = !isRuled || settled.differsLittle(from: seen.value)
      var isDone = false
      // The old value is freed outside the lock, because that takes time.
      let now = try writerLock.withLock {
        let now = try latestForWriting()
        if now !== seen {
          guard isLast || isLittle && now.value.differsLittle(from: seen.value),
            try change.rebase(from: seen.value, onto: now.value, isQuick: !isLast)
          else { return now }
          try change.requireSound()
          settled = change.value
          if isRuled { try settle(&settled, now, origin, rules: hasRules) }
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
}
