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

  /// Errors in the input name the input, not the store.
  private func importing(_ bytes: [UInt8], into notebook: inout Notebook) throws -> VesperImportReport {
    do {
      return try notebook.importVesper(bytes)
    } catch var error as SnapshotError {
      error.path = input == "-" ? "standard input" : input
      throw error
    }
  }

  private func printPassedOver(_ report: VesperImportReport) throws {
    if report.unchangedNotes > 0 {
      try Terminal.output.print("passed over \(Counts.text(report.unchangedNotes, "note")) that are there already\n")
    }
    if !report.differingNotes.isEmpty {
      let count = Counts.text(report.differingNotes.count, "note")
      let ids = report.differingNotes.prefix(10).map { "\($0)" }.joined(separator: ", ")
      try Terminal.output.print("left \(count) as they are in the store, which differ from the input: \(ids)\n")
    }
    if report.addedDeletions > 0 {
      try Terminal.output.print("remembered \(Counts.text(report.addedDeletions, "note")) as deleted\n")
    }
    if !report.deletedNotes.isEmpty {
      try Terminal.output.print(
        "passed over \(Counts.text(report.deletedNotes.count, "note")) that were deleted in the store\n")
    }
  }
}
