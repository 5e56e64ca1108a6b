import SnapshotFoundation

/// The unit of undo: one change of a value, or several with changes of others between them.
struct UndoStep<Root: Model>: Sendable {
  /// The identity of a step for joining changes.
  struct Label: Equatable, Sendable {
    var name: String?
    /// Consecutive steps with the same key are joined.
    var key: String?
    /// All transactions of one group are one step. A group may also join the step before it by its key.
    var group: Int?
  }

  /// The number of the step, which stays the same when the step is undone and redone.
  let id: Int
  private(set) var label: Label
  /// The place among the steps of one list: that of a newer step is higher. A step that grows gets a new place.
  var place = 0
  /// The changes in their order.
  private(set) var changes: [(before: Root, after: Root)]
  private var date: Date
  /// Whether the step has more than one change.
  private(set) var hasGrown = false

  init(_ id: Int, _ label: Label, _ change: ChangeSet<Root>, _ date: Date) {
    self.id = id
    self.label = label
    changes = [(change.before, change.after)]
    self.date = date
  }

  /// Whether a change with a label is a further one of the step's group.
  func hasGroup(of next: Label) -> Bool { next.group != nil && next.group == label.group }

  /// Whether a change with a label belongs to the step.
  func isContinued(by next: Label, _ date: Date, _ interval: TimeInterval) -> Bool {
    if hasGroup(of: next) { return true }
    guard let key = next.key, key == label.key else { return false }
    return abs(date.timeIntervalSince(self.date)) <= interval
  }

  /// Whether an undo would change nothing: the changes cancel each other, except for dates of change.
  var isNothing: Bool { changes.allSatisfy { $0.after.isStoredLike($0.before, ignoresDates: true) } }

  /// - Parameter next: the label of the change. Further changes of its group belong to this step too.
  mutating func take(_ change: ChangeSet<Root>, _ next: Label, _ date: Date) {
    self.date = date
    label.group = next.group ?? label.group
    hasGrown = true
    // If nothing came in between, one difference is enough for both.
    if let last = changes.last, last.after.hasSameTables(as: change.before) {
      changes[changes.count - 1].after = change.after
    } else {
      changes.append((change.before, change.after))
    }
  }
}

extension Origin {
  /// The origin of an undo or redo.
  public static let undo = Origin("undo")
}
