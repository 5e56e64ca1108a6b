import SnapshotStore

/// Removes folders that killed processes have left behind, and no folder that may belong to another program.
///
/// The name is the first proof (``TemporaryName``). The lock, the owner and the entries are the second.
extension FileSystem {
  /// Removes the temporary folders of a folder that no process has locked. A failure does no harm.
  func removeLeftoverFolders(_ temporary: TemporaryName, in parent: OpenFile) {
    for name in (try? names(in: parent)) ?? [] where temporary.isForm(of: name) {
      guard (try? isHarmless(name, in: parent)) == true, let folder = try? openDirectory(name, in: parent) else {
        continue
      }
      defer { close(folder) }
      guard (try? lock(folder, timeLimit: .zero)) != nil, (try? holdsOwnFilesOnly(folder)) == true else { continue }
      try? removeTree(name, in: parent)
    }
  }

  /// Whether a folder contains only entries that a ``FolderWriter`` of this user makes: files, and folders of one
  /// level.
  private func holdsOwnFilesOnly(_ folder: OpenFile, levels: Int = 2) throws(SystemError) -> Bool {
    let status = try status(folder)
    guard status.kind == .directory, status.owner == user, try !hasIllegibleNames(in: folder) else { return false }
    for name in try names(in: folder) where name != "." && name != ".." {
      guard try isHarmless(name, in: folder) else { return false }
      let inner = try open(name, in: folder)
      defer { close(inner) }
      let content = try self.status(inner)
      if content.kind == .regular, content.owner == user { continue }
      guard levels > 1, try holdsOwnFilesOnly(inner, levels: levels - 1) else { return false }
    }
    return true
  }

  /// Removes a folder of this library, with files and folders of one level in it.
  func removeTree(_ name: String, in parent: OpenFile, levels: Int = 2) throws(SystemError) {
    let folder = try openDirectory(name, in: parent)
    defer { close(folder) }
    for inner in try names(in: folder) where inner != "." && inner != ".." {
      do throws(SystemError) {
        try remove(inner, in: folder)
      } catch {
        if levels > 1 { try removeTree(inner, in: folder, levels: levels - 1) } else { throw error }
      }
    }
    try removeDirectory(name, in: parent)
  }
}
