/// Runs the rules of a schema on a value, until no rule has a new change to look at.
struct RuleRounds<Root: Model> {
  /// How often each rule may run before the value is refused as endless.
  static var limit: Int { 100 }

  private let transaction: RuledTransaction
  private let rules = Root.schema.rules
  /// The value that each rule has seen last.
  private var seen: [Root]
  private var count = 0

  /// - Parameter before: a value on which the rules are at rest. They look at the differences from it.
  init(since before: Root, _ transaction: RuledTransaction) {
    self.transaction = transaction
    seen = Array(repeating: before, count: rules.count)
  }

  /// Runs the rules until they are at rest.
  ///
  /// - Parameter followUp: brings the value to its rules, after them. If it changes something, the rules run again.
  /// - Throws: the error of a rule; ``TransactionRefusal`` if the rules never stop changing the value.
  mutating func run(on value: inout Root, followUp: ((inout Root) -> Void)? = nil) throws {
    try rest(&value)
    guard let followUp else { return }
    followUp(&value)
    while hasNews(value) {
      try rest(&value)
      followUp(&value)
    }
  }

  /// Lets each rule also see the differences from another side of a merge: what is lost of that side is no difference
  /// from the first.
  mutating func run(on value: inout Root, seeing other: Root) throws {
    if rules.isEmpty || value.hasSameTables(as: other) { return }
    try rest(&value)
    for position in rules.indices {
      // Rules before this one may have reverted a change that this one has seen.
      try see(&value, position)
      if !isNew(value, since: other) { continue }
      seen[position] = value
      try rules[position].apply(other, &value, transaction)
    }
    try rest(&value)
  }

  private mutating func rest(_ value: inout Root) throws {
    while count < Self.limit {
      var isAtRest = true
      for position in rules.indices where try see(&value, position) { isAtRest = false }
      if isAtRest { return }
      count += 1
    }
    let names = rules.indices.filter { isNew(value, since: seen[$0]) }.map { "“\(rules[$0].name)”" }
    if names.isEmpty { return }
    throw TransactionRefusal(violations: [
      Violation(
        place: "rules \(names.joined(separator: ", "))",
        message: "they change what they watch again and again, and have not stopped after \(count.counted("round"))")
    ])
  }

  /// Runs a rule if the value has changed since the rule has seen it. Returns whether it has.
  @discardableResult
  private mutating func see(_ value: inout Root, _ position: Int) throws -> Bool {
    let old = seen[position]
    guard isNew(value, since: old) else { return false }
    seen[position] = value
    try rules[position].apply(old, &value, transaction)
    return true
  }

  private func hasNews(_ value: Root) -> Bool { seen.contains { isNew(value, since: $0) } }

  /// Records that were written again unchanged are not new. Otherwise a rule that does so would run for ever.
  private func isNew(_ value: Root, since old: Root) -> Bool {
    !value.hasSameTables(as: old) && !value.isStoredLike(old)
  }
}

extension Model {
  /// Runs the rules as if all records were new, because no rule has seen any of them.
  ///
  /// - Throws: the error of a rule; ``TransactionRefusal`` if the rules never stop. The value is then unchanged.
  mutating func applyRulesAnew() throws {
    var value = self
    var rounds = RuleRounds(since: Self(), RuledTransaction(revision: 1, origin: .file))
    try rounds.run(on: &value)
    self = value
  }

  /// Runs the rules on a migrated value.
  mutating func applyRulesAfterMigration() throws(SnapshotError) {
    do {
      try applyRulesAnew()
    } catch {
      throw SnapshotError(
        .migrationFailed, "a rule refuses the migrated value: \("\(error)".escapedForMessage())",
        advice: "Change a step so that the rules of the schema accept the value.")
    }
  }

  /// Repairs a value of which parts are lost, and runs the rules on what was found. If a rule refuses it, no rule has
  /// changed it.
  ///
  /// - Returns: what was repaired.
  mutating func repairLosses() -> [Violation] {
    var repaired = repairAll()
    let found = self
    do {
      try applyRulesAnew()
      if isStoredLike(found) { return repaired }
      // Rules may bring back what was repaired.
      repaired += repairAll()
      repaired.append(Violation(place: "rules", message: "they have computed again what follows from what was found"))
    } catch {
      let reason = "\(error)".escapedForMessage(limit: .max)
      repaired.append(Violation(place: "rules", message: "they refuse what was found, and have not run: \(reason)"))
    }
    return repaired
  }
}
