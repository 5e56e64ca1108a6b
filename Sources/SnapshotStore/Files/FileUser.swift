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
    /// A shared store saves at this moment, or takes in what others have saved, or any store closes the file. Or it was
    /// stopped while it did. Others wait for it.
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
  ///
  /// It is read from its end, because the name may be any text. A regular expression took most of the time of opening
  /// and closing a shared store.
  init?(line: some StringProtocol) {
    var line = LineEnd(line)
    access = line.drop(", shared") ? .shared : line.drop(", for a save") || line.drop(", closing") ? .save : .exclusive
    let date = line.dropWord()
    guard line.drop(") since") else { return nil }
    let number = line.dropWord()
    guard line.drop(" (process"), number.utf8.count <= 9, number.utf8.allSatisfy({ $0 &- 0x30 <= 9 }),
      let process = Int32(number), process > 0, let since = try? Date.ISO8601FormatStyle().parse(date)
    else { return nil }
    self.process = process
    self.since = since
    name = line.text
  }
}

/// A line that is read from its end.
private struct LineEnd {
  private var rest: Substring.UTF8View

  init(_ line: some StringProtocol) { rest = Substring(line).utf8 }

  var text: String { String(Substring(rest)) }

  /// Drops this text from the end, and returns whether it was there.
  mutating func drop(_ text: String) -> Bool {
    guard rest.suffix(text.utf8.count).elementsEqual(text.utf8) else { return false }
    rest.removeLast(text.utf8.count)
    return true
  }

  /// Drops the last word with the space before it, and returns it. All of the line if it has no space.
  mutating func dropWord() -> String {
    let word = rest.suffix(from: rest.lastIndex(of: UInt8(ascii: " ")).map { rest.index(after: $0) } ?? rest.startIndex)
    rest = rest[..<word.startIndex].dropLast()
    return String(Substring(word))
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
      // Opening a device or a pipe may have side effects.
      guard try status(of: name, in: directory).kind != .other else { return [] }
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
