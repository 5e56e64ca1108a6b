public import Foundation
import SnapshotStore

/// Dates for an undo, so that the next sync does not revert it.
extension Notebook {
  /// Gives all that an undo restored the current date, by the clock of the ``sources``.
  ///
  /// The tombstones of notes follow. Tags and attachments have none. If an undo removes one, the next sync restores it
  /// from any copy that has it.
  public mutating func dateUndo(since before: Notebook, at date: Date) {
    renewDates(since: before, at: sources.now())
  }
}
