import Foundation
import Synchronization

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A plain writer with optional flaws: the negative controls. The checker must find each flaw, and must find nothing
/// without one.
struct PlainWriter: Sendable {
  enum Flaw: CaseIterable {
    /// Renames a file before it is synced.
    case noFileSync
    /// Does not make the rename durable, as Foundation does not.
    case noDirectorySync
    /// Writes over the old content.
    case inPlace
    /// Starts again with the first byte after a short write, as Foundation does.
    case restartsAfterShortWrite
    /// Writes in place if the rename fails, as Foundation does on EBUSY.
    case inPlaceFallback
    /// Syncs a second time after a failed sync, and trusts the result.
    case retriesFileSync
  }

  let flaws: Set<Flaw>

  /// The flaws of Foundation's atomic writing.
  static let likeFoundation = PlainWriter(flaws: [.noDirectorySync, .restartsAfterShortWrite, .inPlaceFallback])

  var scenario: CrashScenario {
    let flaws = flaws.map { "\($0)" }.sorted().joined(separator: ", ")
    let name = "a plain writer\(flaws.isEmpty ? "" : " with flaws: \(flaws)")"
    return CrashScenario(name: name, before: CrashScenario.counters(1...2)) { run in
      for last in 3...4 {
        let value = CrashScenario.counters(1...last)
        let bytes = try SnapshotFile.encode(value, as: .json)
        run.witness.withLock { $0.submit(value) }
        run.promise(value) { try replace("store.json", with: bytes, on: run.disk) }
      }
    }
  }

  private func replace(_ name: String, with bytes: [UInt8], on disk: InMemoryFileSystem) throws(SystemError) {
    let directory = try disk.openDirectory("/dir")
    defer { disk.close(directory) }
    if flaws.contains(.inPlace) {
      try overwrite(name, in: directory, with: bytes, on: disk)
    } else {
      let temporary = TemporaryName(for: "store.json").with(UInt64(disk.calls.count))
      do {
        try make(temporary, in: directory, with: bytes, on: disk)
        try disk.rename(temporary, to: name, in: directory)
      } catch {
        try? disk.remove(temporary, in: directory)
        guard flaws.contains(.inPlaceFallback), error.number == EBUSY else { throw error }
        try overwrite(name, in: directory, with: bytes, on: disk)
      }
    }
    if !flaws.contains(.noDirectorySync) { try disk.sync(directory) }
  }

  private func make(
    _ name: String, in directory: OpenFile, with bytes: [UInt8], on disk: InMemoryFileSystem
  ) throws(SystemError) {
    let file = try disk.create(name, in: directory)
    defer { disk.close(file) }
    try fill(file, with: bytes, on: disk)
  }

  /// The files of these scenarios only grow, so nothing needs truncation.
  private func overwrite(
    _ name: String, in directory: OpenFile, with bytes: [UInt8], on disk: InMemoryFileSystem
  ) throws(SystemError) {
    let file = try disk.open(name, in: directory)
    defer { disk.close(file) }
    try fill(file, with: bytes, on: disk)
  }

  private func fill(_ file: OpenFile, with bytes: [UInt8], on disk: InMemoryFileSystem) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let start = flaws.contains(.restartsAfterShortWrite) ? 0 : done
      let rest = Array(bytes[start..<start + bytes.count - done])
      done += try rest.withUnsafeBytes { rest in Result { () throws(SystemError) in try disk.write(file, rest) } }.get()
    }
    if flaws.contains(.noFileSync) { return }
    do {
      try disk.sync(file)
    } catch {
      guard flaws.contains(.retriesFileSync) else { throw error }
      try disk.sync(file)
    }
  }
}
