/// A change that is made on a copy, beside other transactions, and brought onto one published value after another until nobody has
/// come in between.
protocol BesideChange<Root> {
  associatedtype Root: Model

  /// What comes of it, on the value that it was brought onto last.
  var value: Root { get }

  /// Brings it onto a newer value.
  ///
  /// - Parameter isQuick: whether it must cost no more than O(log n) for each record in which the two values differ. It is under the
  ///   writer lock then.
  /// - Returns: false, with nothing changed, if that cannot be done.
  mutating func rebase(from old: Root, onto new: Root, isQuick: Bool) throws -> Bool

  /// Throws if what comes of it must not be published.
  func requireSound() throws
}

extension Store {
  /// How often a change is brought onto a newer value outside of the writer lock, before others have to wait for that.
  private static var roundLimit: Int { 20 }

  /// Publishes what comes of a change, as one transaction.
  ///
  /// What others publish meanwhile is met outside of the writer lock, and what is published during that as well: each time it is less,
  /// because it took less time. Under the lock at most 64 records are met. Rules and validations run outside of it too, on a change of
  /// more than 64 records; that is repeated if others have come in between. Only a change that is still behind after 20 rounds makes
  /// others wait for all of it: one with slow rules, or one that needs mending, beside transactions without a pause.
  ///
  /// - Parameter seen: what the change was brought onto.
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
      // What was replaced is freed outside of the lock: that takes time.
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
