public import SnapshotFoundation

/// A value that keeps what its model promises: derived values are right, validations hold, tombstones are there.
///
/// Publishing a value takes nothing else. Only this file makes one, unless a ``Verbatim`` reason is given. So the
/// compiler finds every way in.
@usableFromInline
struct Settled<Root: Model>: Sendable {
  @usableFromInline let value: Root

  fileprivate init(_ value: consuming Root) { self.value = value }

  /// A value that nobody settles, and why. Inlined, because each write to a model without promises calls it.
  @inlinable
  init(verbatim value: Root, _ reason: Verbatim) { self.value = value }
}

/// Why a value may be published or written as it is. `Docs/Decisions/0071-one-gate.md` has the list.
@usableFromInline
enum Verbatim: CaseIterable {
  /// The model has no rules, no validations and no tombstones, or its own functions keep them in transactions.
  case noPromises
  /// It is what a file holds, or an empty store begins with. Nobody has changed it.
  case opened
  /// It is the published value, under another revision.
  case published
  /// Another store with the types has settled and saved it.
  case peer
  /// It is staged in a scratchpad. The commit settles it.
  case staged
}

/// Brings a value that comes in to what its model promises.
///
/// Each way in makes one: a transaction, a merge, an undo, another program's file, a command.
@usableFromInline
struct Settlement<Root: Model> {
  /// How the value comes in.
  @usableFromInline
  enum Kind {
    /// It was made from the value before.
    case edit
    /// A person has changed it with a tool, at a date. What was changed gets that date, where the person gave none.
    case command(at: Date)
    /// A program without the types may have written it.
    case foreign
    /// It was made from several values. Rules look at the differences from each.
    case merge(with: [Root])
    /// An undo at a date, back to the values of a step. If others have changed something since the step, rules look at
    /// these values too.
    case undo(at: Date, to: [Root], isMerged: Bool)
    /// No rule has seen it: everything in it is new.
    case anew
  }

  /// The value that is published or in the file. Tombstones, validations and observers compare with it.
  let before: Root
  let kind: Kind
  let transaction: RuledTransaction
  /// Whether the value is that of a scratchpad. Then an undo has its dates, and the commit does the rest.
  var isStaged = false
  /// Whether validations may refuse the value. They do not if someone else has saved what breaks them.
  var validates = true

  /// The settled value.
  ///
  /// 1. Properties that rules compute are as before, so that no side of a merge brings its own.
  /// 2. Rules run on the differences from the value before, then on those from each other side, until none has news.
  /// 3. What was removed gets its tombstone, and what came back loses it.
  /// 4. Records that an undo or a command has changed get new dates.
  /// 5. Validations look at the differences from the value before. A transaction is refused for each record that it
  ///    leaves wrong. Other changes are refused only for what was right before.
  ///
  /// O(1) if nothing has changed, else O(changes · log n) and the cost of the rules.
  ///
  /// - Throws: the error of a rule; ``TransactionRefusal``.
  func run(_ draft: consuming Root) throws -> Settled<Root> {
    var value = draft
    let schema = Root.schema
    if isStaged || !schema.hasPromises {
      setDates(&value)
      return Settled(value)
    }
    if value.hasSameTables(as: before), others.isEmpty { return Settled(value) }
    var rounds = RuleRounds(since: before, transaction)
    if runsRules {
      if !schema.rules.isEmpty, schema.hasDerived { value.restoreDerived(from: before) }
      let followUp = schema.hasTombstones ? keepTombstones : nil
      try rounds.run(on: &value, followUp: followUp)
      for other in others {
        try rounds.run(on: &value, seeing: other)
        try rounds.run(on: &value, followUp: followUp)
      }
    }
    if setDates(&value), runsRules { try rounds.run(on: &value, followUp: followTombstones) }
    let violations = validates ? self.violations(of: value) : []
    if !violations.isEmpty { throw TransactionRefusal(violations: violations) }
    return Settled(value)
  }

  /// What the change breaks. A file may hold records that were wrong before. To merge or undo beside them makes nothing
  /// worse.
  private func violations(of value: Root) -> [Violation] {
    let found = Root.schema.validations.flatMap { $0.check(before, value, transaction) }
    if found.isEmpty { return [] }
    let earlier: [Root]
    switch kind {
    case .edit: return found
    case .command, .foreign, .merge, .anew: earlier = [before]
    case .undo(_, let step, _): earlier = [before] + step
    }
    let known = Set(earlier.flatMap { Root.schema.invalidRecords(of: $0) }.map(\.description))
    return found.filter { !known.contains($0.description) }
  }

  /// The other values from which it was made.
  private var others: [Root] {
    switch kind {
    case .edit, .command, .foreign: []
    case .merge(let others): others
    case .undo(_, let step, let isMerged): isMerged ? step : []
    case .anew: [Root()]
    }
  }

  /// Whether rules run. What they made of a step alone is undone with it.
  private var runsRules: Bool {
    if case .undo(_, _, false) = kind { false } else { true }
  }

  /// Sets the dates of change that are due. Returns whether it may have changed the value.
  @discardableResult
  private func setDates(_ value: inout Root) -> Bool {
    switch kind {
    case .edit, .foreign, .merge, .anew: return false
    case .command(let date): EditDates(date: date).visit(&value, before: before)
    case .undo(let date, _, _): value.dateUndoAsWhole(since: before, at: date)
    }
    return true
  }

  private func keepTombstones(_ value: inout Root) {
    switch kind {
    // The undo dates them by its own clock.
    case .undo: break
    case .edit, .command, .foreign, .merge: followTombstones(&value)
    case .anew:
      TombstoneUpdate().visit(&value, before: Root())
      followTombstones(&value)
    }
  }

  private func followTombstones(_ value: inout Root) { TombstoneUpdate().visit(&value, before: before) }
}
