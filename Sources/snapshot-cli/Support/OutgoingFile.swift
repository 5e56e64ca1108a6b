import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// The file for the content that goes to another copy. Its old content is kept under another name, unless the store has
/// the same.
struct OutgoingFile {
  let path: String
  /// The old content of the file, as bytes and as notes; nil for a missing or empty file.
  private let old: (bytes: [UInt8], content: SyncContent?)?

  /// - Throws: an error if the file is the store itself or the incoming file, cannot be read, or has anything but notes
  ///   in Vesper's format.
  init(path: String, store: URL, incoming: String) throws {
    self.path = path
    if FileName.isStream(path) {
      old = nil
      return
    }
    let url = try FileName.url(path)
    if Self.isSame(url, store) { throw CommandFailure.usage("--outgoing must not name the store") }
    if !FileName.isStream(incoming), Self.isSame(url, try FileName.url(incoming)) {
      throw CommandFailure.usage("--outgoing must not name INCOMING")
    }
    do {
      let bytes = try SnapshotFile.readBytes(at: url)
      old = (bytes, bytes.isEmpty ? nil : try Self.content(bytes, at: url))
    } catch let error as SnapshotError where error.code == .fileNotFound {
      old = nil
    }
  }

  private static func isSame(_ a: URL, _ b: URL) -> Bool {
    a.resolvingSymlinksInPath().standardizedFileURL == b.resolvingSymlinksInPath().standardizedFileURL
  }

  private static func content(_ bytes: [UInt8], at url: URL) throws -> SyncContent {
    let isSnapshot = (try? SnapshotSummary(of: bytes)) != nil
    if !isSnapshot, let content = try? SyncContent(vesper: bytes) { return content }
    throw SnapshotError(
      .fileExists, "the file exists, with other content", advice: "Move it away, or name another.",
      path: url.path)
  }

  /// Writes the file as a whole or not at all, and not over a file that another program has written in the meantime.
  ///
  /// If the old file has anything that the notebook lacks, or has another version of it, it stays under another name.
  ///
  /// - Returns: that name.
  func write(_ bytes: [UInt8], of notebook: Notebook) throws -> String? {
    if FileName.isStream(path) {
      try Terminal(path).write(bytes)
      return nil
    }
    let url = try FileName.url(path)
    return try CommandFailure.creating {
      guard let old else {
        try SnapshotFile.create(bytes, at: url)
        return nil
      }
      if old.bytes == bytes { return nil }
      let isLost = old.content.map { !notebook.holds($0) } ?? false
      let previous = isLost ? try putAside(old.bytes) : nil
      try SnapshotFile.replace(old.bytes, with: bytes, at: url)
      return previous
    }
  }

  /// Writes the old content to the first free name of `FILE.previous`, `FILE.previous-2` and so on.
  private func putAside(_ bytes: [UInt8]) throws -> String {
    var number = 1
    while true {
      let name = path + (number == 1 ? ".previous" : ".previous-\(number)")
      number += 1
      // A dangling link takes a name, too.
      var status = stat()
      if lstat(name, &status) == 0 { continue }
      do {
        try SnapshotFile.create(bytes, at: try FileName.url(name))
        return name
      } catch let error as SnapshotError where error.code == .fileExists {
        continue
      }
    }
  }
}
