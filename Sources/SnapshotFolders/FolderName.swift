import SnapshotFoundation
import SnapshotStore

/// Names in a folder, as callers give them.
enum FolderName {
  /// Refuses a name that leads out of a folder or means the folder itself.
  static func require(_ name: String) throws(SnapshotError) {
    // By bytes: a slash followed by a combining mark is a single Character.
    let leaves = name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    if leaves || ["", ".", ".."].contains(name) {
      throw SnapshotError(.invalidValue, "\(SnapshotError.quoted(name)) cannot be the name of a file or a folder")
    }
  }
}

extension FileSystem {
  /// Whether a name is that of a file or a folder. Opening anything else, such as a device or a pipe, may have side
  /// effects.
  func isHarmless(_ name: String, in directory: OpenFile) throws(SystemError) -> Bool {
    try status(of: name, in: directory).kind != .other
  }
}

extension FileStatus {
  /// The date of the file's last modification.
  var modificationDate: Date { Date(timeIntervalSince1970: Double(modified) / 1e9) }
}
