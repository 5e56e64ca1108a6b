import SnapshotFoundation

/// Names in a folder, as callers give them.
enum FolderName {
  /// Refuses what is no name in a folder, but leads out of it or to the folder itself.
  static func require(_ name: String) throws(SnapshotError) {
    // By the byte: a slash and a mark that follows it are one Character.
    let leaves = name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    if leaves || ["", ".", ".."].contains(name) {
      throw SnapshotError(.invalidValue, "\(name.quotedForMessage()) cannot be the name of a file or a folder")
    }
  }
}

extension FileStatus {
  /// When the file was last modified.
  var modificationDate: Date { Date(timeIntervalSince1970: Double(modified) / 1e9) }
}
