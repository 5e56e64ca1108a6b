import Foundation
import Synchronization

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What a store tells while a change comes in.
final class Witness: Sendable {
  private let store: Store<OrderBook>
  private let history: UndoHistory<OrderBook>
  private let origins = SmallLock<[Origin]>([])

  init(of store: Store<OrderBook>) {
    self.store = store
    history = UndoHistory(of: store, excluding: [])
    _ = store.observers.add { [weak self] changes in self?.origins.withLock { $0.append(changes.origin) } }
  }

  /// The result of a way. It undoes everything.
  func result(conflicts: [MergeConflict] = [], isRefused: Bool = false) -> WayResult {
    var result = WayResult(
      book: store.read { $0 }, conflicts: conflicts, isRefused: isRefused, origins: origins.withLock { $0 })
    // An undo that is refused leaves the store as it is.
    while (try? history.undo()) != nil {}
    result.undone = store.read { $0 }
    return result
  }
}

extension OrderBook {
  /// The content of a file in which a newer program has given some labels a colour.
  func content(coloured labels: [String] = ["new"]) throws -> SnapshotContent<OrderBook> {
    let text = labels.reduce(String(decoding: try SnapshotFile.encode(self, as: .json), as: UTF8.self)) {
      $0.replacing("{\"id\":\"\($1)\"}", with: "{\"id\":\"\($1)\",\"colour\":\"red\"}")
    }
    return try SnapshotFile.decodeContent(from: Array(text.utf8), options: ReadOptions(acceptsChecksumMismatch: true))
  }

  /// The bytes of such a file.
  func file(coloured labels: [String] = ["new"]) throws -> [UInt8] {
    try SnapshotFile.encode(content(coloured: labels), as: .json)
  }

  /// The bytes of a file of another program, which has given one more label a colour.
  func foreignFile() throws -> [UInt8] { try file(coloured: ["dear", "new"]) }
}

extension WayResult {
  /// Adds the file at a path, and the books beside it.
  mutating func add(_ path: String, in disk: InMemoryFileSystem) {
    add(path, disk.paths.map { ($0, disk[$0]) })
  }

  /// The same on a real disk.
  mutating func add(_ url: URL) throws {
    let folder = url.deletingLastPathComponent().path
    add(
      url.path,
      try FileManager.default.subpathsOfDirectory(atPath: folder).map { name in
        let path = "\(folder)/\(name)"
        return (path, FileManager.default.contents(atPath: path).map { Array($0) })
      })
  }

  private mutating func add(_ path: String, _ files: [(path: String, bytes: [UInt8]?)]) {
    for case (let other, let bytes?) in files {
      guard let content = try? SnapshotFile.decodeContent(OrderBook.self, from: bytes) else { continue }
      if other == path { file = content } else { kept.append(content.value) }
    }
  }
}
