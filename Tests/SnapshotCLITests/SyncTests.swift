import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// Two copies of a store are synced.
@Suite struct SyncTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.makeStore()
    try FileManager.default.copyItem(at: cli.url("notes.json"), to: cli.url("other.json"))
  }

  private func notebook(_ name: String) throws -> Notebook { try SnapshotFile.read(at: cli.url(name)) }

  /// Both sides change, one file goes out, and both reach the same content.
  @Test func thereAndBack() throws {
    let mine = try cli.run("add", "Mine", "--tag", "Fresh", "--store", "notes.json").output
    try cli.run("archive", "1001", "--store", "notes.json")
    try cli.run("delete", "1002", "--store", "other.json")
    let theirs = try cli.run("add", "Theirs", "--store", "other.json").output
    let result = try cli.run("sync", "notes.json", "other.json", "--outgoing", "out.json")
    #expect(result.status == Exit.good)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "+ note \(theirs.trimmingCharacters(in: .newlines))  Theirs", "- note 1002  Second",
        "= note 1001  First", "added 1 note, deleted 1 note, kept 1 note",
      ])
    let outgoing = try SyncContent(reading: Array(cli.bytes("out.json")))
    var received = Notebook()
    try received.merge(outgoing)
    #expect(received.notes.ids == [1001, try #require(Note.ID(mine.trimmingCharacters(in: .newlines)))].sorted())
    #expect(try cli.run("sync", "other.json", "out.json").status == Exit.good)
    #expect(try notebook("notes.json").hasSameRecords(as: notebook("other.json")))
    #expect(try notebook("notes.json").notes.count == 3)
    #expect(try notebook("notes.json").allViolations() == [])
  }

  /// A change by a record command is an edit, and newer than an untouched copy.
  @Test func whatSetHasChangedStays() throws {
    #expect(try cli.run("set", "notes.json", "notes", "1001", "text=Short").status == Exit.good)
    let note = try cli.run("get", "other.json", "notes", "1002").output.replacing("Second", with: "Put")
    #expect(try cli.run(["put", "notes.json", "notes"], input: note).status == Exit.good)
    #expect(try cli.run("sync", "notes.json", "other.json").status == Exit.good)
    #expect(try notebook("notes.json").notes[1001]?.text == "Short")
    #expect(try notebook("notes.json").notes[1002]?.text == "Put")
  }

  /// A date that a person gives is the date.
  @Test func aGivenDateStays() throws {
    try cli.run(
      "set", "notes.json", "notes", "1001", "text=Old", "textModificationDate=2001-01-02T00:00:00Z", "--force")
    let note = try #require(try notebook("notes.json").notes[1001])
    #expect(note.text == "Old" && note.textModificationDate == Date(timeIntervalSinceReferenceDate: 86_400))
  }

  /// A restored generation is an edit too.
  @Test func whatAGenerationBringsBackStays() throws {
    try cli.run("delete", "1001", "--store", "notes.json")
    try FileManager.default.copyItem(at: cli.url("notes.json"), to: cli.url("deleted.json"))
    try cli.run("delete", "1002", "--store", "notes.json")
    #expect(try cli.run("generations", "notes.json", "restore", "1").status == Exit.good)
    #expect(try notebook("notes.json").notes[1001] != nil)
    #expect(try cli.run("sync", "notes.json", "deleted.json").status == Exit.good)
    #expect(try notebook("notes.json").notes[1001] != nil)
    #expect(try notebook("notes.json").allViolations() == [])
  }

  @Test func aSecondRunChangesNothing() throws {
    try cli.run("add", "Theirs", "--store", "other.json")
    try cli.run("sync", "notes.json", "other.json", "--outgoing", "out.json")
    let before = try ["notes.json", "out.json"].map { try cli.bytes($0) }
    let second = try cli.run("sync", "notes.json", "other.json", "--outgoing", "out.json")
    #expect(second.status == Exit.good)
    #expect(second.output == "nothing to merge\n")
    #expect(try ["notes.json", "out.json"].map { try cli.bytes($0) } == before)
    // Content that Vesper wrote, and that was imported, is not new either, and nothing goes out to it.
    let vesper = try cli.run("sync", "other.json", "vesper.json", "-o", "-")
    #expect(vesper.status == Exit.good)
    #expect(vesper.error == "nothing to merge\n")
    #expect(vesper.output.contains("Theirs") && !vesper.output.contains("First"))
    #expect(try notebook("other.json").notes.count == 3)
  }

  @Test func policiesAndDryRun() throws {
    let before = try cli.bytes("notes.json")
    try cli.run("delete", "1001", "--store", "other.json")
    let dry = try cli.run("sync", "notes.json", "other.json", "--dry-run", "--outgoing", "out.json")
    #expect(dry.status == Exit.good)
    #expect(dry.output == "- note 1001  First\ndeleted 1 note\n")
    #expect(try cli.bytes("notes.json") == before)
    #expect(!cli.exists("out.json"))
    let local = try cli.run("sync", "notes.json", "other.json", "--policy", "local", "--outgoing", "-")
    #expect(local.error == "= note 1001  First\nkept 1 note\n")
    #expect(local.output.contains("{\"noteID\":1001,"))
    #expect(try notebook("notes.json").notes.count == 2)
    #expect(
      try cli.run("sync", "other.json", "notes.json", "--policy=incoming").output.contains("* note 1001  First\n"))
    #expect(try notebook("other.json").notes.count == 2)
    let text = try cli.text("vesper.json")
    #expect(try cli.run(["sync", "notes.json", "-"], input: text).status == Exit.good)
  }

  @Test func badInputChangesNothing() throws {
    let before = try cli.bytes("notes.json")
    let sound = #"{"noteID":5,"text":"sound","creationDate":"2020-01-01T00:00:00Z"}"#
    try cli.write("{\"notes\":[\(sound),{\"noteID\":\"6\"}]}", to: "bad.json")
    try cli.write("{\"notes\":[\(sound)]}", to: "good.json")
    let bad = try cli.run("sync", "notes.json", "bad.json", "--outgoing", "out.json")
    #expect(bad.status == Exit.badData)
    #expect(bad.error.contains("bad.json:1:") && bad.error.contains("notes[1].noteID"))
    #expect(try cli.run("sync", "notes.json", "nothing.json").status == Exit.noInput)
    #expect(try cli.run("sync", "nothing.json", "good.json").status == Exit.noInput)
    #expect(!cli.exists("nothing.json"))
    #expect(try cli.run("sync", "notes.json", "good.json", "--policy", "best").status == Exit.usage)
    #expect(try cli.run("sync", "notes.json").status == Exit.usage)
    #expect(try cli.run("sync", "notes.json", "good.json", "-o", "./notes.json").status == Exit.usage)
    #expect(!cli.exists("out.json"))
    #expect(try cli.bytes("notes.json") == before)
  }

  /// A file of another kind is not replaced at all.
  @Test func otherFilesAreNotReplaced() throws {
    let before = try cli.bytes("notes.json")
    try cli.write("important", to: "important.txt")
    for target in ["important.txt", "other.json"] {
      let bytes = try cli.bytes(target)
      let result = try cli.run("sync", "notes.json", "vesper.json", "--outgoing", target)
      #expect(result.status == Exit.cannotCreate)
      #expect(result.error.contains("the file exists, with other content"))
      #expect(try cli.bytes(target) == bytes)
    }
    try FileManager.default.createSymbolicLink(
      atPath: cli.url("link.json").path, withDestinationPath: cli.url("vesper.json").path)
    for target in ["vesper.json", "./vesper.json", "link.json"] {
      let bytes = try cli.bytes("vesper.json")
      #expect(try cli.run("sync", "notes.json", "vesper.json", "--outgoing", target).status == Exit.usage)
      #expect(try cli.bytes("vesper.json") == bytes)
    }
    #expect(try cli.bytes("notes.json") == before)
  }

  /// Content that is only in the file, or newer in the store, is kept beside it.
  @Test func whatWasInTheFileIsNotLost() throws {
    let older = #"{"notes":[{"noteID":1001,"text":"Older","textModificationDate":"2001-01-01T00:00:00Z"}]}"#
    let unknown = #"{"notes":[{"noteID":5,"text":"only here"}]}"#
    let names = ["out.json.previous", "out.json.previous-3"]
    try cli.write("somebody's", to: "out.json.previous-2")
    for (text, name) in zip([older, unknown], names) {
      try cli.write(text, to: "out.json")
      let result = try cli.run("sync", "notes.json", "vesper.json", "--outgoing", "out.json")
      #expect(result.status == Exit.good)
      #expect(result.error == "snapshot-cli: the old out.json stays as \(name)\n")
      #expect(try cli.text(name) == text)
      #expect(try cli.text("out.json") != text)
    }
    #expect(try cli.text("out.json.previous-2") == "somebody's")
    // A file is not kept if the store has the same content, or if it is empty.
    for bytes in [Array(try notebook("notes.json").vesperJSON()), []] {
      try Data(bytes).write(to: cli.url("out.json"))
      let result = try cli.run("sync", "notes.json", "vesper.json", "--outgoing", "out.json")
      #expect(result.status == Exit.good)
      #expect(result.error.isEmpty)
    }
    #expect(!cli.exists("out.json.previous-4"))
  }

  /// Vesper gives no date for a deletion.
  @Test func deletionsWithoutADate() throws {
    let id = try cli.run("add", "Mine", "--store", "notes.json").output.trimmingCharacters(in: .newlines)
    let deletions = ["1001", id].map { "{\"objectType\":\"deletedNote\",\"uniqueID\":\($0)}" }
    try cli.write("{\"notes\":[\(deletions.joined(separator: ","))]}", to: "deleted.json")
    let result = try cli.run("sync", "notes.json", "deleted.json")
    #expect(result.status == Exit.good)
    #expect(result.output == "- note 1001  First\n! note \(id)  Mine\ndeleted 1 note, ignored 1 deletion\n")
    #expect(result.error.contains("--policy incoming follows them"))
    let followed = try cli.run("sync", "notes.json", "deleted.json", "--policy", "incoming")
    #expect(followed.output == "- note \(id)  Mine\ndeleted 1 note\n" && followed.error.isEmpty)
  }
}
