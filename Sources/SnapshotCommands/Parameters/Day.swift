import Foundation
import SnapshotStore

/// A day that the user gives. It is a day in UTC, as in files and lists.
enum Day {
  /// The beginning of a day such as `2026-01-31`; nil for another text.
  static func start(of text: String) -> Date? {
    guard text.utf8.count == 10 else { return nil }
    return TextDate.date(from: text + "T00:00:00Z")
  }
}
