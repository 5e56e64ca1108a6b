import Foundation
import SnapshotNotebook
import SnapshotStore

/// What a file of notes holds.
typealias NotebookContent = SnapshotContent<Notebook>

/// Reading whole snapshots from files or standard input, and writing them to files.
enum DumpFile {
  /// The URL of a path that the user gave, which is taken as it is: `URL` alone would take a tilde at its beginning for a home folder,
  /// as only a shell should.
  static func url(_ path: String) throws -> URL {
    if path.isEmpty { throw Failure.usage("a file name must not be empty") }
    return URL(filePath: path.hasPrefix("~") ? "./" + path : path)
  }

  /// What errors call a source.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// All bytes of a file, or of standard input for `-`.
  static func bytes(_ path: String) throws -> [UInt8] {
    if path != "-" { return try SnapshotFile.readBytes(at: try url(path)) }
    return try BoundedInput.standardInput.bytes()
  }

  /// What a file or standard input holds: the notebook, and what this program does not know.
  static func read(_ path: String) throws -> NotebookContent {
    try SnapshotFile.decodeContent(from: try bytes(path), path: name(path))
  }

  /// What a version of a file holds that git hands out: none at all, or an empty file, is an empty notebook.
  static func readVersion(_ path: String) throws -> NotebookContent {
    try readVersion(ifAny: path) ?? NotebookContent(Notebook())
  }

  /// The same; nil if there is none.
  static func readVersion(ifAny path: String) throws -> NotebookContent? {
    if path == "/dev/null" { return nil }
    let bytes = try bytes(path)
    return bytes.isEmpty ? nil : try SnapshotFile.decodeContent(from: bytes, path: name(path))
  }

  /// Writes a content to a file, or to standard output for `-`. A file that holds anything but the same is replaced only on request.
  static func write(_ content: NotebookContent, to path: String, as format: FileFormat, replacing: Bool) throws {
    let encoded = try SnapshotFile.encode(content, as: format)
    if path == "-" { return try print(encoded, as: format) }
    let url = try url(path)
    let harmless = try replacing ? nil : bytes(at: url, ifHolding: content)
    try Failure.creating {
      do {
        if let harmless { return try SnapshotFile.replace(harmless, with: encoded.bytes, at: url) }
        try SnapshotFile.write(encoded.bytes, to: url, replacing: replacing)
      } catch var error as SnapshotError where error.code == .fileExists {
        error.message = "there is a file already, with other content"
        error.advice = "--replace replaces it."
        throw error
      }
    }
  }

  private static func print(_ encoded: EncodedSnapshot, as format: FileFormat) throws {
    let output = Terminal.output
    if output.isTerminal, format == .binary {
      throw Failure.usage("a binary property list is not for a terminal; write it to a file, or pipe it")
    }
    if output.isTerminal {
      try output.print(String(decoding: encoded.bytes, as: UTF8.self))
    } else {
      try output.write(encoded.bytes)
    }
  }

  /// The bytes of a file that holds the same, and may be replaced as long as it has these bytes.
  private static func bytes(at url: URL, ifHolding content: NotebookContent) throws -> [UInt8]? {
    do {
      let bytes = try SnapshotFile.readBytes(at: url)
      let old: NotebookContent = try SnapshotFile.decodeContent(from: bytes)
      return try ModelDifference(from: old, to: content).isEmpty ? bytes : nil
    } catch let error as SnapshotError where error.code != .notRegularFile {
      return nil
    }
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
