import SnapshotFoundation

/// What is undone at once: one change of a value, or several with others' changes between them.
struct UndoStep<Root: Model>: Sendable {
  /// By what a step is known.
  struct Label: Equatable, Sendable {
    var name: String?
    /// Steps with one key are joined.
    var key: String?
    /// Transactions of one group are one step.
    var group: Int?
  }

  /// The same when the step is undone, and done again.
  let id: Int
  let label: Label
  /// In their order.
  private(set) var changes: [(before: Root, after: Root)]
  private var date: Date
  /// Whether the step was made by more than one change.
  private(set) var hasGrown = false

  init(_ id: Int, _ label: Label, _ change: ChangeSet<Root>, _ date: Date) {
    self.id = id
    self.label = label
    changes = [(change.before, change.after)]
    self.date = date
  }

  /// Whether a change with a label belongs to the step.
  func isContinued(by next: Label, _ date: Date, _ interval: TimeInterval) -> Bool {
    if let group = next.group { return group == label.group }
    guard let key = next.key, key == label.key else { return false }
    return abs(date.timeIntervalSince(self.date)) <= interval
  }

  /// Whether undoing the step would change nothing: what its changes have done they have taken back, but for dates.
  var isNothing: Bool { changes.allSatisfy { $0.after.isStoredLike($0.before, ignoresDates: true) } }

  mutating func take(_ change: ChangeSet<Root>, _ date: Date) {
    self.date = date
    hasGrown = true
    // If nothing came in between, one difference says it all.
    if let last = changes.last, last.after.hasSameTables(as: change.before) {
      changes[changes.count - 1].after = change.after
    } else {
      changes.append((change.before, change.after))
    }
  }
}
