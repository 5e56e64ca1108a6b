public import Foundation
public import SnapshotStore

/// The store of a command. It is opened, changed in one transaction, saved and closed.
///
/// ```swift
/// let session = try StoreSession<Dashboard>(path: "store.json")
/// let count = try session.read().posts.count
/// try session.write { $0.posts.removeAll() }
/// ```
public struct StoreSession<Root: Model> {
  /// The file.
  public let url: URL

  /// The file from the store operand, from `--store`, or from the environment.
  ///
  /// - Throws: ``CommandFailure`` if none of them names a file.
  public init(_ arguments: inout Arguments) throws { try self.init(path: try arguments.store()) }

  /// The store at a path.
  ///
  /// - Throws: ``CommandFailure`` for `-`, for a pipe and for an empty path.
  public init(path: String) throws {
    try FileName.requireFile(path, "the store must be a file")
    url = try FileName.url(path)
  }

  /// Whether the path exists, as a file or anything else.
  public var exists: Bool { FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) }

  /// The value in the file, which must exist.
  public func read() throws -> Root {
    do {
      return try SnapshotFile.read(at: url, options: ReadOptions(leavesOutUnknownKeys: true))
    } catch let error as SnapshotError where error.code == .fileNotFound {
      try requireNoOlderVersions()
      throw error
    }
  }

  /// Changes the value in the file, which must exist. Nothing is saved if `body` throws.
  ///
  /// - Throws: the errors of `body`; ``CommandFailure`` if the file cannot be written.
  public func write<Result>(_ body: (inout Root) throws -> Result) throws -> Result {
    try requireFile()
    var isOfBody = false
    do {
      return try save(StoreOptions(createsFile: false)) { value in
        do {
          return try body(&value)
        } catch {
          isOfBody = true
          throw error
        }
      }
    } catch let error as SnapshotError where !isOfBody {
      throw CommandFailure(error, creating: true)
    }
  }

  /// Changes all content of the file, which must exist. The old file is first kept as an older version; if that fails,
  /// nothing is changed. For bulk changes that the user has not seen one by one.
  ///
  /// - Parameters:
  ///   - date: the date of an edit, which changed records get where `body` sets none. Nil for a change that brings its
  ///     own dates, such as a merge.
  ///   - body: changes the content.
  public func change<Result>(
    datingEditsAt date: Date? = nil, _ body: (inout SnapshotContent<Root>) throws -> Result
  ) throws -> Result {
    try requireFile()
    return try CommandFailure.creating {
      try waitingForOthers { limit in
        try SnapshotFile.change(Root.self, at: url, waitingAtMost: limit, datingEditsAt: date) { content in
          // A fault of the incoming content has nothing to do with the file that is written.
          do { return try body(&content) } catch { throw CommandFailure(error) }
        }
      }
    }
  }

  /// All content of the file, which must exist.
  public func readContent() throws -> SnapshotContent<Root> {
    if !exists { try requireNoOlderVersions() }
    return try SnapshotFile.readContent(at: url)
  }

  /// Changes the value in the file, or makes the file. A person at a terminal is told of a new one: the path may be
  /// mistyped.
  ///
  /// - Parameters:
  ///   - check: runs on an empty value first, so that wrong input does not leave an empty store behind.
  ///   - body: changes the value in one transaction.
  /// - Returns: the result of `body`, once the file has the change.
  /// - Throws: the errors of `check` and `body`; ``CommandFailure``.
  public func writeOrCreate<Result>(
    checking check: (inout Root) throws -> some Any,
    _ body: (inout Root) throws -> Result
  ) throws -> Result {
    var trial = Root()
    _ = try check(&trial)
    let isNew = !exists
    let result = try CommandFailure.creating { try save(StoreOptions(createsFile: true), body) }
    if isNew, Terminal.error.isTerminal {
      Terminal.error.printLine("\(url.relativePath.shortForMessage) is a new store")
    }
    return result
  }

  /// Throws if there is no file, or something else.
  func requireFile() throws {
    var status = stat()
    if stat(url.path(percentEncoded: false), &status) == 0, status.st_mode & S_IFMT == S_IFREG { return }
    if !exists { try requireNoOlderVersions() }
    // Says why: there is no file, or only links that lead to none, or a folder.
    _ = try SnapshotFile.readBytes(at: url)
  }

  /// Saves in a short session. Other processes wait for it, as it waits for them.
  private func save<Result>(_ options: StoreOptions, _ body: (inout Root) throws -> Result) throws -> Result {
    if !exists { try requireNoOlderVersions() }
    return try waitingForOthers { try Store<Root>.update(at: url, options: options, waitingAtMost: $0, body) }
  }

  /// Refuses to replace a vanished store with an empty one.
  public func requireNoOlderVersions() throws {
    do {
      _ = try SnapshotFile.journal(of: url)
    } catch let error as SnapshotError where error.code == .foreignJournal {
      throw error
    } catch {}
    guard let newest = (try? SnapshotFile.generations(of: url))?.first else { return }
    let (path, folder) = (url.relativePath, newest.url.deletingLastPathComponent().lastPathComponent)
    throw SnapshotError(
      .fileNotFound, "the file is gone, but older versions of it are kept",
      advice:
        "“\(Tool.runningName) generations \(path.forTerminal) restore \(newest.number)” brings the newest back. To begin "
        + "anew, move the folder “\(folder.forTerminal)” away, or name another file.",
      path: path)
  }
}
