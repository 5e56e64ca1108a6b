import SnapshotFoundation

/// Where a file is: its directory, opened by path once and used by handle, and its name there.
///
/// A symbolic link is followed to its target, so that it is the target that is replaced and the link stays.
struct FileLocation: Sendable {
  /// The path as the user gave it, for messages.
  let path: String
  /// The directory, with every link resolved.
  let directory: String
  /// The name of the file in it.
  let name: String

  /// Resolves a path. The file need not exist, but its directory must, and a link must not lead nowhere.
  init(_ path: String, on fileSystem: any FileSystem) throws(SnapshotError) {
    self.path = path
    if path.utf8.contains(0) {
      // The system would take the part before it for the whole.
      throw SnapshotError(.fileNotFound, "a path cannot hold the character U+0000", path: path)
    }
    do {
      (directory, name) = Self.split(try fileSystem.resolve(path))
      return
    } catch {
      guard error.number == SystemError.noSuchFile else { throw SnapshotError(error, path) }
    }
    // Nothing is there: the name may be created in its directory, unless it is a link to nothing.
    let (parent, last) = Self.split(path)
    guard !last.isEmpty, last != ".", last != ".." else {
      throw SnapshotError(.notRegularFile, "the path names no file", path: path)
    }
    do {
      directory = try fileSystem.resolve(parent)
    } catch {
      let missing = error.number == SystemError.noSuchFile
      throw missing
        ? SnapshotError(.fileNotFound, "there is no directory \(parent.escapedForMessage())", path: path)
        : SnapshotError(error, path)
    }
    name = last
    guard try !Self.isLink(name, in: directory, on: fileSystem, path) else {
      throw SnapshotError(
        .notRegularFile, "the path is a symbolic link that leads to no file", path: path)
    }
  }

  /// Throws `reservedName` if the file has the name of something that stands beside another store, such as its lock: that
  /// store would be in the way of this one, or remove it. Such a file can still be read.
  func requireNameOfItsOwn() throws(SnapshotError) {
    guard let meaning = SideName.meaning(of: name) else { return }
    throw SnapshotError(
      .reservedName, "the name is that of \(meaning)", advice: "Choose another name, or rename the file first.",
      path: path)
  }

  /// Throws `notRegularFile` if something else than a file is there. Nothing is fine.
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

  /// Opening a link without following it is refused as one link too many.
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

  private static func split(_ path: String) -> (directory: String, name: String) {
    // By bytes: a slash and a combining mark that begins the name are one Character.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let name = String(path[path.utf8.index(after: slash)...])
    return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
  }
}

extension SnapshotError {
  /// A failed system call on a file, before anything was replaced.
  init(_ error: SystemError, _ path: String, committed: String = "") {
    let call = "\(error.call) failed: \(error.text)\(committed)"
    let (code, plain): (Code, String?) =
      switch error.number {
      case SystemError.noSuchFile: (.fileNotFound, "there is no such file")
      case SystemError.tooManyLinks: (.notRegularFile, "the path is a chain of symbolic links without end")
      case SystemError.isDirectory, SystemError.notDirectory:
        (.notRegularFile, "a directory is where a file should be, or the reverse")
      default: (.ioFailed, nil)
      }
    // Of a save one wants to know which call failed, and what became of the file, whatever the error.
    self.init(code, committed.isEmpty ? plain ?? call : call, path: path, systemError: error.number)
  }
}

extension URL {
  /// The path of a file URL.
  func requiredPath() throws(SnapshotError) -> String {
    guard isFileURL else {
      throw SnapshotError(.fileNotFound, "the URL \(absoluteString.quotedForMessage()) is not that of a file")
    }
    return path(percentEncoded: false)
  }
}
