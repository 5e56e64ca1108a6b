public import Foundation
import SnapshotStore

/// Dates and ids for tests.
extension NotebookSources {
  /// Dates and ids for tests, which are the same each time: the ids are 1000, 1001 and so on, and the date is that of a clock which
  /// stands still unless the test moves it.
  ///
  /// - Parameters:
  ///   - start: the date at which the clock begins; noon of 1 January 2026 UTC unless another is given.
  ///   - firstNoteID: the first id.
  ///   - elapsed: how far the clock was moved.
  public static func fixed(
    at start: Date = Date(timeIntervalSinceReferenceDate: 788_961_600), firstNoteID: Note.ID = 1000,
    elapsed: @escaping @Sendable () -> Duration = { .zero }
  ) -> NotebookSources {
    NotebookSources(
      now: { start.addingTimeInterval(elapsed() / .seconds(1)) }, noteIDs: SequentialNoteIDs(first: firstNoteID))
  }
}
