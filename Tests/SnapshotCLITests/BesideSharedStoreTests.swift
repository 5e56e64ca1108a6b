import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

@testable import TestSupport

/// Commands beside a program that has the store open and shares it: they work at once, and the program follows.
@Suite struct BesideSharedStoreTests {
  let cli: CLI
  let store: Store<Notebook>

  init() throws {
    cli = try CLI()
    try cli.makeStore()
    store = try Self.open(cli.url("notes.json"), .shared)
  }

  private static func open(_ url: URL, _ access: StoreAccess) throws -> Store<Notebook> {
    // Beside all other tests, a line may take longer than the time after which a journal is folded.
    try Store<Notebook>.open(
      at: url,
      options: StoreOptions(policy: .automatic(), access: access, journal: .beside(quietTime: .seconds(100_000))))
  }

  /// Waits until the open store has what a condition asks for, which it does by itself.
  private func expect(_ what: String, _ condition: (Notebook) -> Bool) async throws {
    for _ in 0..<500 {
      if store.read({ condition($0) }) { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("the open store does not show: \(what)")
  }

  private func run(_ arguments: [String], input: String = "") throws {
    let start = ContinuousClock.now
    let result = try cli.run(arguments, input: input, environment: ["EDITOR": "sh -c 'echo Edited > \"$0\"'"])
    #expect(result.status == Exit.good, "\(arguments): \(result.error)")
    #expect(ContinuousClock.now - start < .seconds(8), "\(arguments) waited for the open store")
  }

  private func note(_ id: Note.ID, _ text: String) throws {
    try store.write { try $0.upsert(Note(id: id, text: text, creationDate: Date(timeIntervalSince1970: 1))) }
  }

  @Test func everyCommandIsFollowed() async throws {
    // Both have the id at the beginning.
    let record = try cli.run("get", "notes.json", "notes", "1002").output
    let ndjson = record.replacing("1002", with: "50", maxReplacements: 1).replacing("Second", with: "Put")
    let steps: [(arguments: [String], shown: (Notebook) -> Bool)] = [
      (["add", "By hand", "--store", "notes.json"], { $0.notes.contains { $0.text == "By hand" } }),
      (["edit", "1002", "--store", "notes.json"], { $0.notes[1002]?.text.hasPrefix("Edited") == true }),
      (["tag", "1002", "Urgent", "--store", "notes.json"], { $0.notes[1002]?.tags.isEmpty == false }),
      (["set", "notes.json", "notes", "1001", "text=Set"], { $0.notes[1001]?.text == "Set" }),
      (["put", "notes.json", "notes", "--force"], { $0.notes[50]?.text == "Put" }),
      (["remove", "notes.json", "notes", "50"], { $0.notes[50] == nil }),
      (["delete", "1002", "--store", "notes.json"], { $0.notes[1002] == nil }),
      (["undelete", "1002", "--store", "notes.json"], { $0.notes[1002] != nil }),
      (["import", "vesper", "other.json", "notes.json"], { $0.notes[2001] != nil }),
      (["generations", "notes.json", "restore", "1"], { $0.notes[2001] == nil }),
    ]
    try cli.write(CLI.vesperJSON.replacing("1001", with: "2001"), to: "other.json")
    for (index, step) in steps.enumerated() {
      // A change that is not saved yet, or is a line of the journal.
      try note(Note.ID(100 + index), "Of the program")
      if index % 2 == 1 { try await store.flush() }
      try run(step.arguments, input: ndjson)
      try await expect("\(step.arguments)", step.shown)
      if step.arguments.contains("restore") { break }
      #expect(store.read { $0.notes[Note.ID(100 + index)]?.text } == "Of the program", "\(step.arguments)")
      try await store.flush()
      #expect(try cli.run("check", "notes.json").status == Exit.good)
    }
    try await store.close()
    #expect(try SnapshotFile.read(Notebook.self, at: cli.url("notes.json")).hasSameRecords(as: store.read { $0 }))
  }

  @Test func aFoldIsFollowed() async throws {
    try note(7, "In the journal")
    try await store.flush()
    #expect(cli.exists(".notes.json.journal"))
    let fold = try cli.run("fold", "notes.json")
    #expect(fold.status == Exit.good && fold.output == "notes.json: 1 change written to the file\n", "\(fold)")
    #expect(try SnapshotFile.journal(of: cli.url("notes.json")) == nil)
    #expect(try cli.text("notes.json").contains("In the journal"))
    try note(8, "Behind the fold")
    try await store.flush()
    #expect(cli.exists(".notes.json.journal"))
    for id in ["7", "8"] { #expect(try cli.run("show", id, "--store", "notes.json").status == Exit.good) }
    #expect(try cli.run("check", "notes.json").status == Exit.good)
    try await store.close()
    #expect(!cli.exists(".notes.json.journal"))
  }

  @Test func readersReadWhatIsSaved() async throws {
    try note(7, "In the journal")
    let watch = try Pseudoterminal.run(
      CLI.tool, ["watch", "notes.json"], in: cli.folder, environment: ["TERM": "dumb"]
    ) { text, process in
      if text.contains("+ notes 7") {
        kill(process.processIdentifier, SIGINT)
      } else if text.contains("watching") {
        try store.flushAndWait()
      }
    }
    #expect(watch.text.hasSuffix("+ notes 7\r\n"), "\(watch.text)")
    #expect(try cli.run("check", "notes.json").status == Exit.good)
    #expect(try cli.run("dump", "notes.json").output.contains("In the journal"))
    try await store.close()
  }

  @Test func infoNamesWhoHasItOpen() async throws {
    let process = ProcessInfo.processInfo.processIdentifier
    let other = try Self.open(cli.url("notes.json"), .shared)
    let two = try cli.run("info", "notes.json").output
    let line = #/ \(process (\d+)\), shared since 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ\n/#
    #expect(two.matches(of: line).map { Int32($0.1) } == [process, process], "\(two)")
    #expect(two.contains("\nopen in       ") && two.contains("\n              "))
    try await other.close()
    let json = try cli.run("info", "notes.json", "--json").output
    #expect(
      json.contains(#""users":[{"name":""#) && json.contains(#","process":\#(process),"access":"shared","since":"20"#))
    try await store.close()
    #expect(try !cli.run("info", "notes.json").output.contains("open in"))
    let alone = try Self.open(cli.url("notes.json"), .exclusive)
    #expect(try cli.run("info", "notes.json").output.contains(" (process \(process)), exclusively since 20"))
    try await alone.close()
    #expect(try !cli.run("info", "notes.json", "--json").output.contains("users"))
  }

  /// A person at a terminal is told whom a command waits for.
  @Test(arguments: [
    ["set", "notes.json", "notes", "1001", "text=Set"], ["fold", "notes.json"], ["migrate", "notes.json"],
    ["restore", "set.json", "notes.json", "--force"], ["dump", "set.json", "--output", "notes.json", "--force"],
    ["generations", "notes.json", "restore", "1"],
    ["merge", "base.json", "notes.json", "set.json", "--output", "notes.json"],
  ])
  func waitingNamesTheOther(_ command: [String]) async throws {
    try await store.close()
    for arguments in [
      ["set", "notes.json", "notes", "1001", "text=Set"], ["dump", "notes.json", "--output", "set.json"],
      ["set", "notes.json", "notes", "1001", "text=First"], ["dump", "notes.json", "--output", "base.json"],
    ] {
      try run(arguments)
    }
    let alone = try Self.open(cli.url("notes.json"), .exclusive)
    let process = ProcessInfo.processInfo.processIdentifier
    var isClosed = false
    let result = try Pseudoterminal.run(CLI.tool, command, in: cli.folder, environment: ["TERM": "dumb"]) { text, _ in
      guard !isClosed, text.contains("has the file open for writing; waiting up to 30 seconds for it") else { return }
      isClosed = true
      #expect(text.contains("(process \(process))"))
      try alone.closeAndWait()
    }
    #expect(isClosed && result.status == Exit.good, "\(result.text)")
  }

  /// A file that would be refused anyway is not waited for.
  @Test(arguments: [["dump", "other.json", "--output", "notes.json"], ["restore", "other.json", "notes.json"]])
  func aFileThatIsThereIsRefusedAtOnce(_ command: [String]) async throws {
    try await store.close()
    try run(["add", "Another", "--store", "other.json"])
    let alone = try Self.open(cli.url("notes.json"), .exclusive)
    let result = try cli.run(command)
    #expect(result.status == Exit.cannotCreate && result.error.contains("--force replaces it"), "\(result.error)")
    try await alone.close()
  }

  /// It reads without a permission to write, makes nothing, and says what it cannot read.
  @Test func infoChangesNothing() async throws {
    try await store.close()
    for command in [["info", "notes.json"], ["info", "notes.json", "--json"]] {
      #expect(try cli.run(command).error.isEmpty)
      #expect(!cli.exists(".notes.json.lock"))
    }
    try cli.write("a note of mine", to: ".notes.json.lock")
    #expect(try cli.run("info", "notes.json").status == Exit.good)
    #expect(try cli.text(".notes.json.lock") == "a note of mine")
    // Whatever the file says reaches the terminal as text.
    let name = "\u{1B}[2K\u{202E}x"
    let line = "Open: \(name) (process \(ProcessInfo.processInfo.processIdentifier)) since 2026-11-24T07:40:00Z, shared"
    let lines = ["SnapshotStore lock: ", "Saves: -", line].map {
      $0 + String(repeating: " ", count: 255 - $0.utf8.count)
    }
    try cli.write(lines.joined(separator: "\n") + "\n", to: ".notes.json.lock")
    for command in [["info", "notes.json"], ["info", "notes.json", "--json"]] {
      let result = try cli.run(command)
      #expect(result.output.contains("x") && !result.output.contains("\u{1B}"), "\(result.output)")
    }
  }
}
