import Foundation

/// A folder for one test, removed with it.
final class TemporaryFolder {
  private let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "snapshot-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func url(_ name: String) -> URL { root.appending(path: name) }
}
