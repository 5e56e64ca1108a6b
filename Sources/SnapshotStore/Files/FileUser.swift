public import SnapshotFoundation

/// A store that has a file open for writing; see ``SnapshotFile/users(of:)``.
///
/// All of it is what the process wrote beside the file when it opened the store, or began to save.
public struct FileUser: Equatable, Sendable {
  /// How a store uses its file.
  public enum Access: String, Sendable {
    /// No other process can write the file until the store is closed, or the short session ends.
    case exclusive
    /// Others can write the file too; see ``StoreAccess/shared``.
    case shared
    /// A shared store saves at this moment, or takes in what others have saved. Or it was stopped while it did. Others
    /// wait for it.
    case save
  }

  /// The name of the program, at most 40 characters.
  public let name: String
  /// The number of the process. In a container, it is the number in there.
  public let process: Int32
  /// When the store was opened, or the save began, by the clock of that time.
  public let since: Date
  /// How the store uses the file.
  public let access: Access
}

extension FileUser {
  /// The store in a line of a lock file: `Notes (process 42) since 2026-11-24T07:40:00Z`, and perhaps the access. Nil
  /// for any other text.
  init?(line: some StringProtocol) {
    guard
      let match = String(line).wholeMatch(of: /(.*) \(process ([0-9]{1,9})\) since ([^ ,]+)(|, shared|, for a save)/),
      let process = Int32(match.2), process > 0, let since = try? Date.ISO8601FormatStyle().parse(String(match.3))
    else { return nil }
    name = String(match.1)
    self.process = process
    self.since = since
    access =
      switch match.4 {
      case ", shared": .shared
      case "": .exclusive
      default: .save
      }
  }
}

extension FileSystem {
  /// The stores that have a file open for writing. It needs no permission to write, and does not keep a writer from
  /// taking the lock. O(stores).
  ///
  /// - Throws: an error if there is a lock file that cannot be read.
  func users(of location: FileLocation) throws(SystemError) -> [FileUser] {
    let directory = try openDirectory(location.directory)
    defer { close(directory) }
    let name = SideName.lock(of: location.name)
    let file: OpenFile
    do {
      guard try isHarmless(name, in: directory) else { return [] }
      file = try open(name, in: directory)
    } catch {
      // A link is no lock file.
      if [SystemError.noSuchFile, SystemError.tooManyLinks].contains(error.number) { return [] }
      throw error
    }
    defer { close(file) }
    let content = try lockContent(file)
    guard content.problem == nil else { return [] }
    let users = try LockUsers.list(file, on: self)
    guard let holder = content.holder.flatMap(FileUser.init), isHolder(holder, of: file) else { return users }
    return [holder] + users
  }

  /// Whether the process that the first line names still has the lock. Its line stays there afterwards.
  private func isHolder(_ user: FileUser, of file: OpenFile) -> Bool {
    if let isLocked = isLocked(file) { return isLocked }
    // A shared store has its own line, so nothing is lost if it is not known whether it saves.
    return user.access == .exclusive && isRunning(user.process)
  }
}
