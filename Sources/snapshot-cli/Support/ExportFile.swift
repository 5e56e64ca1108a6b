import Foundation
import SnapshotCommands
import SnapshotStore

/// Writes files for other programs.
enum ExportFile {
  /// Writes bytes to a file, atomically, or to a pipe, or to standard output for `-`.
  ///
  /// An existing file is replaced only on request, and only if it is an earlier export. A store, even a damaged one,
  /// holds more than an export.
  static func write(_ bytes: [UInt8], as format: ForeignFormat, to path: String, replacing: Bool) throws {
    if FileName.isStream(path) { return try Terminal(path).printText(bytes) }
    let url = try FileName.url(path)
    try CommandFailure.creating {
      do {
        guard replacing, let old = try oldBytes(at: url, format) else {
          return try SnapshotFile.create(bytes, at: url)
        }
        // Replaces only these bytes, not a file that another program may write in the meantime.
        try SnapshotFile.replace(old, with: bytes, at: url)
      } catch var error as SnapshotError where error.code == .fileExists {
        error.advice = "--force replaces an earlier export."
        throw error
      }
    }
  }

  /// The bytes of a file that may be replaced; nil if there is no file.
  private static func oldBytes(at url: URL, _ format: ForeignFormat) throws -> [UInt8]? {
    do {
      let bytes = try SnapshotFile.readBytes(at: url)
      if try isStore(bytes, at: url) {
        throw CommandFailure(
          "\(url.relativePath.forTerminal): this is a store, which an export does not replace", .cannotCreate)
      }
      guard format.isExport(bytes) else {
        throw CommandFailure(
          """
          \(url.relativePath.forTerminal): this is no export in the format \(format.rawValue), and --force replaces nothing \
          else; move it away, or name another file
          """, .cannotCreate)
      }
      return bytes
    } catch let error as SnapshotError where error.code == .fileNotFound {
      return nil
    }
  }

  /// Whether a file is a store, or has generations as a store has.
  private static func isStore(_ bytes: [UInt8], at url: URL) throws -> Bool {
    if bytes.starts(with: "bplist".utf8) || (try? SnapshotSummary(of: bytes)) != nil { return true }
    return try !SnapshotFile.generations(of: url).isEmpty
  }
}
