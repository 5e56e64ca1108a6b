import Foundation
import SnapshotStore

/// Reading whole snapshots from files or standard input, and writing them to files.
enum DumpFile {
  /// All bytes of a file, or of standard input for `-`.
  static func bytes(_ path: String) throws -> [UInt8] {
    guard path == "-" else { return try SnapshotFile.readBytes(at: URL(filePath: path)) }
    do {
      return Array(try FileHandle.standardInput.readToEnd() ?? Data())
    } catch {
      throw Failure("reading standard input failed: \(String(cString: strerror(errno)))", .ioError)
    }
  }

  /// The notebook in a file or in standard input.
  static func read(_ path: String) throws -> Notebook {
    try SnapshotFile.decode(from: try bytes(path), path: path == "-" ? "standard input" : path)
  }

  /// Writes a notebook to a file. A file that holds anything but the same records is replaced only on request.
  static func write(_ notebook: Notebook, to path: String, as format: FileFormat, replacing: Bool) throws {
    let url = URL(filePath: path)
    let encoded = try SnapshotFile.encode(notebook, as: format)
    let mayReplace = replacing || holdsSameRecords(url, as: notebook)
    do {
      try Failure.creating { try SnapshotFile.write(encoded.bytes, to: url, replacing: mayReplace) }
    } catch let failure as Failure where failure.exitCode == .cannotCreate && !mayReplace {
      if FileManager.default.fileExists(atPath: path) {
        throw Failure(
          "\(path.forTerminal): the file exists and holds something else; --replace replaces it", .cannotCreate)
      }
      throw failure
    }
  }

  private static func holdsSameRecords(_ url: URL, as notebook: Notebook) -> Bool {
    guard let other: Notebook = try? SnapshotFile.read(at: url) else { return false }
    return other.hasSameRecords(as: notebook)
  }

  /// The format of `--format`.
  static func format(_ arguments: inout ArgumentScanner) throws -> FileFormat? {
    guard let name = try arguments.option("--format", "-f") else { return nil }
    guard let format = FileFormat(rawValue: name) else {
      throw arguments.usage("“\(name.forTerminal)” is not one of json, xml, binary, ndjson")
    }
    return format
  }
}
