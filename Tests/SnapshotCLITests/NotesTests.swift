import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// The daily work on notes, and the demo.
@Suite struct NotesTests {
  let cli: CLI

  init() throws { cli = try CLI() }

  private func add(_ text: String, _ tags: String...) throws -> String {
    let result = try cli.run(["add", text, "--store", "n.json"] + tags.flatMap { ["--tag", $0] })
    #expect(result.status == Exit.good)
    return result.output.trimmingCharacters(in: .newlines)
  }

  private func notebook() throws -> Notebook {
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("n.json"))
    #expect(notebook.allViolations() == [])
    return notebook
  }

  /// A date that has no day in the file.
  @Test func farDays() throws {
    var notebook = Notebook()
    for (id, seconds) in [(1, 252_423_993_600.0), (2, -63_113_904_001), (3, 252_423_993_599.5), (4, 0), (5, -0.0)] {
      try notebook.upsert(
        Note(id: Int64(id), text: "far", creationDate: Date(timeIntervalSinceReferenceDate: seconds)))
    }
    try Data(SnapshotFile.encode(notebook, as: .json)).write(to: cli.url("n.json"))
    let days = try cli.run("list", "--store", "n.json").output.split(separator: "\n").map { $0.dropFirst(3).prefix(10) }
    #expect(days == ["after 9999", "9999-12-31", "2001-01-01", "2001-01-01", "before 1  "])
  }

  @Test func addListShow() throws {
    let id = try add("Title here\nand more: www.example.com", "New  York", "b")
    let list = try cli.run("list", "--store", "n.json")
    #expect(list.output.hasPrefix(id + "  2"))
    #expect(list.output.hasSuffix("Title here  #New York #b\n"))
    #expect(!list.output.contains("\u{1B}"))
    #expect(try cli.run("show", id, "--store", "n.json").output == "Title here\nand more: www.example.com\n")
    let json = try cli.run("show", id, "--json", "--store", "n.json").output
    #expect(json.contains("\"title\":\"Title here\",\"links\":[\"www.example.com\"]"))
    #expect(try cli.run("list", "--json", "--store", "n.json").output == "[\n\(json)]\n")
  }

  @Test func listIsNewestFirstAndActiveOnly() throws {
    try cli.makeStore("n.json")
    let id = try add("Newest")
    let lines = try cli.run("list", "--store", "n.json").output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix(id))
    #expect(lines[1].hasPrefix("1001 "))
  }

  @Test func archivedNotesOfATag() throws {
    let (a, b) = (try add("a", "T"), try add("b", "T"))
    try cli.run("archive", a, "--store", "n.json")
    func list(_ options: String...) throws -> String {
      try cli.run(["list", "--tag", "t", "--store", "n.json"] + options).output
    }
    #expect(try list().hasPrefix(b) && list().hasSuffix("b  #T\n"))
    #expect(try list("--archived").hasPrefix(a) && list("--archived").hasSuffix("a  #T  (archived)\n"))
    #expect(try list("--all").split(separator: "\n").count == 2)
    #expect(try cli.run("list", "--tag", "t", "--untagged", "--store", "n.json").status == Exit.usage)
  }

  /// The path may be mistyped.
  @Test func aPersonIsToldOfANewStore() throws {
    func add() throws -> String {
      try Pseudoterminal.run(CLI.tool, ["add", "A note", "--store", "n.json"], in: cli.folder, environment: [:]).text
    }
    #expect(try add().contains("n.json is a new store\r\n"))
    #expect(try !add().contains("new store"))
  }

  /// A store that was moved away by mistake must not be replaced by an empty one, as long as a generation can be
  /// restored.
  @Test func aStoreThatHasVanishedIsNotBegunAnew() throws {
    _ = try add("first")
    _ = try add("second")
    let before = try cli.bytes("n.json")
    try FileManager.default.removeItem(at: cli.url("n.json"))
    for (command, status) in [(["add", "third"], Exit.cannotCreate), (["list"], Exit.noInput)] {
      let result = try cli.run(command + ["--store", "n.json"])
      #expect(result.status == status)
      #expect(result.error.contains("generations n.json restore 1"))
    }
    try cli.write(#"{"text":"third"}"#, to: "x.ndjson")
    for options in [[], ["--dry-run"]] {
      let result = try cli.run(["import", "ndjson", "x.ndjson", "n.json"] + options)
      #expect(result.status != Exit.good && result.error.contains("generations n.json restore 1"))
    }
    #expect(!cli.exists("n.json"))
    try cli.run("generations", "n.json", "restore", "1")
    #expect(try notebook().notes.map(\.text) == ["first"])
    #expect(try cli.bytes("n.json") != before)
  }

  @Test func aStoreIsAFile() throws {
    let result = try cli.run("add", "x", "--store", "-")
    #expect(result.status == Exit.usage && result.error.contains("must be a file"))
    #expect(!cli.exists("-"))
  }

  @Test func theStoreMayComeFromTheEnvironment() throws {
    let environment = ["SNAPSHOT_STORE": "env.json"]
    #expect(try cli.run("add", "x", environment: environment).status == Exit.good)
    #expect(try cli.run("list", environment: environment).output.contains("x\n"))
    #expect(try cli.run("list", "--store", "other.json", environment: environment).status == Exit.noInput)
  }

  @Test func addFromStandardInput() throws {
    let result = try cli.run("add", "-", "--store", "n.json", input: "From a pipe\nline 2\n")
    #expect(result.status == Exit.good)
    #expect(try notebook().notes.first?.text == "From a pipe\nline 2\n")
  }

  @Test func archiveAndBack() throws {
    let (a, b) = (try add("a"), try add("b"))
    #expect(try cli.run("archive", a, b, "--store", "n.json").status == Exit.good)
    #expect(try notebook().notes.allSatisfy(\.archived))
    #expect(try cli.run("list", "--store", "n.json").output.isEmpty)
    #expect(try cli.run("list", "--archived", "--store", "n.json").output.split(separator: "\n").count == 2)
    #expect(try cli.run("unarchive", b, "--store", "n.json").status == Exit.good)
    #expect(try notebook().notes.filter { !$0.archived }.map { "\($0.id)" } == [b])
  }

  @Test func tagAndUntag() throws {
    let id = try add("a", "One")
    #expect(try cli.run("tag", id, "Two", "one", "THREE", "--store", "n.json").status == Exit.good)
    #expect(try notebook().notes.first?.tags == ["one", "two", "three"])
    #expect(try cli.run("untag", id, "ONE", "never", "--store", "n.json").status == Exit.good)
    #expect(try notebook().notes.first?.tags == ["two", "three"])
    #expect(try cli.run("tags", "--store", "n.json").output == "0  One\n1  THREE\n1  Two\n")
    let json = try cli.run("tags", "--json", "--store", "n.json").output
    #expect(json.hasPrefix("[\n{\"id\":\"one\",\"name\":\"One\",\"notes\":0},\n"))
    #expect(try cli.run("tag", id, " ", "--store", "n.json").status == Exit.badData)
  }

  @Test func deleteIsAllOrNothing() throws {
    let (a, b) = (try add("a"), try add("b"))
    let before = try cli.bytes("n.json")
    let refused = try cli.run("delete", a, "77", b, "--store", "n.json")
    #expect(refused.status == Exit.noInput)
    #expect(refused.error == "snapshot-cli: there is no note with id 77\n")
    #expect(try cli.bytes("n.json") == before)
    #expect(try cli.run("delete", a, b, "--store", "n.json").status == Exit.good)
    #expect(try notebook().notes.isEmpty)
    #expect(try notebook().deletedNotes.count == 2)
  }

  /// Every acknowledged note is there, although the processes read and write the same file at the same time.
  @Test func processesThatAddAtOnceLoseNothing() throws {
    for round in 0..<5 {
      let processes = try (0..<4).map {
        try cli.start("add", "note \(round) \($0)", "--tag", "Race", "--store", "n.json")
      }
      for process in processes { process.waitUntilExit() }
      #expect(processes.allSatisfy { $0.terminationStatus == Exit.good })
    }
    #expect(try notebook().notes.count == 20)
    #expect(try notebook().tags.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cli.folder.path).filter { $0.hasSuffix(".tmp") } == [])
  }

  @Test func anEmptyNoteIsNotAdded() throws {
    #expect(try cli.run("add", "", "--store", "n.json").status == Exit.usage)
    #expect(try cli.run("add", "-", "--store", "n.json", input: " \n").status == Exit.usage)
    #expect(!cli.exists("n.json"))
  }

  @Test func commandsThatChangeDoNotMakeAStore() throws {
    for command in ["delete", "archive", "unarchive", "show"] {
      #expect(try cli.run(command, "1", "--store", "n.json").status == Exit.noInput)
    }
    #expect(try cli.run("tag", "1", "x", "--store", "n.json").status == Exit.noInput)
    #expect(!cli.exists("n.json"))
  }

  @Test func aPipeGetsTheTextAsItIs() throws {
    let text = "red \u{1B}[31m, bidi \u{202E}, bell \u{07}\n"
    #expect(try cli.run("add", "-", "--store", "n.json", input: text).status == Exit.good)
    let id = try #require(try notebook().notes.first?.id)
    #expect(try cli.run("show", "\(id)", "--store", "n.json").output == text)
    // A title in a list is escaped.
    #expect(try cli.run("list", "--store", "n.json").output.contains("red \\u{1B}[31m, bidi \\u{202E}, bell \\u{7}"))
  }

  @Test func demoProvesThatNothingIsLost() throws {
    let result = try cli.run("demo", "--changes", "40")
    #expect(result.status == Exit.good)
    #expect(!result.output.contains("FAILED"))
    #expect(result.output.contains("ok     binary"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: cli.folder.path).allSatisfy { $0.hasPrefix(".") })
  }

  /// Apart from the path of the file, which has to be whole.
  @Test func demoFitsIntoATerminal() throws {
    let result = try Pseudoterminal.run(
      CLI.tool, ["demo", "--changes", "40"], in: cli.folder,
      environment: ["PATH": "/usr/bin:/bin", "TMPDIR": cli.folder.path, "TERM": "dumb"], columns: 80)
    #expect(result.status == Exit.good)
    let lines = result.text.replacing("\r\n", with: "\n").split(separator: "\n").filter { !$0.hasPrefix("   /") }
    #expect(lines.count > 20 && lines.filter { $0.count > 80 } == [])
  }

  @Test func demoLeavesTheStoreThatItWasGiven() throws {
    #expect(try cli.run("demo", "n.plist", "--changes", "10").status == Exit.good)
    #expect(try cli.run("check", "n.plist").status == Exit.good)
    #expect(try cli.run("demo", "n.plist").status == Exit.cannotCreate)
  }
}
