import SnapshotStore

/// Takes notes over from another program.
struct ImportCommand: Command {
  static let name = "import"
  static let summary = "Add the notes of another program to a store"
  static let usage = "vesper INPUT STORE"
  static let details = """
    vesper  the JSON of Vesper's sync service, or its tutorial property list
    INPUT   the file, or - for standard input
    STORE   the store; made if there is none

    Nothing that is in the store is changed: notes that are there already, and notes that were deleted there, are passed
    over and counted. An input with an error changes nothing at all.
    """

  private let input: String
  private let session: StoreSession

  init(_ arguments: inout ArgumentScanner) throws {
    let kind = try arguments.operand("the kind of input (vesper)")
    guard kind == "vesper" else {
      throw arguments.usage("“\(kind.forTerminal)” is not a kind of input; there is: vesper")
    }
    input = try arguments.operand("INPUT")
    session = try StoreSession(path: try arguments.operand("STORE"))
    try arguments.finish()
  }

  func run() throws {
    let bytes = try DumpFile.bytes(input)
    let report = try session.writeOrCreate(checking: { try importing(bytes, into: &$0) }) {
      try importing(bytes, into: &$0)
    }
    let added = [
      Counts.text(report.addedNotes, "note"), Counts.text(report.addedTags, "tag"),
      Counts.text(report.addedAttachments, "attachment"),
    ]
    try Terminal.output.print("added \(added.joined(separator: ", "))\n")
    try printPassedOver(report)
  }

  private func importing(_ bytes: [UInt8], into notebook: inout Notebook) throws -> ImportReport {
    try notebook.importVesper(bytes, path: DumpFile.name(input))
  }

  private func printPassedOver(_ report: ImportReport) throws {
    if report.unchangedNotes > 0 {
      try Terminal.output.print("passed over \(Counts.text(report.unchangedNotes, "note")) that are there already\n")
    }
    if report.addedDeletions > 0 {
      try Terminal.output.print("remembered \(Counts.text(report.addedDeletions, "note")) as deleted\n")
    }
    for skipped in report.skipped.prefix(20) {
      let id = skipped.id.map { " (note \($0))" } ?? ""
      try Terminal.output.print("skipped \(skipped.place.forTerminal)\(id): \(skipped.reason)\n")
    }
    if report.skipped.count > 20 { try Terminal.output.print("skipped \(report.skipped.count - 20) more\n") }
  }
}
