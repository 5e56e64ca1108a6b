/// Writes a folder of files, with folders of one level in it.
///
/// A folder that is not there yet, or is empty, is made under a temporary name beside its place and renamed at the end, so
/// that it is there as a whole or not at all. In a folder with something in it, every file takes its place as a whole.
/// Nothing is synced: a power cut soon afterwards may take files away again or leave them empty. A process that is killed
/// leaves its temporary folder or file behind, hidden by a dot. The next one that writes to the place removes the folder, if
/// no process has it locked and it holds nothing but what this type makes.
struct FolderWriter {
  private let fileSystem: any FileSystem
  private let path: String
  private let root: OpenFile
  /// Whether there may be files already.
  private let isInPlace: Bool
  private var folders: [String: OpenFile] = [:]
  /// Random numbers for temporary names.
  private let random: @Sendable () -> UInt64

  /// Lets `body` write the files of a folder.
  ///
  /// - Parameter intoExisting: whether to write into a folder that is not empty.
  /// - Throws: ``SnapshotError`` with code `fileExists` for a folder that is not empty, and what `body` throws.
  static func write<Result>(
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
      let temporaryName = TemporaryName(for: location)
      fileSystem.removeLeftoverFolders(temporaryName, in: parent)
      let (temporary, claim) = try makeTemporary(temporaryName, in: parent, on: fileSystem, random)
      // The lock is held until the folder has its name, so that nobody takes it for a leftover.
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

  /// Makes a temporary folder, and locks it. Another process may take the folder for a leftover before it is locked; then
  /// another folder is made. Where no folder can be locked, no process removes any.
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
    // The other process may have removed the folder, and unlocked it, before it was locked here.
    if let again = try? fileSystem.openDirectory(name, in: parent) {
      fileSystem.close(again)
      return claim
    }
    fileSystem.close(claim)
    return nil
  }

  /// Whether there is a folder that has something in it already.
  private static func needsNoPlace(
    _ location: FileLocation, in parent: OpenFile, on fileSystem: any FileSystem
  ) throws -> Bool {
    // The root of all folders has no name.
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

  private static func failure(_ error: SystemError, _ path: String) -> SnapshotError {
    if [SystemError.notEmpty, SystemError.exists].contains(error.number) {
      return SnapshotError(
        .changedOutside, "something else was put there meanwhile", path: path, systemError: error.number)
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

  // MARK: In the folder

  /// The names that a folder has already; nil stands for the folder itself.
  mutating func names(in folder: String?) throws -> [String] {
    guard isInPlace else { return [] }
    let handle = try handle(folder)
    do throws(SystemError) {
      return try fileSystem.names(in: handle).filter { $0 != "." && $0 != ".." }
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Whether there is something with a name already. A link counts, wherever it leads.
  mutating func holds(_ name: String, in folder: String?) throws -> Bool {
    guard isInPlace else { return false }
    let handle = try handle(folder)
    do throws(SystemError) {
      guard try fileSystem.isHarmless(name, in: handle) else { return true }
      return try fileSystem.statusIfAny(of: name, in: handle) != nil
    } catch {
      if error.number == SystemError.noSuchFile { return false }
      // What is there and cannot be opened: a link, or a file that may not be read.
      if [SystemError.tooManyLinks, SystemError.accessDenied].contains(error.number) { return true }
      throw Self.failure(error, path)
    }
  }

  /// All bytes of a file that is there already; nil if it cannot be read or is larger than the limit.
  mutating func bytes(of name: String, in folder: String?, limit: Int) throws -> [UInt8]? {
    try file(name, in: folder, limit: limit)?.bytes
  }

  /// The same with the status of the file.
  mutating func file(_ name: String, in folder: String?, limit: Int) throws -> (bytes: [UInt8], status: FileStatus)? {
    guard isInPlace else { return nil }
    let handle = try handle(folder)
    guard (try? fileSystem.isHarmless(name, in: handle)) == true else { return nil }
    guard let file = try? fileSystem.open(name, in: handle) else { return nil }
    defer { fileSystem.close(file) }
    guard let status = try? fileSystem.status(file), status.kind == .regular, status.size <= limit else { return nil }
    return (try? fileSystem.readAll(file, expected: status.size, limit: limit)).map { ($0, status) }
  }

  /// Gives a file that is there already a name that is free, ending in `.old`, and tells it.
  mutating func setAside(_ name: String, in folder: String?) throws -> String {
    let start = String(name.prefixOfBytes(220))
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

  /// Throws `fileExists` if something that is no folder has the name of one. Nothing is made.
  mutating func requireFolderOrNothing(_ name: String) throws {
    guard isInPlace, folders[name] == nil else { return }
    do throws(SystemError) {
      folders[name] = try fileSystem.openDirectory(name, in: root)
    } catch {
      if error.number == SystemError.noSuchFile { return }
      guard [SystemError.notDirectory, SystemError.tooManyLinks].contains(error.number) else {
        throw Self.failure(error, "\(path)/\(name)")
      }
      throw SnapshotError(
        .fileExists, "a file or a link is where a folder must be; nothing was written", path: "\(path)/\(name)")
    }
  }

  /// Makes a folder if it is not there.
  mutating func makeFolder(_ name: String) throws { _ = try handle(name) }

  /// Writes a file, in place of one that has its name.
  mutating func write(
    _ bytes: [UInt8], to name: String, in folder: String?, created: Int64? = nil, modified: Int64? = nil
  ) throws {
    let handle = try handle(folder)
    let first = isInPlace ? TemporaryName(for: name).with(random()) : name
    do throws(SystemError) {
      let file = try fileSystem.create(first, in: handle)
      defer { fileSystem.close(file) }
      do throws(SystemError) {
        try fileSystem.writeAll(bytes, to: file)
        // A file system that cannot hold a date is no reason to fail.
        if let created, let modified { try? fileSystem.setDates(file, created: created, modified: modified) }
        if isInPlace { try fileSystem.rename(first, to: name, in: handle) }
      } catch {
        try? fileSystem.remove(first, in: handle)
        throw error
      }
    } catch {
      throw Self.failure(error, path)
    }
  }

  private mutating func handle(_ folder: String?) throws -> OpenFile {
    guard let folder else { return root }
    if let handle = folders[folder] { return handle }
    do throws(SystemError) {
      do throws(SystemError) {
        try fileSystem.makeDirectory(folder, in: root)
      } catch {
        guard isInPlace, error.number == SystemError.exists else { throw error }
      }
      let handle = try fileSystem.openDirectory(folder, in: root)
      folders[folder] = handle
      return handle
    } catch {
      throw Self.failure(error, path)
    }
  }
}

extension String {
  /// A folder may be given with a slash at its end.
  fileprivate var withoutTrailingSlashes: String {
    var path = self[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") {
      path = path[..<path.utf8.index(before: path.utf8.endIndex)]
    }
    return String(path)
  }
}
