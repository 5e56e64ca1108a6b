/// The rules of a schema, also for what a migration made.
extension Schema where Root: Model {
  /// How often each rule is run in one transaction before they are held never to come to rest.
  static var ruleLimit: Int { 100 }

  /// Runs the rules on what a transaction has made of a value, until none has anything new to look at.
  ///
  /// - Throws: what a rule throws; ``TransactionRefusal`` if they do not come to rest.
  func applyRules(to value: inout Root, before: Root, _ transaction: RuledTransaction) throws {
    // For each rule what it has looked at.
    var seen = Array(repeating: before, count: rules.count)
    for _ in 0..<Self.ruleLimit {
      var isAtRest = true
      for (position, rule) in rules.enumerated() {
        let old = seen[position]
        // The same records put back are nothing new, or a rule that does so would go on for ever.
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
          "they change what they watch again and again, and do not come to rest after \(Self.ruleLimit.counted("round"))"
      )
    ])
  }

  /// Refuses a transaction that breaks a validation, with everything that is wrong.
  func validate(_ value: Root, before: Root, _ transaction: RuledTransaction) throws {
    let violations = validations.flatMap { $0.check(before, value, transaction) }
    if !violations.isEmpty { throw TransactionRefusal(violations: violations) }
  }
}

extension Model {
  /// Runs the rules on a value that a migration has made, as if all of it were new: nothing has followed from it yet.
  mutating func applyRulesAfterMigration() throws(SnapshotError) {
    do {
      try Self.schema.applyRules(to: &self, before: Self(), RuledTransaction(revision: 1, origin: .file))
    } catch {
      throw SnapshotError(
        .migrationFailed, "a rule refuses what the steps have made: \("\(error)".escapedForMessage())",
        advice: "Let a step make a value that the rules of the schema accept.")
    }
  }
}
