public import SnapshotFoundation
public import SnapshotStore

/// Reads the files in a folder and its subfolders, and never leaves it.
///
/// Every name is opened in its folder. Symbolic links are not followed, and a path with `..` is refused. So nothing
/// outside the folder is read, whatever it contains. Names that begin with a dot are not listed. Other entries that
/// cannot be read are listed with the reason.
///
/// ```swift
/// let reader = try FolderReader(at: folder)
/// defer { reader.close() }
/// let listing = try reader.listing()
/// for file in listing.files where file.path.hasSuffix(".txt") {
///   print(try reader.bytes(of: file.path).count)
/// }
/// for entry in listing.skipped { print(entry.path, entry.reason) }
/// ```
public struct FolderReader: Sendable {
  /// The content of a folder, in the order of the paths.
  public struct Listing: Sendable {
    /// The regular files.
    public internal(set) var files: [File] = []
    /// All other entries, each with the reason why it is not read.
    public internal(set) var skipped: [Skipped] = []
  }

  /// A regular file in the folder.
  public struct File: Sendable {
    /// The path in the folder: `a/b.txt`.
    public let path: String
    package let status: FileStatus

    /// The number of bytes when the file was listed.
    public var size: Int { status.size }

    /// The date of the file's last modification.
    public var modificationDate: Date { status.modificationDate }
  }

  /// An entry in the folder that is not read.
  public struct Skipped: Sendable {
    /// The path in the folder.
    public let path: String
    /// The reason, as the end of a sentence: `is a symbolic link`.
    public let reason: String
  }

  /// The limits of a reader.
  public struct Limits: Sendable {
    /// The largest file, in bytes.
    public var fileSize: Int
    /// The most levels of nested folders. The folder itself is level 1.
    public var depth: Int
    /// The most names in all folders together.
    public var count: Int

    /// The default limits with changes: files of 1 GiB, 64 levels, 2^27 names.
    public init(fileSize: Int = 1 << 30, depth: Int = 64, count: Int = 1 << 27) {
      self.fileSize = fileSize
      self.depth = depth
      self.count = count
    }
  }

  /// The path that the caller gave, for messages.
  public let path: String
  private let fileSystem: any FileSystem
  private let root: OpenFile
  private let limits: Limits

  /// Opens a folder. It stays open, even if it is renamed, until ``close()`` is called.
  ///
  /// - Parameters:
  ///   - url: the folder. If the path itself is a symbolic link, it is followed.
  ///   - limits: the limits for sizes, depth and the number of names.
  /// - Throws: ``SnapshotError`` with code `fileNotFound` if the folder does not exist, or `ioFailed`.
  public init(at url: URL, limits: Limits = Limits()) throws(SnapshotError) {
    try self.init(try url.requiredPath(), on: POSIXFileSystem(), limits: limits)
  }

  /// The same on another file system, for tests.
  package init(_ path: String, on fileSystem: any FileSystem, limits: Limits) throws(SnapshotError) {
    self.path = path
    self.fileSystem = fileSystem
    self.limits = limits
    root = try Self.open(path, on: fileSystem)
  }

  /// Closes the folder. Call it once. The reader cannot be used afterwards.
  public func close() { fileSystem.close(root) }

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

  /// Lists the folder and all its subfolders. O(n log n) for n names, each of which is opened.
  ///
  /// - Parameter reasonToSkip: called with the path of each subfolder. If it returns a reason, the folder is not
  ///   entered, but listed in `skipped` with that reason. Nil enters the folder.
  /// - Throws: ``SnapshotError`` with code `limitExceeded` if there are more names than the limit, or `ioFailed`.
  public func listing(
    enters reasonToSkip: (String) -> String? = { _ in nil }
  ) throws(SnapshotError) -> Listing {
    var listing = Listing()
    do throws(SystemError) {
      try list(root, "", level: 1, reasonToSkip, &listing)
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
      listing.skip(path, "has files whose names are not UTF-8; they were not read")
    }
    for name in try fileSystem.names(in: folder).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      // By bytes: a dot followed by a combining mark is a single Character.
      if name.utf8.first == UInt8(ascii: ".") { continue }
      if listing.files.count + listing.skipped.count > limits.count { return }
      do throws(SystemError) {
        try list(name, in: folder, prefix + name, level: level, enters, &listing)
      } catch {
        let isLink = error.number == SystemError.tooManyLinks
        listing.skip(prefix + name, isLink ? "is a symbolic link" : "cannot be read: \(error.text)")
      }
    }
  }

  private func list(
    _ name: String, in folder: OpenFile, _ path: String, level: Int, _ enters: (String) -> String?,
    _ listing: inout Listing
  ) throws(SystemError) {
    guard try fileSystem.isHarmless(name, in: folder) else {
      return listing.skip(path, "is not a regular file")
    }
    let handle = try fileSystem.open(name, in: folder)
    defer { fileSystem.close(handle) }
    let status = try fileSystem.status(handle)
    switch status.kind {
    case .regular: listing.files.append(File(path: path, status: status))
    case .other: listing.skip(path, "is not a regular file")
    case .directory:
      if let reason = enters(path) {
        listing.skip(path, reason)
      } else if level >= limits.depth {
        listing.skip(path, "lies deeper than \(limits.depth.counted("folder")), which is the limit")
      } else {
        try list(handle, path + "/", level: level + 1, enters, &listing)
      }
    }
  }

  // MARK: Reading

  /// All bytes of a file. O(bytes).
  ///
  /// - Parameter path: the path in the folder, as ``listing(enters:)`` returns it.
  /// - Throws: ``SnapshotError`` with the path of the file: `tooLarge`, `notRegularFile`, `ioFailed`, or `invalidValue`
  ///   for a path that would leave the folder.
  public func bytes(of path: String) throws(SnapshotError) -> [UInt8] {
    do {
      return try withFile(path) { handle in
        let status = try fileSystem.status(handle)
        guard status.kind == .regular else {
          throw SnapshotError(.notRegularFile, status.kind == .directory ? "is a directory" : "is not a regular file")
        }
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

  /// The first bytes of a file, such as its header. Empty if the file cannot be read. The limits do not apply.
  ///
  /// - Parameters:
  ///   - path: the path in the folder.
  ///   - count: the most bytes to read.
  public func beginning(of path: String, count: Int) -> [UInt8] {
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

  /// Opens a file name by name, each in the folder before it. A link is refused.
  private func withFile<Result>(_ path: String, _ body: (OpenFile) throws -> Result) throws -> Result {
    // By bytes: a slash followed by a combining mark is a single Character.
    let names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    for name in names { try FolderName.require(name) }
    guard let name = names.last else { throw SnapshotError(.invalidValue, "the path names no file") }
    var folders: [OpenFile] = []
    defer { for folder in folders { fileSystem.close(folder) } }
    for name in names.dropLast() { folders.append(try fileSystem.openDirectory(name, in: folders.last ?? root)) }
    let folder = folders.last ?? root
    guard try fileSystem.isHarmless(name, in: folder) else {
      throw SnapshotError(.notRegularFile, "is not a regular file")
    }
    let file = try fileSystem.open(name, in: folder)
    defer { fileSystem.close(file) }
    return try body(file)
  }
}

extension FolderReader.Listing {
  fileprivate mutating func skip(_ path: String, _ reason: String) {
    skipped.append(FolderReader.Skipped(path: path, reason: reason))
  }
}

extension Int {
  /// The number with a noun whose plural ends in “s”: `1 file`, `2 files`.
  fileprivate func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
