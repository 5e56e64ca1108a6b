public import SnapshotFoundation
package import SnapshotStore

/// The files of a folder that is being written.
extension FolderWriter {
  /// The names in a folder that existed before, in no order, including hidden ones. Empty for a new folder.
  ///
  /// - Parameter folder: a subfolder, which is created if it does not exist. Nil is the folder itself. The same holds
  ///   for the other functions.
  /// - Throws: ``SnapshotError`` with code `ioFailed`, or `invalidValue` for an impossible name.
  public mutating func names(in folder: String?) throws -> [String] {
    guard isInPlace else { return [] }
    let handle = try handle(folder)
    do throws(SystemError) {
      return try fileSystem.names(in: handle).filter { $0 != "." && $0 != ".." }
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Whether a name exists in a folder that existed before, or was written into it. A link counts, even a broken one.
  ///
  /// - Throws: ``SnapshotError`` with code `ioFailed`.
  public mutating func holds(_ name: String, in folder: String?) throws -> Bool {
    guard isInPlace else { return false }
    try FolderName.require(name)
    let handle = try handle(folder)
    do throws(SystemError) {
      _ = try fileSystem.status(of: name, in: handle)
      return true
    } catch {
      if error.number == SystemError.noSuchFile { return false }
      // The name exists: it is a link, or its status cannot be read.
      if [SystemError.tooManyLinks, SystemError.accessDenied].contains(error.number) { return true }
      throw Self.failure(error, path)
    }
  }

  /// A file that existed before.
  ///
  /// ```swift
  /// try FolderWriter.write(at: folder, intoExisting: true) { writer in
  ///   let old = try writer.file("index.txt", in: nil, limit: 1 << 20)
  ///   let bytes = (old?.bytes ?? []) + Array("A walk\n".utf8)
  ///   try writer.write(bytes, to: "index.txt", in: nil)
  /// }
  /// ```
  public struct File: Sendable {
    /// All bytes of the file.
    public let bytes: [UInt8]
    package let status: FileStatus

    /// The date of the file's last modification.
    public var modificationDate: Date { status.modificationDate }
  }

  /// Reads a file that existed before.
  ///
  /// - Parameters:
  ///   - name: the name of the file.
  ///   - folder: the folder of the file.
  ///   - limit: the largest file that is read, in bytes.
  /// - Returns: nil if the file does not exist, cannot be read, or is larger than the limit.
  public mutating func file(_ name: String, in folder: String?, limit: Int) throws -> File? {
    guard isInPlace else { return nil }
    try FolderName.require(name)
    let handle = try handle(folder)
    guard (try? fileSystem.isHarmless(name, in: handle)) == true else { return nil }
    guard let file = try? fileSystem.open(name, in: handle) else { return nil }
    defer { fileSystem.close(file) }
    guard let status = try? fileSystem.status(file), status.kind == .regular, status.size <= limit else { return nil }
    let bytes = try? fileSystem.readAll(file, expected: status.size, limit: limit)
    return bytes.map { File(bytes: $0, status: status) }
  }

  /// Renames a file that existed before. The new name is unused and ends in `.old`.
  ///
  /// - Returns: the new name.
  /// - Throws: ``SnapshotError`` with code `ioFailed`, also if the file does not exist.
  public mutating func setAside(_ name: String, in folder: String?) throws -> String {
    try FolderName.require(name)
    var start = name
    while start.utf8.count > 220 { start.removeLast() }
    var newName = start + ".old"
    var number = 2
    while try holds(newName, in: folder) {
      newName = "\(start).\(number).old"
      number += 1
    }
    let handle = try handle(folder)
    do throws(SystemError) {
      try fileSystem.rename(name, to: newName, in: handle)
    } catch {
      throw Self.failure(error, path)
    }
    return newName
  }

  /// Checks that the name of a future folder does not belong to a file or link. Call it before the first file is
  /// written. It creates nothing.
  ///
  /// - Throws: ``SnapshotError`` with code `fileExists` if a file or a link has the name.
  public mutating func requireFolderOrNothing(_ name: String) throws {
    try FolderName.require(name)
    guard isInPlace, folders[ExactText(name)] == nil else { return }
    do throws(SystemError) {
      folders[ExactText(name)] = try fileSystem.openDirectory(name, in: root)
    } catch {
      if error.number == SystemError.noSuchFile { return }
      guard [SystemError.notDirectory, SystemError.tooManyLinks].contains(error.number) else {
        throw Self.failure(error, "\(path)/\(name)")
      }
      throw SnapshotError(
        .fileExists, "a file or a link is where a folder must be; nothing was written", path: "\(path)/\(name)")
    }
  }

  /// Creates a subfolder if it does not exist.
  public mutating func makeFolder(_ name: String) throws { _ = try handle(name) }

  /// Writes a file. It replaces a file with the same name, and keeps its access and extended attributes. Only the user
  /// may read new files and folders. O(bytes).
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - name: the name of the file.
  ///   - folder: the folder of the file. It is created if it does not exist.
  ///   - created: the date of creation, for systems that can set it.
  ///   - modified: the date of modification. The dates are set only if both are given and lie within some 285 years of
  ///     1970.
  /// - Throws: ``SnapshotError`` with code `ioFailed`.
  public mutating func write(
    _ bytes: [UInt8], to name: String, in folder: String?, created: Date? = nil, modified: Date? = nil
  ) throws {
    let dates = created.flatMap(Self.nanoseconds).flatMap { created in
      modified.flatMap(Self.nanoseconds).map { (created, $0) }
    }
    try write(bytes, to: name, in: folder, dates)
  }

  /// The same with dates in nanoseconds since 1970, for tests.
  package mutating func write(
    _ bytes: [UInt8], to name: String, in folder: String?, created: Int64, modified: Int64
  ) throws {
    try write(bytes, to: name, in: folder, (created, modified))
  }

  private mutating func write(
    _ bytes: [UInt8], to name: String, in folder: String?, _ dates: (created: Int64, modified: Int64)?
  ) throws {
    try FolderName.require(name)
    let handle = try handle(folder)
    let first = isInPlace ? TemporaryName(for: name).with(random()) : name
    do throws(SystemError) {
      let file = try fileSystem.create(first, in: handle)
      defer { fileSystem.close(file) }
      do throws(SystemError) {
        try fileSystem.writeAll(bytes, to: file)
        // A file system that cannot hold a date is not an error.
        if let dates { try? fileSystem.setDates(file, created: dates.created, modified: dates.modified) }
        if isInPlace {
          if let old = try replacedFile(name, in: handle) {
            try fileSystem.setAccess(file, like: old, of: name, in: handle, attributes: true)
          }
          try fileSystem.rename(first, to: name, in: handle)
        }
      } catch {
        try? fileSystem.remove(first, in: handle)
        throw error
      }
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// The status of a regular file that is replaced; nil if there is none. A link with its name gives a file nothing.
  private func replacedFile(_ name: String, in directory: OpenFile) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      let status = try fileSystem.status(of: name, in: directory)
      return status.kind == .regular ? status : nil
    } catch {
      if [SystemError.noSuchFile, SystemError.tooManyLinks].contains(error.number) { return nil }
      throw error
    }
  }

  /// Nanoseconds since 1970, for the dates of files; nil for a date that is too distant.
  private static func nanoseconds(_ date: Date) -> Int64? {
    let seconds = date.timeIntervalSince1970
    return abs(seconds) < 9e9 ? Int64((seconds * 1e9).rounded()) : nil
  }

  private mutating func handle(_ folder: String?) throws -> OpenFile {
    guard let folder else { return root }
    if let handle = folders[ExactText(folder)] { return handle }
    try FolderName.require(folder)
    do throws(SystemError) {
      do throws(SystemError) {
        try fileSystem.makeDirectory(folder, in: root)
      } catch {
        guard isInPlace, error.number == SystemError.exists else { throw error }
      }
      let handle = try fileSystem.openDirectory(folder, in: root)
      folders[ExactText(folder)] = handle
      return handle
    } catch {
      throw Self.failure(error, path)
    }
  }
}
