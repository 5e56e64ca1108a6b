import Foundation
import SnapshotStore

/// The store that a command works on: opened, changed in one transaction, saved, closed.
struct StoreSession {
  let url: URL

  /// The file from `--store`, or from the environment.
  init(_ arguments: inout ArgumentScanner) throws {
    let environment = ProcessInfo.processInfo.environment["SNAPSHOT_STORE"].flatMap { $0.isEmpty ? nil : $0 }
    guard let path = try arguments.option("--store") ?? environment else {
      throw arguments.usage("no store: give --store FILE, or set SNAPSHOT_STORE")
    }
    url = try DumpFile.url(path)
  }

  init(path: String) throws {
    url = try DumpFile.url(path)
  }

  /// Whether there is a file, or anything else in its place.
  var exists: Bool { FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) }

  /// The notebook in the file, which must exist.
  func read() throws -> Notebook { try SnapshotFile.read(at: url) }

  /// Changes the notebook in the file, which must exist; nothing is saved if `body` throws.
  func write<Result>(_ body: (inout Notebook) throws -> Result) throws -> Result {
    try save(mayCreate: false, body)
  }

  /// Changes the notebook in the file, or makes the file.
  ///
  /// - Parameter check: run on an empty notebook first, so that wrong input does not leave an empty store behind.
  func writeOrCreate<Result>(
    checking check: (inout Notebook) throws -> some Any,
    _ body: (inout Notebook) throws -> Result
  ) throws -> Result {
    var trial = Notebook()
    _ = try check(&trial)
    return try Failure.creating { try save(mayCreate: true, body) }
  }

  /// In a short session, for which other processes wait as this one waits for them.
  private func save<Result>(mayCreate: Bool, _ body: (inout Notebook) throws -> Result) throws -> Result {
    try Store<Notebook>.update(
      at: url, options: StoreOptions(createsFile: mayCreate), waitingAtMost: Self.lockTimeLimit, body)
  }

  private static let lockTimeLimit: Duration = .seconds(30)
}
