package import SnapshotFoundation

/// The place of a file: its directory and its name. The directory is opened by path once and then used by handle.
///
/// A symbolic link is followed. So a save replaces its target and the link stays.
package struct FileLocation: Sendable {
  /// The path that the user gave, for messages.
  package private(set) var path: String
  /// The path of the directory, with every link resolved.
  package let directory: String
  /// The name of the file in the directory.
  package let name: String

  /// Resolves a path. The file need not exist, but its directory must. A link to nothing is an error.
  package init(_ path: String, on fileSystem: any FileSystem) throws(SnapshotError) {
    self.path = path
    if path.utf8.contains(0) {
      // The system would end the path at this character.
      throw SnapshotError(.fileNotFound, "a path cannot hold the character U+0000", path: path)
    }
    do {
      (directory, name) = Self.split(try fileSystem.resolve(path))
      return
    } catch {
      guard error.number == SystemError.noSuchFile else { throw SnapshotError(error, path) }
    }
    // The file does not exist. It may be created in its directory, unless the name is a link to nothing.
    let (parent, last) = Self.split(path)
    guard !last.isEmpty, last != ".", last != ".." else {
      throw SnapshotError(.notRegularFile, "the path names no file", path: path)
    }
    do {
      directory = try fileSystem.resolve(parent)
    } catch {
      let missing = error.number == SystemError.noSuchFile
      throw missing
        ? SnapshotError(
          .fileNotFound, "there is no directory \(parent.escapedForMessage())", advice: "Create it first.", path: path)
        : SnapshotError(error, path)
    }
    name = last
    guard try !Self.isLink(name, in: directory, on: fileSystem, path) else {
      throw SnapshotError(
        .notRegularFile, "the path is a symbolic link that leads to no file", path: path)
    }
  }

  /// Another file in the same directory.
  func sibling(_ name: String) -> FileLocation {
    var sibling = FileLocation(path: "", directory: directory, name: name)
    sibling.path = sibling.resolvedPath
    return sibling
  }

  /// The path with every link resolved.
  var resolvedPath: String { "\(directory == "/" ? "" : directory)/\(name)" }

  private init(path: String, directory: String, name: String) {
    self.path = path
    self.directory = directory
    self.name = name
  }

  /// Refuses a name that another store uses beside its file, such as its lock. That store would conflict with this one,
  /// or remove its file. Such a file can still be read.
  ///
  /// - Throws: `reservedName`.
  func requireNameOfItsOwn() throws(SnapshotError) {
    guard let meaning = SideName.meaning(of: name) else { return }
    throw SnapshotError(
      .reservedName, "the name is that of \(meaning)", advice: "Choose another name, or rename the file first.",
      path: path)
  }

  /// Throws `notRegularFile` if the path names anything but a regular file. A missing file is accepted.
  func requireRegularFile(on fileSystem: any FileSystem) throws(SnapshotError) {
    let status: FileStatus?
    do {
      status = try fileSystem.statusIfAny(at: self)
    } catch {
      throw SnapshotError(error, path)
    }
    if let what = status?.kind.nameIfNotRegular {
      throw SnapshotError(.notRegularFile, "the path is \(what)", path: path)
    }
  }

  /// Whether the name is a link: opening it without following links fails with one link too many.
  private static func isLink(
    _ name: String, in directory: String, on fileSystem: any FileSystem, _ path: String
  ) throws(SnapshotError) -> Bool {
    do {
      let handle = try fileSystem.openDirectory(directory)
      defer { fileSystem.close(handle) }
      fileSystem.close(try fileSystem.open(name, in: handle))
      return false
    } catch {
      switch error.number {
      case SystemError.tooManyLinks: return true
      case SystemError.noSuchFile: return false
      default: throw SnapshotError(error, path)
      }
    }
  }

  /// Creates the folder of a path, and those above it, if they are missing. Each is durable in the one above.
  static func createFolders(of path: String, on fileSystem: any FileSystem) throws(SnapshotError) {
    // Other faults of the path are told when the file is opened.
    if path.utf8.contains(0) { return }
    do throws(SystemError) {
      fileSystem.close(try openFolder(split(path).directory, on: fileSystem))
    } catch {
      throw SnapshotError(error, path)
    }
  }

  /// Opens a folder, which is created if it is missing.
  private static func openFolder(_ path: String, on fileSystem: any FileSystem) throws(SystemError) -> OpenFile {
    var path = path
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.unicodeScalars.removeLast() }
    do {
      return try fileSystem.openDirectory(path)
    } catch {
      if error.number != SystemError.noSuchFile || path == "." { throw error }
    }
    let (above, name) = split(path)
    let folder = try openFolder(above, on: fileSystem)
    defer { fileSystem.close(folder) }
    do {
      try fileSystem.makeDirectory(name, in: folder)
    } catch {
      // Another process may have made it, or it is a link to nothing. Opening says so.
      if error.number != SystemError.exists { throw error }
    }
    try fileSystem.sync(folder)
    return try fileSystem.openDirectory(name, in: folder)
  }

  private static func split(_ path: String) -> (directory: String, name: String) {
    // By bytes: a slash followed by a combining mark is a single Character.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let name = String(path[path.utf8.index(after: slash)...])
    return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
  }
}

extension SnapshotError {
  /// The error for a failed system call on a file, before anything was replaced.
  package init(_ error: SystemError, _ path: String, committed: String = "") {
    let call = "\(error.call) failed: \(error.text)\(committed)"
    let (code, plain): (Code, String?) =
      switch error.number {
      case SystemError.noSuchFile: (.fileNotFound, "there is no such file")
      case SystemError.tooManyLinks: (.notRegularFile, "the path is a chain of symbolic links without end")
      case SystemError.isDirectory, SystemError.notDirectory:
        (.notRegularFile, "a directory is where a file should be, or the reverse")
      default: (.ioFailed, nil)
      }
    // In a save, the message always names the failed call and the state of the file.
    self.init(code, committed.isEmpty ? plain ?? call : call, path: path, systemError: error.number)
  }
}

extension URL {
  /// The path of a file URL.
  package func requiredPath() throws(SnapshotError) -> String {
    guard isFileURL else {
      throw SnapshotError(.fileNotFound, "the URL \(absoluteString.quotedForMessage()) is not that of a file")
    }
    return path(percentEncoded: false)
  }
}
