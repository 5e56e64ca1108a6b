import Foundation
import SnapshotNotebook
import SnapshotStore

/// The file for what goes out to another copy. What is in it already is lost to nobody: it is put aside unless the store has
/// the same.
struct OutgoingFile {
  let path: String
  /// What is in the file, as bytes and as notes; nil if there is none, or it is empty.
  private let old: (bytes: [UInt8], content: SyncContent?)?

  /// - Throws: an error if the file is the store itself or what comes in, cannot be read, or holds anything but notes in
  ///   Vesper's form.
  init(path: String, store: URL, incoming: String) throws {
    self.path = path
    if path == "-" {
      old = nil
      return
    }
    let url = try DumpFile.url(path)
    if Self.isSame(url, store) { throw Failure.usage("what goes out must not be written over the store") }
    if incoming != "-", Self.isSame(url, try DumpFile.url(incoming)) {
      throw Failure.usage("what goes out must not be written over what comes in")
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
      .fileExists, "there is a file already, with other content", advice: "Move it away, or name another.",
      path: url.path)
  }

  /// Writes the file as a whole or not at all, and not over what somebody else has put there meanwhile. What was there before
  /// stays under another name if there is anything in it that a notebook has not, or has otherwise.
  ///
  /// - Returns: that name.
  func write(_ bytes: [UInt8], of notebook: Notebook) throws -> String? {
    if path == "-" {
      try Terminal.output.write(bytes)
      return nil
    }
    let url = try DumpFile.url(path)
    return try Failure.creating {
      guard let old else {
        try SnapshotFile.write(bytes, to: url, replacing: false)
        return nil
      }
      if old.bytes == bytes { return nil }
      let isLost = old.content.map { !notebook.holds($0) } ?? false
      let previous = isLost ? try putAside(old.bytes) : nil
      try SnapshotFile.replace(old.bytes, with: bytes, at: url)
      return previous
    }
  }

  /// Writes what was there to the first free name of `FILE.previous`, `FILE.previous-2` and so on.
  private func putAside(_ bytes: [UInt8]) throws -> String {
    var number = 1
    while true {
      let name = path + (number == 1 ? ".previous" : ".previous-\(number)")
      number += 1
      // A link that leads nowhere takes the name, too.
      if (try? FileManager.default.attributesOfItem(atPath: name)) != nil { continue }
      do {
        try SnapshotFile.write(bytes, to: try DumpFile.url(name), replacing: false)
        return name
      } catch let error as SnapshotError where error.code == .fileExists {
        continue
      }
    }
  }
}
