import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// The formats of other programs that `import` reads and `export` writes.
enum ForeignFormat: String, CaseIterable {
  case vesper
  case csv
  case lines = "ndjson"
  case vesperFolder = "vesper-folder"
  case markdown

  /// A description, for one line of the help.
  var summary: String {
    switch self {
    case .vesper: "the JSON of Vesper's sync service; import also reads its tutorial"
    case .csv: "a line per note: id,text,tags,archived,created,sort,modified"
    case .lines: "JSON lines: text, id, archived, dates, tags, attachments"
    case .vesperFolder: "Vesper's export: text files in Active Notes and Archived Notes"
    case .markdown: "a folder of Markdown files with front matter (Obsidian, Bear)"
    }
  }

  /// The content of a file, or of standard input for `-`.
  func read(_ input: String) throws -> ForeignContent {
    let name = FileName.shown(input)
    switch self {
    case .vesper: return try ForeignContent(vesper: try FileInput(input).bytes, path: name)
    case .csv: return try ForeignContent(csv: try FileInput(input).bytes, path: name)
    case .lines: return try ForeignContent(ndjson: try FileInput(input).bytes, path: name)
    case .vesperFolder: return try NoteFolder(.vesper).read(input)
    case .markdown: return try NoteFolder(.markdown).read(input)
    }
  }

  /// Whether a file is certainly an export in the format, or empty. A file that only resembles one may be a damaged
  /// store.
  func isExport(_ bytes: [UInt8]) -> Bool {
    if bytes.isEmpty { return true }
    switch self {
    case .vesper:
      return bytes.starts(with: "{\"notes\":[".utf8) && (try? ForeignContent(vesper: bytes)) != nil
    case .csv:
      // A spreadsheet may have added a byte order mark and rewritten the lines.
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
      let line = start.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      return line.elementsEqual(Notebook().csv().dropLast(2))
    case .lines:
      guard bytes.starts(with: "{\"id\":".utf8) || bytes.starts(with: "{\"text\":".utf8) else { return false }
      let content = try? ForeignContent(ndjson: bytes)
      return content?.remarks.isEmpty == true
    case .vesperFolder, .markdown: return false
    }
  }

  /// Whether the format is a folder, not a file.
  var isFolder: Bool { self == .vesperFolder || self == .markdown }

  /// Writes the notes of a notebook to a file, or to standard output for `-`; or to a folder, with pictures from
  /// another one.
  func write(_ notebook: Notebook, to output: String, replacing: Bool, pictures: String?) throws {
    switch self {
    case .vesper: try ExportFile.write(try notebook.vesperJSON(), as: self, to: output, replacing: replacing)
    case .csv: try ExportFile.write(notebook.csv(), as: self, to: output, replacing: replacing)
    case .lines: try ExportFile.write(notebook.ndjson(), as: self, to: output, replacing: replacing)
    case .vesperFolder: try NoteFolder(.vesper).write(notebook, to: output, intoExisting: replacing, pictures: pictures)
    case .markdown: try NoteFolder(.markdown).write(notebook, to: output, intoExisting: replacing, pictures: pictures)
    }
  }

  /// A sentence on content of the notebook that the format cannot hold; nil if nothing is left out.
  func omission(of notebook: Notebook) -> String? {
    guard self == .csv else { return nil }
    let count = notebook.notes.count { !$0.attachments.isEmpty }
    return count == 0 ? nil : "CSV has no attachments: those of \(Counts.text(count, "note")) are left out"
  }

  /// The format that the user named.
  init(_ arguments: inout Arguments) throws {
    guard let format: ForeignFormat = arguments.value("FORMAT") else { throw arguments.usage("FORMAT is missing") }
    self = format
  }

  /// The folder of `--pictures`, which only folder formats accept.
  func pictures(_ arguments: inout Arguments) throws -> String? {
    let folder = arguments.option("--pictures")
    if folder != nil, !isFolder { throw arguments.usage("--pictures is only for vesper-folder and markdown") }
    return folder
  }

  /// The formats with their descriptions, as words of a parameter.
  static var words: [Candidate] { allCases.map { Candidate($0.rawValue, $0.summary) } }
}
