/// Runs the rules of a schema, after transactions and after migrations.
extension Schema where Root: Model {
  /// How often each rule may run in one transaction before the transaction is refused as endless.
  static var ruleLimit: Int { 100 }

  /// Runs the rules on the value of a transaction until no rule has a new change to look at.
  ///
  /// - Throws: the error of a rule; ``TransactionRefusal`` if the rules never stop changing the value.
  func applyRules(to value: inout Root, before: Root, _ transaction: RuledTransaction) throws {
    // For each rule, the value that it has seen.
    var seen = Array(repeating: before, count: rules.count)
    for _ in 0..<Self.ruleLimit {
      var isAtRest = true
      for (position, rule) in rules.enumerated() {
        let old = seen[position]
        // Records that were written again unchanged are not new. Otherwise a rule that does so would run for ever.
        if value.hasSameTables(as: old) || value.isStoredLike(old) { continue }
        seen[position] = value
        try rule.apply(old, &value, transaction)
        isAtRest = false
      }
      if isAtRest { return }
    }
    let names = rules.indices.filter { !value.isStoredLike(seen[$0]) }.map { "“\(rules[$0].name)”" }
    if names.isEmpty { return }
    throw TransactionRefusal(violations: [
      Violation(
        place: "rules \(names.joined(separator: ", "))",
        message:
          "they change what they watch again and again, and have not stopped after \(Self.ruleLimit.counted("round"))"
      )
    ])
  }

  /// Refuses a transaction that breaks a validation. The error lists all violations.
  func validate(_ value: Root, before: Root, _ transaction: RuledTransaction) throws {
    let violations = validations.flatMap { $0.check(before, value, transaction) }
    if !violations.isEmpty { throw TransactionRefusal(violations: violations) }
  }
}

extension Model {
  /// Runs the rules on a migrated value as if all records were new, because no rule has seen any of them.
  mutating func applyRulesAfterMigration() throws(SnapshotError) {
    do {
      try Self.schema.applyRules(to: &self, before: Self(), RuledTransaction(revision: 1, origin: .file))
    } catch {
      throw SnapshotError(
        .migrationFailed, "a rule refuses the migrated value: \("\(error)".escapedForMessage())",
        advice: "Change a step so that the rules of the schema accept the value.")
    }
  }
}
