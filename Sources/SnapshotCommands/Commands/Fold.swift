import SnapshotStore

/// Writes the journal of a store into its file.
struct FoldCommand: StoreCommand {
  static var name: String { "fold" }
  static var summary: String { "Write the changes in the journal of a store to its file" }
  static var parameters: [Parameter] { [.store("STORE", "the store, of any schema")] }
  static var discussion: String {
    """
    A program with a journal saves its changes to the hidden file .STORE.journal first, and to STORE when it closes. If
    it was killed, the journal stays. All commands read both. This command makes one plain file of them, for git and for
    programs that read STORE alone. Without a journal it does nothing.
    """
  }

  private let name: String

  init(_ arguments: inout Arguments) throws { name = arguments.operand("STORE") }

  func run() throws {
    let journal = try SnapshotFile.fold(at: try FileName.url(name))
    // Nothing else would tell that the file is not the store of anyone.
    if journal == nil { _ = try FileInput(name).content(UntypedModel.self) }
    let text = journal.map { "\(Counts.text($0.changes, "change")) written to the file" } ?? "there is no journal"
    try Terminal.output.print("\(name.forTerminal): \(text)\n")
  }
}
