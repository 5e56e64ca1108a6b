import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// A store whose last changes are in its journal: every command reads both, and a change makes one plain file of them.
@Suite struct FoldTests {
  let cli: CLI
  private let journal = ".copy.json.journal"

  /// `copy.json` with its journal, as a killed program leaves both.
  init() throws {
    cli = try CLI()
    try cli.makeStore()
    let store = try Store<Notebook>.open(
      at: cli.url("notes.json"), options: StoreOptions(policy: .manual, journal: .beside()))
    try store.write {
      try $0.upsert(Note(id: 7, text: "A note in the journal", creationDate: Date(timeIntervalSince1970: 1)))
    }
    try store.flushAndWait()
    try FileManager.default.copyItem(at: cli.url("notes.json"), to: cli.url("copy.json"))
    try FileManager.default.copyItem(at: cli.url(".notes.json.journal"), to: cli.url(journal))
    try store.closeAndWait()
  }

  private var hasJournal: Bool { FileManager.default.fileExists(atPath: cli.url(journal).path) }

  @Test func readersReadBoth() throws {
    let whole = try cli.run("dump", "notes.json").output
    #expect(try cli.run("dump", "copy.json").output == whole)
    #expect(try cli.run("show", "7", "--store", "copy.json").output.contains("A note in the journal"))
    #expect(try cli.run("search", "journal", "--store", "copy.json").output.contains("A note in the journal"))
    #expect(try cli.run("check", "copy.json").status == Exit.good)
    #expect(try cli.run("diff", "copy.json", "notes.json").status == Exit.good)
    let info = try cli.run("info", "copy.json").output
    #expect(info.contains("\njournal       1 change, "), "\(info)")
    let size = try Data(contentsOf: cli.url("copy.json")).count
    #expect(info.contains("\nsize          \(size) bytes\n"), "the size is not that of the file: \(info)")
    #expect(try cli.run("info", "copy.json", "--json").output.contains(#""journal":{"changes":1,"bytes":"#))
    #expect(try cli.run("rows", "copy.json", "notes", "--where", "id == 7", "--count").output == "1\n")
    #expect(hasJournal)
  }

  @Test func foldMakesOnePlainFile() throws {
    let result = try cli.run("fold", "copy.json")
    #expect(result.status == Exit.good && result.output == "copy.json: 1 change written to the file\n")
    #expect(!hasJournal)
    #expect(try Data(contentsOf: cli.url("copy.json")) == Data(contentsOf: cli.url("notes.json")))
    #expect(try cli.run("fold", "copy.json").output == "copy.json: the file has all changes already\n")
  }

  @Test func changesFoldToo() throws {
    for command in [
      ["add", "Another", "--store", "copy.json"], ["set", "copy.json", "notes", "7", "text=Changed"],
      ["generations", "copy.json", "restore", "1"],
    ] {
      try setUpAgain()
      _ = try cli.run(command)
      #expect(!hasJournal, "\(command)")
      #expect(try cli.run("check", "copy.json").status == Exit.good)
    }
  }

  private func setUpAgain() throws {
    let other = try FoldTests()
    for name in ["copy.json", journal] {
      try? FileManager.default.removeItem(at: cli.url(name))
      try FileManager.default.copyItem(at: other.cli.url(name), to: cli.url(name))
    }
  }

  @Test func aDamagedJournalIsReportedAndRecovered() throws {
    let url = cli.url(journal)
    var bytes = try Data(contentsOf: url)
    let line = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    bytes[line + 40] ^= 1
    // Something follows, so it is no line that was not written to its end.
    bytes.append(contentsOf: Array("{}\n".utf8))
    try bytes.write(to: url)
    let check = try cli.run("check", "copy.json")
    #expect(check.status == Exit.badData && check.error.contains("\(journal):2:1 "), "\(check)")
    let recovered = try cli.run("recover", "copy.json", "-o", "saved.json")
    #expect(recovered.status == Exit.found && recovered.output.contains("journal"))
    #expect(try cli.run("check", "saved.json").status == Exit.good)
    #expect(try Data(contentsOf: url) == bytes)
  }

  /// A hand edit leaves the checksum wrong. Nothing of either side may be lost on the way back.
  @Test func anEditIsAcceptedAndMerged() throws {
    try cli.write(try cli.text("copy.json").replacing("First", with: "Edited"), to: "copy.json")
    let check = try cli.run("check", "copy.json")
    #expect(check.status == Exit.found && check.output.contains("copy.json: note: the journal beside it"), "\(check)")
    let accepted = try cli.run("check", "copy.json", "--accept")
    #expect(accepted.status == Exit.good && accepted.output.contains("“snapshot-cli fold copy.json”"), "\(accepted)")
    #expect(hasJournal)
    let fold = try cli.run("fold", "copy.json")
    #expect(fold.status == Exit.good && fold.output.hasPrefix("copy.json: 1 change merged into the file\n"), "\(fold)")
    #expect(fold.output.components(separatedBy: "kept: ").count == 3, "\(fold)")
    #expect(!hasJournal)
    let dump = try cli.run("dump", "copy.json").output
    #expect(dump.contains("A note in the journal") && dump.contains("Edited"))
    #expect(try cli.run("check", "copy.json").status == Exit.good)
  }

  @Test func withoutItsFileAJournalIsNotForgotten() throws {
    try FileManager.default.removeItem(at: cli.url("copy.json"))
    for command in [["add", "A note", "--store", "copy.json"], ["fold", "copy.json"]] {
      let result = try cli.run(command)
      #expect(result.status != Exit.good && result.error.contains("the file is gone, and its journal"), "\(result)")
    }
    #expect(hasJournal && !cli.exists("copy.json"))
  }

  /// What check calls damaged can be recovered.
  @Test func anEmptyJournalIsALoss() throws {
    try cli.write("", to: journal)
    #expect(try cli.run("check", "copy.json").status != Exit.good)
    let recovered = try cli.run("recover", "copy.json", "-o", "saved.json")
    #expect(recovered.status == Exit.found && recovered.output.contains("first line of the journal"), "\(recovered)")
    #expect(try cli.run("check", "saved.json").status == Exit.good)
  }

  @Test func aJournalOfAnotherSchemaIsLeftAlone() throws {
    try cli.write(#"{"snapshot":{"schema":"other","version":1},"left":[]}"#, to: "copy.json")
    let fold = try cli.run("fold", "copy.json")
    #expect(fold.status != Exit.good && hasJournal, "\(fold)")
    #expect(fold.error.contains("has the schema “notebook”, and the file “other”"), "\(fold)")
    #expect(fold.error.contains("Move the journal away") && !fold.error.contains("merges both"), "\(fold)")
  }

  @Test func gitIsToldOfWhatItDoesNotSee() throws {
    let git = try cli.run(
      "diff", "--git", "copy.json", "copy.json", "0", "100644", "copy.json", "0", "100644")
    #expect(git.output.contains("git does not see 1 change in the journal beside it"), "\(git)")
    #expect(!git.output.contains("A note in the journal"))
    let check = try cli.run("check", "copy.json")
    #expect(check.output.contains("note: the journal beside it has 1 change of it"), "\(check)")
  }

  @Test func anEditedFileIsNotReplayedOnto() throws {
    var text = try String(contentsOf: cli.url("copy.json"), encoding: .utf8)
    text.replace(#/"checksum":\d+,\n/#, with: "", maxReplacements: 1)
    try cli.write(text, to: "copy.json")
    let list = try cli.run("list", "--store", "copy.json")
    #expect(list.status != Exit.good)
    #expect(list.error.contains("the journal beside the file has changes for another version of it"))
    let check = try cli.run("check", "copy.json")
    #expect(check.status != Exit.good && check.error.contains("“snapshot-cli fold copy.json”"), "\(check)")
    // A change opens the store, which brings both together.
    let add = try cli.run("add", "Another", "--store", "copy.json")
    #expect(add.status == Exit.good, "\(add.error)")
    #expect(try cli.run("show", "7", "--store", "copy.json").output.contains("A note in the journal"))
    #expect(!hasJournal)
  }

  /// The tool cannot merge what it has no types for, and does not send the user back to the same command.
  @Test func anEditedFileOfAnotherProgramNeedsThatProgram() throws {
    let store = try Store<Parcels>.open(
      at: cli.url("parcels.json"), options: StoreOptions(policy: .manual, journal: .beside()))
    try store.flushAndWait()
    try store.write { try $0.parcels.insert(Parcel(id: 1)) }
    try store.flushAndWait()
    let edited = try String(contentsOf: cli.url("parcels.json"), encoding: .utf8)
      .replacing(#/"checksum":\d+,\n/#, with: "")
    try cli.write(edited, to: "other.json")
    try FileManager.default.copyItem(at: cli.url(".parcels.json.journal"), to: cli.url(".other.json.journal"))
    try store.closeAndWait()
    let fold = try cli.run("fold", "other.json")
    #expect(fold.status != Exit.good)
    #expect(fold.error.contains("the program of its schema merges both when it opens the file"), "\(fold)")
    #expect(!fold.error.contains("“"), "\(fold)")
  }

  private struct Parcel: Record {
    let id: Int
  }

  private struct Parcels: Model {
    var parcels = Table<Parcel>()
    static let schema = Schema<Parcels>("parcels", version: 1, Field("parcels", \.parcels))
  }
}
