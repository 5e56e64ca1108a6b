import Foundation
import SnapshotStore

/// Writes the journal of a store into its file.
struct FoldCommand<Root: Model>: StoreCommand {
  static var name: String { "fold" }
  static var summary: String { "Write the changes in the journal of a store to its file" }
  static var parameters: [Parameter] { [.store("STORE", "the store, of any schema")] }
  static var discussion: String {
    """
    A program with a journal saves its changes to the hidden file .STORE.journal first, and to STORE when it closes. If
    it was killed, the journal stays. All commands read both. This command makes one plain file of them, for git and for
    programs that read STORE alone. Without a journal it does nothing.

    If someone replaced or edited STORE since the journal began, both are merged, as by the program itself. Then it
    prints the conflicts (!) and the copies that it keeps, and exits with 1 if there are conflicts. That needs the types
    of STORE.
    """
  }

  private let name: String

  init(_ arguments: inout Arguments) throws { name = arguments.operand("STORE") }

  func run() throws {
    let session = try StoreSession<Root>(path: name)
    try session.requireFile()
    let journal: SnapshotFile.JournalSummary?
    do {
      journal = try waitingForOthers { try SnapshotFile.fold(at: session.url, waitingAtMost: $0) }
    } catch let error as SnapshotError where error.isMendedByOpening {
      return try merge(session.url, error)
    } catch {
      throw CommandFailure(error, creating: true)
    }
    // Nothing else would tell that the file is not the store of anyone.
    if journal == nil { _ = try FileInput(name).content(UntypedModel.self) }
    let text =
      journal.map { "\(Counts.text($0.changes, "change")) written to the file" } ?? "the file has all changes already"
    try Terminal.output.print("\(name.forTerminal): \(text)\n")
  }

  /// Opening the store merges the journal with the file that someone else has written.
  private func merge(_ url: URL, _ problem: SnapshotError) throws {
    let input = try FileInput(withoutJournal: name)
    guard input.header?.schema == Root.schema.name else {
      throw CommandFailure(
        "\(name.forTerminal): \(problem.message); the program of its schema merges both when it opens the file",
        .badData)
    }
    let store = try CommandFailure.creating {
      try waitingForOthers { limit in
        try Store<Root>.open(
          at: url, options: StoreOptions(policy: .manual, createsFile: false, lockTimeLimit: limit))
      }
    }
    let journal = store.openReport?.journal
    try store.closeAndWait()
    let output = Terminal.output
    if let refusal = journal?.refusal {
      for path in journal?.kept ?? [] { try output.print("kept: \(path.forTerminal)\n") }
      throw CommandFailure(
        "\(name.forTerminal): the changes in the journal were not merged, because the schema refuses them: "
          + CommandFailure(refusal).message, .badData)
    }
    try output.print("\(name.forTerminal): \(Counts.text(journal?.changes ?? 0, "change")) merged into the file\n")
    for repaired in journal?.outcome?.repaired ?? [] { try output.print("repaired: \(repaired)\n".forTerminal) }
    let conflicts = journal?.outcome?.conflicts ?? []
    for conflict in conflicts { try output.print("! \(conflict)".forTerminal + "\n") }
    for path in journal?.kept ?? [] { try output.print("kept: \(path.forTerminal)\n") }
    if !conflicts.isEmpty { throw ExitCode.found }
  }
}

extension SnapshotError {
  /// Whether opening the store for writing merges the journal with the file.
  fileprivate var isMendedByOpening: Bool {
    remedies.contains { if case .foreignJournal = $0.kind { true } else { false } }
  }
}
