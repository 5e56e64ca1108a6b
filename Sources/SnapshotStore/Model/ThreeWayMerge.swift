/// A record that two sides changed in different ways since what they have in common.
public struct MergeConflict: Equatable, Sendable {
  /// The table's name in the file.
  public let table: String
  /// The id of the record, described.
  public let id: String
  /// What was done about it.
  public let resolution: Resolution

  /// What a merge does about a record that both sides changed.
  public enum Resolution: String, Sendable {
    /// Both changed it: ours was taken, and theirs is in their file only.
    case tookOurs
    /// We removed it, they changed it: it is there again, as they have it.
    case keptTheirChange
    /// They removed it, we changed it: it stays, as we have it.
    case keptOurChange
    /// Theirs has a key that a unique index allows once, and another record of ours has it: theirs is in their file only.
    case leftTheirsOut
  }
}

extension Model {
  /// What comes of two values that were made from one: every record that one side alone changed, added or removed is as
  /// that side has it. Of a record that both changed, nothing is lost that is not named in the conflicts.
  ///
  /// Records are compared as wholes. A record that the other side removed is taken back where
  /// something refers to it (``takeBackReferenced(from:)``); what then leads nowhere is mended by ``mendAfterLosses()``.
  /// What is stored beside the tables is ours. O(changes · log n), and what mending takes, for values that share what they have
  /// in common; O(n) otherwise.
  ///
  /// - Parameters:
  ///   - base: what both were made from.
  ///   - ours: the side that wins where both changed a record.
  ///   - theirs: the other side.
  public static func merging(
    base: Self, ours: Self, theirs: Self
  ) -> (value: Self, conflicts: [MergeConflict], mended: [Violation]) {
    var merge = ThreeWayMerge(base: base, theirs: theirs, value: ours)
    schema.visit(&merge)
    let takenBack = merge.value.takeBackReferenced(from: [ours, theirs, base])
    let mended = merge.value.mendAfterLosses()
    return (merge.value, merge.conflicts, takenBack + mended)
  }

  /// The same value with the tables of another, and its own of all that is not a table.
  func replacingTables(with other: Self) -> Self {
    var copy = TableCopy(source: other, value: self)
    Self.schema.visit(&copy)
    return copy.value
  }
}

private struct TableCopy<Root: Model>: FieldVisitor {
  let source: Root
  var value: Root

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    value[keyPath: table] = source[keyPath: table]
  }
}

private struct ThreeWayMerge<Root: Model>: FieldVisitor {
  let base: Root
  let theirs: Root
  /// Ours, as far as it is not merged yet.
  var value: Root
  var conflicts: [MergeConflict] = []

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    let base = base[keyPath: path]
    let ours = value[keyPath: path]
    let changes = theirs[keyPath: path].changes(from: base)
    // A record of theirs that does not fit is left out, and all is done again without it: in the end with ours alone.
    var leftOut: Set<Value.ID> = []
    while true {
      let attempt = merge(changes.filter { !leftOut.contains($0.id) }, base, into: ours, name)
      guard let misfit = attempt.misfit else {
        value[keyPath: path] = attempt.table
        conflicts += attempt.conflicts
        for id in leftOut.sorted() { report(name, id, .leftTheirsOut) }
        return
      }
      leftOut.insert(misfit)
    }
  }

  /// - Returns: the table, or the id of a record that does not fit.
  private func merge<Value>(
    _ changes: [RecordChange<Value>], _ base: Table<Value>, into ours: Table<Value>, _ name: String
  ) -> (table: Table<Value>, conflicts: [MergeConflict], misfit: Value.ID?) {
    var merged = ours
    var conflicts: [MergeConflict] = []
    func report(_ id: Value.ID, _ resolution: MergeConflict.Resolution) {
      conflicts.append(MergeConflict(table: name, id: "\(id)", resolution: resolution))
    }
    // Everything is taken out before anything is put in, because records may take keys that others had.
    var pending: [Value] = []
    for change in changes {
      let (mine, common) = (ours[change.id], base[change.id])
      if mine == change.after { continue }
      if mine == common {
        merged.remove(change.id)
        if let after = change.after { pending.append(after) }
        continue
      }
      switch (mine, change.after) {
      case (_?, _?): report(change.id, .tookOurs)
      case (nil, let after?):
        report(change.id, .keptTheirChange)
        pending.append(after)
      default: report(change.id, .keptOurChange)
      }
    }
    for record in pending {
      do {
        try merged.upsert(record)
      } catch {
        return (ours, [], record.id)
      }
    }
    return (merged, conflicts, nil)
  }

  private mutating func report(_ table: String, _ id: some Any, _ resolution: MergeConflict.Resolution) {
    conflicts.append(MergeConflict(table: table, id: "\(id)", resolution: resolution))
  }
}
