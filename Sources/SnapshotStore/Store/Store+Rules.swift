/// Rules, run on changes that no transaction made.
extension Store {
  /// Runs the rules of the schema on everything that the store holds, as if all of it were new, in one transaction.
  ///
  /// Rules run by themselves wherever the value changes; see ``Rule``. They have not seen what was in a file of the same version when it
  /// was opened: call this after a rule is new or has changed, or if something that knows no rules may have edited the file. A store
  /// of a scratchpad has no rules to run. O(n), and what the rules take. A transaction in which no rule changes anything makes no
  /// revision.
  ///
  /// - Throws: what ``write(origin:_:)`` throws.
  public func runRules(origin: Origin = .local) throws {
    try transact(origin, rules: false) { try applyRules(to: &$0, since: Root(), origin) }
  }

  /// Runs the rules on what differs from another value, inside of a transaction.
  func applyRules(to value: inout Root, since before: Root, _ origin: Origin) throws {
    guard hasRules else { return }
    try schema.applyRules(to: &value, before: before, RuledTransaction(revision: revision + 1, origin: origin))
  }
}
