import Foundation
import SnapshotStore

/// Writes the manual pages of the tool.
struct ManualCommand: StoreCommand {
  static let name = "manual"
  static let summary = "Write the manual pages of the tool and of each command"
  static let parameters: [Parameter] = [
    .operand("DIR", .folder, "the folder for the pages, which exists. Pages of the same names are replaced")
  ]
  static let discussion = """
    The pages say what --help says: {tool}.1, and one for each command. The date in them is that of today, or of
    $SOURCE_DATE_EPOCH.

    Example:
      {tool} manual ~/.local/share/man/man1 && man {tool}
    """

  private let folder: String
  private let tool: Tool

  init(_ arguments: inout Arguments) throws {
    folder = arguments.operand("DIR")
    tool = arguments.tool
  }

  func run() throws {
    let url = try FileName.url(folder)
    let seconds = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(UInt32.init)
    let date = seconds.map { Date(timeIntervalSince1970: TimeInterval($0)) } ?? Date()
    let pages = ManualPage(tool: tool, date: String(date.formatted(.iso8601).prefix(10))).pages
    try CommandFailure.creating {
      for page in pages { try SnapshotFile.write(Array(page.text.utf8), to: url.appending(path: page.file)) }
    }
    try Terminal.output.print("wrote \(Counts.text(pages.count, "page"))\n")
  }
}
