import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Shows the main features from beginning to end.
struct DemoCommand: StoreCommand {
  static let name = "demo"
  static let summary = "Edit a notebook from several threads; prove nothing is lost"
  static let parameters: [Parameter] = [
    .operand(
      "STORE", .store,
      "the file to make and keep; by default a temporary file, which is removed at the end"
    ).optional,
    .option("--changes", "N", .number(0...10_000_000), "the number of edits; 2000 by default"),
  ]
  static let discussion = "Exits with 1 if anything that was written is not read back."

  private let path: String?
  private let changes: Int

  init(_ arguments: inout Arguments) throws {
    changes = arguments.number("--changes") ?? 2000
    path = arguments.optionalOperand("STORE")
  }

  func run() throws {
    guard let path else {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      return try run(at: folder.url.appending(path: "notebook.json"), note: "\n   removed at the end of the demo")
    }
    guard !FileManager.default.fileExists(atPath: path) else {
      throw CommandFailure("\(path.forTerminal): the file exists already; give the demo a new name", .cannotCreate)
    }
    try run(at: FileName.url(path), note: "")
    try say("\nTo list its notes: snapshot-cli list --store \(path.forTerminal)")
  }

  private func run(at url: URL, note: String) throws {
    let output = Terminal.output
    try say(output.bold("1. A notebook in memory, one file on disk"))
    let policy = SavePolicy.automatic(delay: .milliseconds(250), maxDelay: .seconds(1))
    let store = try CommandFailure.creating { try Store<Notebook>.open(at: url, options: StoreOptions(policy: policy)) }
    try store.write { try DemoEdits.addFirstNotes(to: &$0) }
    try say("   \(url.path(percentEncoded: false).forTerminal)\(note)")
    try say("   saved 0.25 s after the last change, and at most 1 s after the first\n")

    try say(output.bold("2. \(Counts.text(changes, "edit")) from \(Counts.text(DemoEdits.threadCount, "thread"))"))
    let failures = try edit(store)
    try store.closeAndWait()
    let status = store.status
    try say(
      "   \(Counts.text(changes + 1, "transaction")) made \(Counts.text(status.revision, "revision")); "
        + "the others changed nothing\n   \(Counts.text(status.saves, "save")), "
        + "\(Counts.text(status.savedBytes, "byte")) written; closed\n"
    )

    try say(output.bold("3. Opened again"))
    let expected = store.snapshot().value
    let reopened = try Store<Notebook>.open(at: url, options: StoreOptions(policy: .readOnly)).snapshot().value
    var proof = Proof()
    proof.check("every edit went through", failures == 0)
    proof.check("the file holds \(Counts.text(of: SnapshotContent(reopened)))", reopened.hasSameRecords(as: expected))
    proof.check("every reference is intact, every index agrees", reopened.allViolations().isEmpty)
    try proof.print()

    try say("\n" + output.bold("4. Out in every format, and back in"))
    proof = Proof(proof)
    for format in FileFormat.allCases { try roundTrip(expected, format, &proof) }
    try proof.print()
    try showExcerpt(expected)
    guard proof.holds else {
      try say("\n" + output.bold("Something was lost: see the lines that say FAILED."))
      throw ExitCode.found
    }
    try say("\n" + output.bold("Nothing was lost."))
  }

  /// Makes the edits and shows the saver's progress; returns the number of failed edits.
  private func edit(_ store: Store<Notebook>) throws -> Int {
    let edits = DemoEdits(store: store, changes: changes)
    edits.start()
    let progress = ProgressLine()
    while !edits.wait(upTo: .milliseconds(100)) {
      try progress.show(statusLine(store, edits.finished))
    }
    try progress.finish(statusLine(store, edits.finished))
    return edits.failures
  }

  private func statusLine(_ store: Store<Notebook>, _ finished: Int) -> String {
    let status = store.status
    return "   edits \(finished)  revision \(status.revision)  durable \(status.durableRevision)  "
      + "saves \(status.saves)  bytes \(status.savedBytes)\(status.isSaving ? "  saving…" : "")"
  }

  private func roundTrip(_ notebook: Notebook, _ format: FileFormat, _ proof: inout Proof) throws {
    let encoded = try SnapshotFile.encode(notebook, as: format)
    let decoded = try SnapshotFile.decode(Notebook.self, from: encoded)
    let again = try SnapshotFile.encode(decoded, as: format)
    let label = "\(format.rawValue.padding(to: 6))  \(Counts.text(encoded.count, "byte"))"
    proof.check(
      "\(label): the same records, the same bytes again",
      decoded.hasSameRecords(as: notebook) && again == encoded)
  }

  /// The beginning of the notes in two of the formats.
  private func showExcerpt(_ notebook: Notebook) throws {
    let width = (Terminal.output.columns ?? 80) - 4
    for format in FileFormat.allCases.filter(\.isText).prefix(2) {
      let bytes = try SnapshotFile.encode(notebook, as: format)
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      try say("\n   " + Terminal.output.dim("in \(format.rawValue):"))
      for line in lines.drop(while: { !$0.contains("notes") }).prefix(7) {
        let text = String(line).replacing("\t", with: "  ").forTerminal
        let shown = text.prefix(columns: width)
        try say("   " + shown + (shown.count < text.count ? "…" : ""))
      }
    }
  }

  private func say(_ line: String) throws { try Terminal.output.print(line + "\n") }

  private func say(_ line: StyledText) throws { try Terminal.output.print(line + "\n") }
}

/// Checked claims and their results.
private struct Proof {
  private var lines: [String] = []
  private(set) var holds = true

  init() {}

  /// Continues another proof: without its lines, with its result.
  init(_ earlier: Proof) { holds = earlier.holds }

  mutating func check(_ claim: String, _ isTrue: Bool) {
    lines.append("   \(isTrue ? "ok    " : "FAILED") \(claim)\n")
    holds = holds && isTrue
  }

  func print() throws { try Terminal.output.print(lines.joined()) }
}
