/// Reads the files of a folder and of the folders in it.
///
/// Nothing outside of the folder is ever read: every name is opened in the folder that holds it, and symbolic links are not
/// followed. What begins with a dot is passed over in silence; whatever else cannot be read is listed with the reason.
struct FolderReader {
  /// What there is in a folder, in the order of the paths in it: `a/b.txt`.
  struct Listing {
    var files: [(path: String, status: FileStatus)] = []
    var skipped: [(path: String, reason: String)] = []
  }

  /// The folder as the user gave it, for messages.
  let path: String
  private let fileSystem: any FileSystem
  private let root: OpenFile
  private let limits: Limits

  struct Limits {
    /// The largest file, in bytes.
    var fileSize: Int
    /// How deep folders may lie.
    var depth: Int
    /// How many names there may be in all.
    var count: Int
  }

  /// Opens a folder. Whoever does so calls `close`.
  ///
  /// - Throws: ``SnapshotError`` with code `fileNotFound` or `notRegularFile` if there is none.
  init(_ path: String, on fileSystem: any FileSystem, limits: Limits) throws(SnapshotError) {
    self.path = path
    self.fileSystem = fileSystem
    self.limits = limits
    root = try Self.open(path, on: fileSystem)
  }

  func close() { fileSystem.close(root) }

  private static func open(_ path: String, on fileSystem: any FileSystem) throws(SnapshotError) -> OpenFile {
    if path.utf8.contains(0) {
      throw SnapshotError(.fileNotFound, "a path cannot hold the character U+0000", path: path)
    }
    do {
      return try fileSystem.openDirectory(path)
    } catch {
      var failure = SnapshotError(error, path)
      if error.number == SystemError.noSuchFile { failure.message = "there is no such folder" }
      if error.number == SystemError.notDirectory { failure.message = "the path is not a folder" }
      throw failure
    }
  }

  // MARK: Listing

  /// Everything in the folder, and in the folders in it that `enters` gives no reason to skip.
  ///
  /// - Throws: ``SnapshotError`` with code `limitExceeded` if there is too much, or if the folder cannot be read.
  func listing(enters: (String) -> String? = { _ in nil }) throws(SnapshotError) -> Listing {
    var listing = Listing()
    do throws(SystemError) {
      try list(root, "", level: 1, enters, &listing)
    } catch {
      throw SnapshotError(error, path)
    }
    if listing.files.count + listing.skipped.count > limits.count {
      throw SnapshotError(
        .limitExceeded, "there are more than \(limits.count.counted("file")) in the folder, which is the limit",
        path: path)
    }
    return listing
  }

  private func list(
    _ folder: OpenFile, _ prefix: String, level: Int, _ enters: (String) -> String?, _ listing: inout Listing
  ) throws(SystemError) {
    if try fileSystem.hasIllegibleNames(in: folder) {
      let path = prefix.isEmpty ? "." : String(prefix.dropLast())
      listing.skipped.append((path, "has files whose names are not UTF-8; they were not read"))
    }
    for name in try fileSystem.names(in: folder).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      // By the byte: a mark that follows the dot makes one character with it.
      if name.utf8.first == UInt8(ascii: ".") { continue }
      if listing.files.count + listing.skipped.count > limits.count { return }
      do throws(SystemError) {
        try list(name, in: folder, prefix + name, level: level, enters, &listing)
      } catch {
        let isLink = error.number == SystemError.tooManyLinks
        listing.skipped.append((prefix + name, isLink ? "is a symbolic link" : "cannot be read: \(error.text)"))
      }
    }
  }

  private func list(
    _ name: String, in folder: OpenFile, _ path: String, level: Int, _ enters: (String) -> String?,
    _ listing: inout Listing
  ) throws(SystemError) {
    guard try fileSystem.isHarmless(name, in: folder) else {
      return listing.skipped.append((path, "is not a regular file"))
    }
    let handle = try fileSystem.open(name, in: folder)
    defer { fileSystem.close(handle) }
    let status = try fileSystem.status(handle)
    switch status.kind {
    case .regular: listing.files.append((path, status))
    case .other: listing.skipped.append((path, "is not a regular file"))
    case .directory:
      if let reason = enters(path) {
        listing.skipped.append((path, reason))
      } else if level >= limits.depth {
        listing.skipped.append((path, "lies deeper than \(limits.depth.counted("folder")), which is the limit"))
      } else {
        try list(handle, path + "/", level: level + 1, enters, &listing)
      }
    }
  }

  // MARK: Reading

  /// All bytes of a file of the listing.
  ///
  /// - Throws: ``SnapshotError`` with the path of the file, with code `tooLarge` or `ioFailed` among others.
  func bytes(of path: String) throws(SnapshotError) -> [UInt8] {
    do {
      return try withFile(path) { handle in
        let status = try fileSystem.status(handle)
        if let what = status.kind.nameIfNotRegular { throw SnapshotError(.notRegularFile, "is \(what)") }
        guard status.size <= limits.fileSize else {
          throw SnapshotError(.tooLarge, "has \(status.size.counted("byte")); the limit is \(limits.fileSize)")
        }
        return try fileSystem.readAll(handle, expected: status.size, limit: limits.fileSize)
      }
    } catch let error as SnapshotError {
      throw error.at(path: path)
    } catch let error as SystemError {
      throw SnapshotError(error, path)
    } catch {
      throw SnapshotError(.ioFailed, "\(error)", path: path)
    }
  }

  /// Up to so many bytes at the beginning of a file; none if it cannot be read.
  func beginning(of path: String, count: Int) -> [UInt8] {
    let bytes = try? withFile(path) { handle in
      try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        while filled < count {
          let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
          let read = try fileSystem.read(handle, into: rest)
          if read == 0 { return }
          filled += read
        }
      }
    }
    return bytes ?? []
  }

  /// Opens a file by the names on its path, one in the other, none of them a link.
  private func withFile<Result>(_ path: String, _ body: (OpenFile) throws -> Result) throws -> Result {
    // By the byte: a slash and a mark that begins the next name are one Character.
    let names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    var folders: [OpenFile] = []
    defer { for folder in folders { fileSystem.close(folder) } }
    for name in names.dropLast() { folders.append(try fileSystem.openDirectory(name, in: folders.last ?? root)) }
    let (name, folder) = (names.last ?? "", folders.last ?? root)
    guard try fileSystem.isHarmless(name, in: folder) else {
      throw SnapshotError(.notRegularFile, "is not a regular file")
    }
    let file = try fileSystem.open(name, in: folder)
    defer { fileSystem.close(file) }
    return try body(file)
  }
}
