import Foundation
import SnapshotNotebook
import SnapshotStore

/// The content of a file of notes.
typealias NotebookContent = SnapshotContent<Notebook>

/// Reads whole snapshots from files or standard input, and writes them.
enum DumpFile {
  /// The URL of a path, exactly as the user gave it. `URL` would expand a tilde at its beginning, which only a shell
  /// should do.
  static func url(_ path: String) throws -> URL {
    if path.isEmpty { throw Failure.usage("a file name must not be empty") }
    return URL(filePath: path.hasPrefix("~") ? "./" + path : path)
  }

  /// The name of a source in errors.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// All bytes of a file, or of standard input for `-`.
  static func bytes(_ path: String) throws -> [UInt8] {
    if path != "-" { return try SnapshotFile.readBytes(at: try url(path)) }
    return try BoundedInput.standardInput.bytes()
  }

  /// The content of a file or standard input: the notebook, and content unknown to this program.
  static func read(_ path: String) throws -> NotebookContent {
    try SnapshotFile.decodeContent(from: try bytes(path), path: name(path))
  }

  /// The content of a version of a file from git. A missing or empty file is an empty notebook.
  static func readVersion(_ path: String) throws -> NotebookContent {
    try readVersion(ifAny: path) ?? NotebookContent(Notebook())
  }

  /// The same; nil for a missing or empty file.
  static func readVersion(ifAny path: String) throws -> NotebookContent? {
    if path == "/dev/null" { return nil }
    let bytes = try bytes(path)
    return bytes.isEmpty ? nil : try SnapshotFile.decodeContent(from: bytes, path: name(path))
  }

  /// Writes content to a file, or to standard output for `-`. A file with other content is replaced only on request.
  static func write(_ content: NotebookContent, to path: String, as format: FileFormat, replacing: Bool) throws {
    let bytes = try SnapshotFile.encode(content, as: format)
    if path == "-" { return try print(bytes, as: format) }
    let url = try url(path)
    let harmless = try replacing ? nil : self.bytes(at: url, ifHolding: content)
    try Failure.creating {
      do {
        if let harmless { return try SnapshotFile.replace(harmless, with: bytes, at: url) }
        try replacing ? SnapshotFile.write(bytes, to: url) : SnapshotFile.create(bytes, at: url)
      } catch var error as SnapshotError where error.code == .fileExists {
        error.message = "the file exists, with other content"
        error.advice = "--replace replaces it."
        throw error
      }
    }
  }

  private static func print(_ bytes: [UInt8], as format: FileFormat) throws {
    let output = Terminal.output
    if output.isTerminal, !format.isText {
      throw Failure.usage("a binary property list is not for a terminal; write it to a file, or pipe it")
    }
    try output.printText(bytes)
  }

  /// The bytes of a file with the same content. The file may be replaced as long as it has these bytes.
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
    try arguments.option("--format", "-f").map { try arguments.value(named: $0) }
  }
}
