import SnapshotFoundation
import Synchronization

/// The folder of the file. Another one may take its place.
extension FileSession {
  /// Takes the lock in the folder to which the path leads now, if another folder has replaced the old one. The file in
  /// the new folder counts as an external change.
  func followFolder() throws(SnapshotError) {
    guard let old = lock else { return }
    do {
      if try old.isIn(fileSystem.folderStatus(of: location)) { return }
    } catch {
      var failure = SnapshotError(error, location.path, committed: " for the folder of the file; nothing was replaced")
      if error.number == SystemError.noSuchFile {
        failure.advice = "Put the folder back; until then the changes stay in memory."
      }
      throw failure
    }
    let new = try FileLock(of: location, on: fileSystem, isShared ? .forASave : .whileOpen)
    if isShared { new.enter() }
    lock = new
    old.end()
    // What is in the new folder is not known yet. An exclusive session compares the content before it replaces it.
    if isShared {
      journal.forget()
    } else {
      journal.followFolder()
    }
    folderChanged?()
  }

  /// If the folder was moved away during the replacement, the new file is in the moved folder.
  func requireSameFolder() throws(SnapshotError) {
    guard let held = lock else { return }
    do {
      if try held.isIn(fileSystem.folderStatus(of: location)) { return }
    } catch {
      // There is no sign of a move, and the new file is durable in the place of the old one.
      if error.number != SystemError.noSuchFile { return }
    }
    throw SnapshotError(
      .changedExternally, "the folder was moved away during the save; what was saved is in the folder that was moved",
      advice: "Put the folder back, or save again.", path: location.path)
  }
}
