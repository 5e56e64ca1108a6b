import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// `edit`, with small shell scripts as editors: no text is lost, and nothing is overwritten unseen.
@Suite struct EditTests {
  let cli: CLI
  let id: String

  init() throws {
    cli = try CLI()
    let added = try cli.run("add", "First line\nsecond", "--tag", "A", "--store", "n.json")
    id = added.output.trimmingCharacters(in: .newlines)
  }

  /// Runs `edit` with a script as the editor. The script gets the file as `$1`.
  private func edit(_ script: String, arguments: String = "", variable: String = "EDITOR") throws -> CLI.Result {
    try cli.write("#!/bin/sh\n" + script, to: "editor.sh")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: cli.url("editor.sh").path)
    return try cli.run(
      "edit", id, "--store", "n.json",
      environment: [variable: "./editor.sh\(arguments)", "TOOL": CLI.tool.path, "ID": id])
  }

  private func note() throws -> Note {
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("n.json"))
    #expect(notebook.allViolations() == [])
    return try #require(notebook.notes.first)
  }

  /// The folders of kept texts.
  private func kept() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: cli.folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasPrefix("snapshot-cli-") }
  }

  /// The text in the file that an error names.
  private func keptText(_ result: CLI.Result) throws -> String {
    let path = try #require(result.error.split(separator: "\n").last?.split(separator: "your text is in ").last)
    #expect(try kept().count == 1)
    return try String(contentsOfFile: String(path), encoding: .utf8)
  }

  @Test func theTextIsChangedAndNothingElse() throws {
    let before = try note()
    let result = try edit("printf 'Third\\n' >> \"$1\"")
    #expect(result.status == Exit.good && result.output.isEmpty && result.error.isEmpty)
    let note = try note()
    #expect(note.text == "First line\nsecond\nThird")
    #expect(note.textModificationDate == note.modificationDate && note.modificationDate > before.modificationDate)
    #expect(note.tags == before.tags && note.sortDate == before.sortDate)
    #expect(note.tagsModificationDate == before.tagsModificationDate)
    #expect(try kept() == [])
  }

  /// Editors end a file with a line feed. That is no change, and only the added one is removed.
  @Test(arguments: ["", "touch \"$1\"", "cp \"$1\" copy; rm \"$1\"; mv copy \"$1\""])
  func anUnchangedTextChangesNothing(script: String) throws {
    let before = try cli.bytes("n.json")
    let result = try edit(script)
    #expect(result.status == Exit.good)
    #expect(result.output == "the note was not changed\n")
    #expect(try cli.bytes("n.json") == before)
    #expect(try kept() == [])
  }

  @Test func theLineFeedAtTheEndIsExact() throws {
    #expect(try edit("printf 'a\\n\\n' > \"$1\"").status == Exit.good)
    #expect(try note().text == "a\n")
    #expect(try edit("printf 'a\\n' > \"$1\"").output == "the note was not changed\n")
    #expect(try edit("printf a > \"$1\"").status == Exit.good)
    #expect(try note().text == "a")
    #expect(try edit("printf 'a\\r\\n' > \"$1\"").status == Exit.good)
    #expect(try note().text == "a\r")
  }

  @Test func theFileIsPrivate() throws {
    let result = try edit("ls -l \"$1\" | cut -c 1-10 > modes; ls -ld \"$(dirname \"$1\")\" | cut -c 1-10 >> modes")
    #expect(result.status == Exit.good)
    #expect(try cli.text("modes") == "-rw-------\ndrwx------\n")
  }

  @Test func theEditorMayHoldArguments() throws {
    let script = "printf '%s|%s' \"$1\" \"$2\" > words; printf x > \"$3\""
    #expect(try edit(script, arguments: " --wait 'two words'").status == Exit.good)
    #expect(try cli.text("words") == "--wait|two words")
    #expect(try note().text == "x")
    // VISUAL has precedence over EDITOR, unless it is blank.
    #expect(try edit("printf y > \"$1\"", variable: "VISUAL").status == Exit.good)
    let environment = ["VISUAL": "./editor.sh", "EDITOR": "false"]
    #expect(try cli.run("edit", id, "--store", "n.json", environment: environment).status == Exit.good)
    let blank = ["VISUAL": " ", "EDITOR": "./editor.sh"]
    #expect(try cli.run("edit", id, "--store", "n.json", environment: blank).status == Exit.good)
    let none = try cli.run("edit", id, "--store", "n.json")
    #expect(none.status == Exit.usage && none.error.contains("VISUAL or EDITOR"))
    #expect(try kept() == [])
  }

  @Test func aTemporaryFolderMayHaveAnyName() throws {
    let name = "it's $HOME \"here\""
    try FileManager.default.createDirectory(at: cli.url(name), withIntermediateDirectories: false)
    try cli.write("#!/bin/sh\nprintf z > \"$1\"", to: "editor.sh")
    let environment = ["EDITOR": "sh editor.sh", "TMPDIR": cli.url(name).path]
    #expect(try cli.run("edit", id, "--store", "n.json", environment: environment).status == Exit.good)
    #expect(try note().text == "z")
    #expect(try FileManager.default.contentsOfDirectory(atPath: cli.url(name).path) == [])
  }

  @Test func whatAFailingEditorHasWrittenIsKept() throws {
    let before = try cli.bytes("n.json")
    let failed = try edit("printf 'much work' > \"$1\"; exit 3")
    #expect(failed.status == Exit.ioError && failed.error.contains("exited with 3\n"))
    #expect(try keptText(failed) == "much work")
    #expect(try cli.bytes("n.json") == before)
  }

  @Test func whatAKilledEditorHasWrittenIsKept() throws {
    let killed = try edit("printf 'much work' > \"$1\"; kill -9 $$")
    #expect(killed.status == Exit.ioError)
    #expect(try keptText(killed) == "much work")
  }

  /// Nothing was written, so there is nothing to keep.
  @Test func anEditorThatOnlyFailsLeavesNothing() throws {
    let before = try cli.bytes("n.json")
    let failed = try edit("exit 1")
    #expect(failed.status == Exit.ioError)
    #expect(failed.error == "snapshot-cli: the editor (./editor.sh) exited with 1\n")
    let missing = try cli.run("edit", id, "--store", "n.json", environment: ["EDITOR": "./no-such-editor"])
    #expect(missing.status == Exit.ioError && missing.error.contains("exited with 127"))
    #expect(try edit("rm \"$1\"").status == Exit.ioError)
    #expect(try cli.bytes("n.json") == before)
    #expect(try kept() == [])
  }

  /// A killed editor leaves its recovery file beside the text.
  @Test func whatTheEditorSavedForItselfIsKept() throws {
    let result = try edit("printf precious > \"$(dirname \"$1\")/.note.swp\"; kill -9 $$")
    #expect(result.status == Exit.ioError)
    let folder = try #require(try kept().first)
    #expect(result.error.hasSuffix("your text is in \(folder.path)\n"))
    #expect(try String(contentsOf: folder.appending(path: ".note.swp"), encoding: .utf8) == "precious")
  }

  @Test func aChangeBySomeoneElseIsNotOverwritten() throws {
    let result = try edit(
      """
      printf 'mine' > "$1"
      printf '#!/bin/sh\\nprintf theirs > "$1"' > other.sh
      EDITOR='sh other.sh' "$TOOL" edit "$ID" --store n.json
      """)
    #expect(result.status == 75)
    #expect(result.error.contains("changed by someone else"))
    #expect(try keptText(result) == "mine")
    #expect(try note().text == "theirs")
  }

  /// Other changes of the note by someone else stay.
  @Test func otherChangesMeanwhileDoNotMatter() throws {
    let result = try edit("printf mine > \"$1\"; \"$TOOL\" archive \"$ID\" --store n.json")
    #expect(result.status == Exit.good)
    #expect(try note().text == "mine" && note().archived)
    #expect(try kept() == [])
  }

  @Test func whatCannotBeSavedIsKept() throws {
    let deleted = try edit("printf mine > \"$1\"; \"$TOOL\" delete \"$ID\" --store n.json")
    #expect(deleted.status == Exit.noInput)
    #expect(try keptText(deleted) == "mine")
  }

  @Test func aStoreThatIsGoneLosesNothing() throws {
    let gone = try edit("printf mine > \"$1\"; rm n.json")
    #expect(gone.status == Exit.noInput)
    #expect(try keptText(gone) == "mine")
    #expect(!cli.exists("n.json"))
  }

  @Test func textsThatAreNoTextAreRefused() throws {
    let before = try cli.bytes("n.json")
    let blank = try edit("printf ' \\n' > \"$1\"")
    #expect(blank.status == Exit.badData && blank.error.contains("must not be empty"))
    let bytes = try edit("printf '\\377' > \"$1\"")
    #expect(bytes.status == Exit.badData && bytes.error.contains("not UTF-8"))
    #expect(try cli.bytes("n.json") == before)
    #expect(try kept().count == 2)
  }

  @Test func aNoteThatIsNotThereOpensNoEditor() throws {
    let environment = ["EDITOR": "touch opened; false"]
    #expect(try cli.run("edit", "77", "--store", "n.json", environment: environment).status == Exit.noInput)
    #expect(try cli.run("edit", "77", "--store", "never.json", environment: environment).status == Exit.noInput)
    #expect(!cli.exists("opened") && !cli.exists("never.json"))
    #expect(try kept() == [])
  }
}
