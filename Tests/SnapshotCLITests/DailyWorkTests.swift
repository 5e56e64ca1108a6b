import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore
import Testing

@testable import snapshot_cli

/// What makes the work at a terminal easy: texts without quotes, orders and days of lists, copies, and deleted notes.
@Suite struct DailyWorkTests {
  let cli: CLI

  init() throws { cli = try CLI() }

  @discardableResult
  private func run(_ arguments: String..., input: String = "", editor: String = "") throws -> CLI.Result {
    try cli.run(
      arguments, input: input,
      environment: ["SNAPSHOT_STORE": "n.json", "EDITOR": editor, "XDG_RUNTIME_DIR": cli.folder.path])
  }

  private func notebook() throws -> Notebook {
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("n.json"))
    #expect(notebook.allViolations() == [])
    return notebook
  }

  private func add(_ words: String...) throws -> String {
    let result = try cli.run(["add"] + words, environment: ["SNAPSHOT_STORE": "n.json"])
    #expect(result.status == Exit.good, "\(result.error)")
    return result.output.trimmingCharacters(in: .newlines)
  }

  // MARK: Adding

  @Test func aTextNeedsNoQuotes() throws {
    _ = try add("Buy", "milk", "and", "bread", "--tag", "Errands")
    #expect(try notebook().notes.map(\.text) == ["Buy milk and bread"])
  }

  @Test func aTextMayComeFromAPipe() throws {
    #expect(try run("add", "--tag", "T", input: "two\nlines\n").status == Exit.good)
    #expect(try notebook().notes.map(\.text) == ["two\nlines\n"])
    let result = try run("add", input: " \n")
    #expect(result.status == Exit.usage && result.error.contains("the note is empty"))
  }

  @Test func withoutATextAnEditorOpens() throws {
    try cli.write("printf 'from the editor\\n' >\"$1\"", to: "editor.sh")
    // `script` gives the tool a terminal as its standard input.
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/script") else { return }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/script")
    process.arguments = ["-qec", "\(CLI.tool.path) add --store n.json", "/dev/null"]
    process.currentDirectoryURL = cli.folder
    process.environment = ["PATH": "/usr/bin:/bin", "EDITOR": "sh editor.sh", "TMPDIR": cli.folder.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(try notebook().notes.map(\.text) == ["from the editor"])
  }

  // MARK: Lists

  private func makeOrdered() throws {
    var notebook = Notebook()
    for (id, text, created, changed) in [(1, "beta", 20, 21), (2, "Álpha", 10, 40), (3, "gamma", 30, 30)] {
      let day = { (number: Int) in Date(timeIntervalSinceReferenceDate: Double(number) * 86_400 + 3600) }
      var note = Note(id: Note.ID(id), text: "", creationDate: day(created))
      note.setText(text, at: day(changed))
      try notebook.upsert(note)
    }
    try SnapshotFile.create(notebook, as: .json, at: cli.url("n.json"))
  }

  private func ids(_ options: String...) throws -> [String] {
    let result = try cli.run(["list"] + options, environment: ["SNAPSHOT_STORE": "n.json"])
    #expect(result.status == Exit.good, "\(result.error)")
    return result.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  @Test func listsHaveOrders() throws {
    try makeOrdered()
    #expect(try ids() == ["3", "1", "2"])
    #expect(try ids("--reverse") == ["2", "1", "3"])
    #expect(try ids("--sort", "changed") == ["2", "3", "1"])
    #expect(try ids("--sort", "created", "--reverse", "-n", "2") == ["2", "1"])
    #expect(try ids("--sort=title", "-n2") == ["2", "1"])
    #expect(try ids("-n", "1") == ["3"])
    #expect(try run("list", "--sort", "titel").error.contains("did you mean “title”"))
  }

  @Test func listsHaveDays() throws {
    try makeOrdered()
    // The notes are of 11, 21 and 31 January 2001.
    #expect(try ids("--since", "2001-01-21") == ["3", "1"])
    #expect(try ids("--until", "2001-01-21") == ["1", "2"])
    #expect(try ids("--since", "2001-01-12", "--until", "2001-01-30") == ["1"])
    for day in ["2001-1-1", "2001-02-30", "today", ""] {
      #expect(try run("list", "--since=\(day)").error.contains("--since needs a day such as 2026-01-31"))
    }
  }

  /// Every line fits, also with wide characters and many tags; a pipe gets all of it.
  @Test(arguments: [40, 80]) func linesFitTheTerminal(columns: Int) throws {
    _ = try add("日本語のメモ とても長いタイトルがここにありますので切られるはずです", "--tag", "短い")
    _ = try add(String(repeating: "long ", count: 60), "--tag", "a tag with a very long name that does not fit")
    _ = try add("short", "--tag", "x")
    let shown = try Pseudoterminal.run(
      CLI.tool, ["list", "n.json"], in: cli.folder,
      environment: ["PATH": "/usr/bin:/bin", "TERM": "dumb", "XDG_RUNTIME_DIR": cli.folder.path], columns: columns)
    let lines = shown.text.split(whereSeparator: \.isNewline)
    #expect(lines.count == 3)
    for line in lines {
      let width = line.unicodeScalars.reduce(0) { $0 + ((0x2E80...0xFF60).contains($1.value) ? 2 : 1) }
      #expect(width <= columns, "\(line)")
      #expect(line.hasPrefix("@"))
    }
    #expect(lines[1].contains("…") && lines[2].contains("…") && lines[0].hasSuffix("short  #x"))
    #expect(try run("list").output.contains("切られるはずです"))
    let long = String(repeating: "long ", count: 60)
    #expect(try run("list").output.contains(long.dropLast() + "  #a tag with a very long name that does not fit"))
  }

  // MARK: Copies

  @Test func aCopyHasTagsAndAttachments() throws {
    try cli.makeStore("n.json")
    let before = try notebook()
    let note = try #require(before.notes.first { !$0.attachments.isEmpty })
    let result = try run("duplicate", "\(note.id)")
    let id = try #require(Note.ID(result.output.dropLast()))
    let copy = try #require(try notebook().notes[id])
    #expect(copy.text == note.text && copy.tags == note.tags && copy.attachments == note.attachments)
    #expect(copy.id != note.id && !copy.archived)
    #expect(try run("duplicate", "\(note.id)", "9999").status == Exit.noInput)
    #expect(try notebook().notes.count == before.notes.count + 1)
  }

  // MARK: Deleted notes

  @Test func aDeletedNoteComesBack() throws {
    try cli.makeStore("n.json")
    let before = try notebook()
    let note = try #require(before.notes.first { !$0.attachments.isEmpty })
    try run("delete", "\(note.id)")
    try run("tags", "sweep")
    #expect(try notebook().notes[note.id] == nil)
    let list = try run("undelete").output
    #expect(list.hasPrefix("\(note.id) ") && list.contains("#"))
    #expect(try run("undelete", "\(note.id)").status == Exit.good)
    let after = try notebook()
    let back = try #require(after.notes[note.id])
    #expect(back.text == note.text && back.tags == note.tags && back.attachments == note.attachments)
    #expect(!after.deletedNotes.contains(note.id))
    #expect(try run("undelete").output == "")
    #expect(try run("undelete", "\(note.id)").status == Exit.noInput)
  }

  /// The saves of an hour keep one version only. A note that is younger is kept by `delete` itself.
  @Test func aNoteThatWasJustAddedComesBack() throws {
    _ = try add("first")
    let id = try add("second")
    try run("delete", id)
    #expect(try run("undelete", id).status == Exit.good)
    #expect(try notebook().notes.map(\.text).sorted() == ["first", "second"])
  }

  /// A version for each deletion would fill the disk.
  @Test func deletionsShareOneOlderVersion() throws {
    let ids = try (1...5).map { try add("note \($0)") }
    for id in ids { try run("delete", id) }
    #expect(try SnapshotFile.generations(of: cli.url("n.json")).count == 2)
    for id in ids { #expect(try run("undelete", id).status == Exit.good) }
    #expect(try notebook().notes.count == 5)
  }

  /// A user waits for completions, which read all of them.
  @Test func olderVersionsBeyondALimitAreNotRead() throws {
    try run("delete", try add("gone"))
    let session = try StoreSession<Notebook>(path: cli.url("n.json").path)
    let current = try session.read()
    #expect(try DeletedNotes(of: session, current: current).notes.map(\.text) == ["gone"])
    #expect(try DeletedNotes(of: session, current: current, sizeLimit: 10).notes.isEmpty)
  }

  @Test func aChangedNoteComesBackAsItWas() throws {
    let id = try add("old")
    try run("delete", id)
    try run("undelete", id)
    try cli.write("printf 'new\\n' >\"$1\"", to: "editor.sh")
    #expect(try run("edit", id, editor: "sh editor.sh").status == Exit.good)
    try run("delete", id)
    try run("undelete", id)
    #expect(try notebook().notes.map(\.text) == ["new"])
  }
}
