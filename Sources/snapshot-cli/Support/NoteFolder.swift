import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// The folders of text files that `import` reads and `export` writes.
struct NoteFolder {
  private let format: NoteFolderFormat

  init(_ format: NoteFolderFormat) { self.format = format }

  func read(_ folder: String) throws -> ForeignContent { try ForeignContent(folder: try Self.url(folder), as: format) }

  /// Copies the pictures that notes refer to, and adds the result to the report.
  static func copyPictures(
    of content: ForeignContent, from folder: String, to pictures: String, _ report: inout ImportReport
  ) throws {
    let (source, target) = (try url(folder), try FileName.url(pictures))
    let result = try CommandFailure.creating { try content.copyPictures(from: source, to: target) }
    report.skipped += result.skipped
    report.remarks.append("copied \(Counts.text(result.copied, "picture"))")
  }

  /// Writes a folder, and reports the pictures.
  func write(_ notebook: Notebook, to folder: String, intoExisting: Bool, pictures: String?) throws {
    let url = try Self.url(folder)
    let pictures = try pictures.map { try FileName.url($0) }
    // If files are replaced one by one, an interruption could not claim that nothing was changed.
    if !intoExisting { Interruption.handle() }
    let report = try CommandFailure.creating {
      do {
        if !intoExisting { try Interruption.begin() }
        return try notebook.export(
          toFolder: url, as: format, pictures: pictures, intoExisting: intoExisting
        ) { _ in try Interruption.check() }
      } catch var error as SnapshotError where error.code == .fileExists && !intoExisting {
        error.advice = "--force writes into a folder that is not empty, and deletes nothing."
        throw error
      }
    }
    Self.tell(report.setAside, "file")
    guard pictures != nil else { return }
    Self.tell(report.skipped, "picture")
    try Terminal.output.print("copied \(Counts.text(report.pictures, "picture"))\n")
  }

  private static func tell(_ items: [SkippedItem], _ what: String) {
    for item in items.prefix(20) {
      Terminal.error.printLine("snapshot-cli: \(what) \(item.place.forTerminal) \(item.reason.forTerminal)")
    }
    if items.count > 20 { Terminal.error.printLine("snapshot-cli: \(Counts.text(items.count - 20, "more \(what)"))") }
  }

  private static func url(_ folder: String) throws -> URL {
    if FileName.isStream(folder) {
      throw CommandFailure.usage("a folder is neither read from standard input nor written to standard output")
    }
    return try FileName.url(folder)
  }
}
