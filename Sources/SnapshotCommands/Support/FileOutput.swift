import Foundation
import SnapshotStore

/// A file that a command writes, a pipe, or standard output.
struct FileOutput {
  let path: String
  /// Whether a file with other content is replaced.
  let replaces: Bool

  /// Writes content to the file or the pipe, or to standard output for `-`.
  ///
  /// - Throws: `fileExists` if the file has other content and may not be replaced.
  func write<Root: Model>(_ content: SnapshotContent<Root>, as format: FileFormat) throws {
    let bytes = try SnapshotFile.encode(content, as: format)
    if isStream { return try print(bytes, as: format) }
    let url = try FileName.url(path)
    let harmless = try replaces ? nil : Self.bytes(at: url, ifHolding: content)
    try CommandFailure.creating {
      do {
        if harmless == nil, !replaces { return try SnapshotFile.create(bytes, at: url) }
        try waitingForOthers { limit in
          if let harmless { return try SnapshotFile.replace(harmless, with: bytes, at: url, waitingAtMost: limit) }
          try SnapshotFile.write(bytes, to: url, waitingAtMost: limit)
        }
      } catch var error as SnapshotError where error.code == .fileExists {
        error.message = "the file exists, with other content"
        error.advice = "--force replaces it."
        throw error
      }
    }
  }

  /// Whether it is written as it comes, and replaces nothing.
  var isStream: Bool { FileName.isStream(path) }

  private func print(_ bytes: [UInt8], as format: FileFormat) throws {
    let output = try Terminal(path)
    if output.isTerminal, !format.isText {
      throw CommandFailure.usage("a binary property list is not for a terminal; write it to a file, or pipe it")
    }
    try output.printText(bytes)
  }

  /// The bytes of a file with the same content. The file may be replaced as long as it has these bytes.
  private static func bytes<Root: Model>(at url: URL, ifHolding content: SnapshotContent<Root>) throws -> [UInt8]? {
    do {
      let bytes = try SnapshotFile.readBytes(at: url)
      let old: SnapshotContent<Root> = try SnapshotFile.decodeContent(from: bytes)
      return try ModelDifference(from: old, to: content).isEmpty ? bytes : nil
    } catch let error as SnapshotError where error.code != .notRegularFile {
      return nil
    }
  }
}
