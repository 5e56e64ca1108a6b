import Foundation
import SnapshotStore

/// Paths of folders.
extension URL {
  /// Refuses what is not the URL of a file, before anything is opened.
  func requireFile() throws(SnapshotError) {
    if isFileURL { return }
    throw SnapshotError(.fileNotFound, "the URL \(SnapshotError.quoted(absoluteString)) is not that of a file")
  }
}
