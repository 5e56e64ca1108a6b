public import SnapshotFoundation
package import SnapshotStore

/// Writes a folder of files, with subfolders of one level: all of it, or nothing.
///
/// A folder that does not exist or is empty is created under a temporary name beside its place, and renamed at the end.
/// A folder with content is written into only if the caller allows it. There each file is replaced atomically, and
/// files that are not written stay. Nothing outside the folder is written, and links in it are not followed.
///
/// ```swift
/// try FolderWriter.write(at: folder) { writer in
///   for post in posts {
///     let bytes = Array(post.body.utf8)
///     try writer.write(bytes, to: "\(post.id).txt", in: post.blogName)
///   }
/// }
/// ```
///
/// Nothing is synced. A power cut soon afterwards may remove files or leave them empty. A killed process leaves its
/// temporary folder or file behind, hidden by a dot. The next writer to the same place removes that folder, if no
/// process has locked it and it contains only entries that this type makes.
public struct FolderWriter {
  let fileSystem: any FileSystem
  let path: String
  let root: OpenFile
  /// Whether the folder may have existing files.
  let isInPlace: Bool
  /// The open folders, by the bytes of their names. To most file systems, two normalisations of a name are two names.
  var folders: [ExactText: OpenFile] = [:]
  /// Returns random numbers for temporary names.
  let random: @Sendable () -> UInt64

  /// Calls `body` to write the files of a folder.
  ///
  /// - Parameters:
  ///   - url: the folder. Its parent folder must exist.
  ///   - intoExisting: whether to write into a folder that is not empty.
  ///   - body: writes the files. The writer must not be used after `body` has returned.
  /// - Returns: the result of `body`.
  /// - Throws: ``SnapshotError`` with code `fileExists` if the folder is not empty, or if a file has its name. With
  ///   code `changedExternally` if another program created an entry at that place meanwhile. `ioFailed`; the errors of
  ///   `body`. After an error, a new folder does not exist. An existing one keeps the files that had been written.
  public static func write<Result>(
    at url: URL, intoExisting: Bool = false, _ body: (inout FolderWriter) throws -> Result
  ) throws -> Result {
    try write(try url.requiredPath(), intoExisting: intoExisting, on: POSIXFileSystem(), body)
  }

  /// The same on another file system, for tests.
  package static func write<Result>(
    _ path: String, intoExisting: Bool, on fileSystem: any FileSystem,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) },
    _ body: (inout FolderWriter) throws -> Result
  ) throws -> Result {
    let location = try FileLocation(path.withoutTrailingSlashes, on: fileSystem)
    do {
      let parent = try fileSystem.openDirectory(location.directory)
      defer { fileSystem.close(parent) }
      if try needsNoPlace(location, in: parent, on: fileSystem) {
        guard intoExisting else {
          throw SnapshotError(.fileExists, "the folder is not empty", path: path)
        }
        let root = try fileSystem.openDirectory(location.name.isEmpty ? "." : location.name, in: parent)
        return try run(path, root, isInPlace: true, on: fileSystem, random, body)
      }
      let temporaryName = TemporaryName(for: location.name)
      fileSystem.removeLeftoverFolders(temporaryName, in: parent)
      let (temporary, claim) = try makeTemporary(temporaryName, in: parent, on: fileSystem, random)
      // The lock is held until the folder has its final name, so that no process removes it as a leftover.
      defer { fileSystem.close(claim) }
      do {
        let root = try fileSystem.openDirectory(temporary, in: parent)
        let result = try run(path, root, isInPlace: false, on: fileSystem, random, body)
        try fileSystem.rename(temporary, to: location.name, in: parent)
        return result
      } catch {
        try? fileSystem.removeTree(temporary, in: parent)
        throw error
      }
    } catch let error as SystemError {
      throw failure(error, path)
    }
  }

  /// Creates a temporary folder and locks it. Another process may remove the folder as a leftover before it is locked.
  /// Then another one is created. On a file system without locks for folders, no process removes any.
  private static func makeTemporary(
    _ temporary: TemporaryName, in parent: OpenFile, on fileSystem: any FileSystem, _ random: () -> UInt64
  ) throws(SystemError) -> (name: String, claim: OpenFile) {
    for _ in 0..<10 {
      let name = temporary.with(random())
      try fileSystem.makeDirectory(name, in: parent)
      if let claim = try claim(name, in: parent, on: fileSystem) { return (name, claim) }
      try? fileSystem.removeDirectory(name, in: parent)
    }
    throw SystemError(call: "flock", number: SystemError.wouldBlock)
  }

  /// Opens and locks a folder; nil if another process was faster.
  private static func claim(
    _ name: String, in parent: OpenFile, on fileSystem: any FileSystem
  ) throws(SystemError) -> OpenFile? {
    let claim: OpenFile
    do {
      claim = try fileSystem.openDirectory(name, in: parent)
    } catch {
      try? fileSystem.removeDirectory(name, in: parent)
      if error.number == SystemError.noSuchFile { return nil }
      throw error
    }
    do {
      try fileSystem.lock(claim, timeLimit: .zero)
    } catch {
      if error.number != SystemError.wouldBlock { return claim }
      fileSystem.close(claim)
      return nil
    }
    // The other process may have removed and unlocked the folder before it was locked here.
    if let again = try? fileSystem.openDirectory(name, in: parent) {
      fileSystem.close(again)
      return claim
    }
    fileSystem.close(claim)
    return nil
  }

  /// Whether the folder exists and has content.
  private static func needsNoPlace(
    _ location: FileLocation, in parent: OpenFile, on fileSystem: any FileSystem
  ) throws -> Bool {
    // The root folder has no name.
    if location.name.isEmpty { return true }
    let folder: OpenFile
    do throws(SystemError) {
      folder = try fileSystem.openDirectory(location.name, in: parent)
    } catch {
      if error.number == SystemError.noSuchFile { return false }
      if error.number == SystemError.notDirectory {
        throw SnapshotError(.fileExists, "there is a file, not a folder", path: location.path)
      }
      throw error
    }
    defer { fileSystem.close(folder) }
    return try fileSystem.names(in: folder).contains { $0 != "." && $0 != ".." }
      || fileSystem.hasIllegibleNames(in: folder)
  }

  private static func run<Result>(
    _ path: String, _ root: OpenFile, isInPlace: Bool, on fileSystem: any FileSystem,
    _ random: @escaping @Sendable () -> UInt64, _ body: (inout FolderWriter) throws -> Result
  ) throws -> Result {
    var writer = FolderWriter(
      fileSystem: fileSystem, path: path, root: root, isInPlace: isInPlace, random: random)
    defer {
      for folder in writer.folders.values { fileSystem.close(folder) }
      fileSystem.close(root)
    }
    return try body(&writer)
  }

  static func failure(_ error: SystemError, _ path: String) -> SnapshotError {
    if [SystemError.notEmpty, SystemError.exists].contains(error.number) {
      return SnapshotError(
        .changedExternally, "another program created an entry with this name", path: path, systemError: error.number)
    }
    return SnapshotError(
      .ioFailed, "\(error.call) failed: \(error.text)", path: path, systemError: error.number)
  }

  private init(
    fileSystem: any FileSystem, path: String, root: OpenFile, isInPlace: Bool,
    random: @escaping @Sendable () -> UInt64
  ) {
    self.fileSystem = fileSystem
    self.path = path
    self.root = root
    self.isInPlace = isInPlace
    self.random = random
  }
}

extension String {
  /// The path of a folder without slashes at its end.
  fileprivate var withoutTrailingSlashes: String {
    var path = self[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") {
      path = path[..<path.utf8.index(before: path.utf8.endIndex)]
    }
    return String(path)
  }
}
