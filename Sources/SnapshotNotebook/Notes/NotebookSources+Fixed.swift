public import Foundation
import SnapshotStore

/// Dates and ids for tests.
extension NotebookSources {
  /// Dates and ids for tests, the same in each run. The ids are 1000, 1001 and so on. The clock stands still unless the
  /// test moves it.
  ///
  /// - Parameters:
  ///   - start: the first date of the clock; noon of 1 January 2026 UTC by default.
  ///   - firstNoteID: the first id.
  ///   - elapsed: the time by which the test has moved the clock.
  public static func fixed(
    at start: Date = Date(timeIntervalSinceReferenceDate: 788_961_600), firstNoteID: Note.ID = 1000,
    elapsed: @escaping @Sendable () -> Duration = { .zero }
  ) -> NotebookSources {
    NotebookSources(
      now: { start.addingTimeInterval(elapsed() / .seconds(1)) }, nextNoteID: { $0.map { $0 &+ 1 } ?? firstNoteID })
  }
}
