/// Runs rules on changes that no transaction made.
extension Store {
  /// Runs the rules of the schema on everything in the store, as if all of it were new, in one transaction.
  ///
  /// Rules run automatically wherever the value changes; see ``Rule``. They do not run on a file of the same version
  /// when it is opened. So call this after a rule was added or changed, or if a program without the rules may have
  /// edited the file.
  ///
  /// The store of a scratchpad runs no rules. O(n), plus the cost of the rules. If no rule changes anything, the
  /// transaction makes no revision.
  ///
  /// - Throws: the errors of ``write(origin:_:)``.
  public func runRules(origin: Origin = .local) throws {
    try transact(origin) { _ in ((), .anew) }
  }
}
