import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// Naming notes by the beginning of an id, and by a place of the last list.
@Suite struct NoteChoiceTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    let notes = [(731, "small"), (731_640_023, "first"), (731_649_999, "second"), (731_7, "third")]
    var notebook = Notebook()
    for (id, text) in notes { try notebook.upsert(Note(id: Note.ID(id), text: text, creationDate: date(id))) }
    try SnapshotFile.create(notebook, as: .json, at: cli.url("n.json"))
  }

  private func date(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number % 1000)) }

  private func run(_ arguments: String...) throws -> CLI.Result {
    try cli.run(
      arguments, environment: ["XDG_RUNTIME_DIR": cli.folder.path, "SNAPSHOT_STORE": cli.url("n.json").path])
  }

  /// Lists notes on a terminal, and returns the lines.
  private func show(_ arguments: String...) throws -> [Substring] {
    let result = try Pseudoterminal.run(
      CLI.tool, arguments, in: cli.folder,
      environment: ["XDG_RUNTIME_DIR": cli.folder.path, "SNAPSHOT_STORE": cli.url("n.json").path, "TERM": "dumb"])
    return result.text.split(whereSeparator: \.isNewline)
  }

  @Test func theBeginningOfAnIDNamesTheNote() throws {
    #expect(try run("show", "73164002").output == "first\n")
    #expect(try run("show", "731649").output == "second\n")
    #expect(try run("show", "7317").output == "third\n")
  }

  @Test func aWholeIDCountsFirst() throws {
    #expect(try run("show", "731").output == "small\n")
    // Three digits are too few for a beginning.
    #expect(try run("show", "732").status == Exit.noInput)
  }

  @Test func aBeginningOfSeveralIDsNamesNone() throws {
    let result = try run("delete", "73164")
    #expect(result.status == Exit.usage)
    #expect(result.error.contains("several notes have an id that begins with 73164"))
    #expect(result.error.contains("731640023  first") && result.error.contains("731649999  second"))
    #expect(try run("list").output.split(separator: "\n").count == 4)
  }

  @Test(arguments: ["", "x", "-1", "+731", "7e3", "@", "@0", "@-1", "@x", "99999999999999999999"])
  func aTextThatCanNameNoNoteIsWrongUsage(text: String) throws {
    let result = try run("show", "--", text)
    #expect(result.status == Exit.usage)
    #expect(result.error.contains("is not the id of a note"))
  }

  @Test func aPlaceIsThatOfTheLastList() throws {
    #expect(try run("show", "@1").error.contains("there was no list in this terminal yet"))
    let lines = try show("list")
    #expect(lines.count == 4 && lines[1].hasPrefix("@2 "))
    #expect(try run("show", "@2").output == lines[1].split(separator: " ").last.map { "\($0)\n" })
    #expect(try show("search", "third").count == 1)
    #expect(try run("show", "@1").output == "third\n")
    // An empty list leaves the places that are on the screen. A list for a program has none.
    #expect(try show("search", "nothing") == [])
    #expect(try run("list").output.contains("@") == false)
    #expect(try run("show", "@1").output == "third\n")
    #expect(try run("show", "@2").error.contains("the last list had 1 note"))
  }

  @Test func aNoteThatIsGoneIsNotReplacedByItsNeighbour() throws {
    _ = try show("search", "third")
    #expect(try run("delete", "@1").status == Exit.good)
    let result = try run("delete", "@1")
    #expect(result.status == Exit.noInput)
    #expect(result.error.contains("@1 of the last list was note 7317, which is not there any more"))
  }

  @Test func aListOfAnotherStoreNamesNothingHere() throws {
    _ = try show("list")
    try FileManager.default.copyItem(at: cli.url("n.json"), to: cli.url("other.json"))
    let result = try run("show", "@1", "--store", cli.url("other.json").path)
    #expect(result.status == Exit.usage)
    #expect(result.error.contains("another store") && result.error.contains("n.json"))
  }

  /// A place would otherwise name a note of the list before it.
  @Test func aListThatCannotBeKeptHasNoPlaces() throws {
    _ = try show("list")
    // A name that is taken by a folder stands for any reason why a file cannot be written.
    let file = try #require(try FileManager.default.contentsOfDirectory(atPath: cli.url("snapshot-cli").path).first)
    try FileManager.default.removeItem(at: cli.url("snapshot-cli/\(file)"))
    let inner = cli.url("snapshot-cli/\(file)/inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    #expect(try show("search", "third").map { $0.contains("@") } == [false])
    #expect(try run("delete", "@1").error.contains("there was no list in this terminal yet"))
    #expect(FileManager.default.fileExists(atPath: inner.path))
  }

  @Test func aListFromElsewhereIsNotRead() throws {
    _ = try show("list")
    let file = try #require(try FileManager.default.contentsOfDirectory(atPath: cli.url("snapshot-cli").path).first)
    #expect(truncate(cli.url("snapshot-cli/\(file)").path, 1 << 40) == 0)
    #expect(try run("show", "@1").error.contains("there was no list in this terminal yet"))
  }

  @Test func onlyTheUserCanReadTheLastList() throws {
    _ = try show("list")
    let folder = cli.url("snapshot-cli").path
    let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }
}
