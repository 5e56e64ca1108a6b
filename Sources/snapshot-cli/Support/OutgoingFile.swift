import Foundation
import SnapshotStore

/// The file for what goes out to another copy. One that is there already may be replaced if nothing is lost by that.
struct OutgoingFile {
  private let path: String
  /// What is in the file; nil if there is none.
  private let old: [UInt8]?

  /// - Throws: an error if the file is the store itself, or cannot be read.
  init(path: String, store: URL) throws {
    self.path = path
    if path == "-" {
      old = nil
      return
    }
    let url = try DumpFile.url(path)
    if url.resolvingSymlinksInPath().standardizedFileURL == store.resolvingSymlinksInPath().standardizedFileURL {
      throw Failure.usage("what goes out must not be written over the store")
    }
    do {
      old = try SnapshotFile.readBytes(at: url)
    } catch let error as SnapshotError where error.code == .fileNotFound {
      old = nil
    }
  }

  /// Refuses a file that holds anything but notes in Vesper's form, all of which a notebook has, such as an earlier sync
  /// wrote them.
  func requireNothingUnknown(to notebook: Notebook) throws {
    guard let old, !old.isEmpty else { return }
    var trial = notebook
    let isSnapshot = (try? SnapshotSummary(of: old)) != nil
    let report = isSnapshot ? nil : try? trial.merge(SyncContent(vesper: old))
    if report?.isUnchanged == true { return }
    throw SnapshotError(
      .fileExists, "there is a file already, with other content", advice: "Move it away, or name another.",
      path: try DumpFile.url(path).path)
  }

  /// Writes the file as a whole or not at all, and not over what somebody else has put there meanwhile.
  func write(_ bytes: [UInt8]) throws {
    if path == "-" { return try Terminal.output.write(bytes) }
    let url = try DumpFile.url(path)
    try Failure.creating {
      if let old {
        if old != bytes { try SnapshotFile.replace(old, with: bytes, at: url) }
      } else {
        try SnapshotFile.write(bytes, to: url, replacing: false)
      }
    }
  }
}
