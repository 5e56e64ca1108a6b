import Foundation
import SnapshotStore

/// Checks of folder URLs.
extension URL {
  /// Refuses a URL that is not a file URL, before anything is opened.
  func requireFile() throws(SnapshotError) {
    if isFileURL { return }
    throw SnapshotError(.fileNotFound, "the URL \(SnapshotError.quoted(absoluteString)) is not a file URL")
  }
}
