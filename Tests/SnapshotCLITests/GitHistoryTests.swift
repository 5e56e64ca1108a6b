import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// Merges in git other than of one branch into another: nothing is decided silently.
@Suite(.enabled(if: GitRepository.isThere)) struct GitHistoryTests {
  let repository: GitRepository
  var cli: CLI { repository.cli }

  init() throws { repository = try GitRepository() }

  /// Two branches that change the text of a note and merge each other; in the end each has a text of its own.
  private func crissCross(_ texts: (String, String)) throws {
    try repository.onBranch("a") { try $0.setText("A", of: 1001) }
    try repository.onBranch("b") { try $0.setText("B", of: 1001) }
    try repository.git("branch", "old-a", "a")
    for (branch, other, text) in [("a", "b", texts.0), ("b", "old-a", texts.1)] {
      try repository.git("checkout", "--quiet", branch)
      try repository.git("merge", "--quiet", other, failing: true)
      try repository.edit { try $0.setText(text, of: 1001) }
      try repository.git("commit", "--quiet", "--all", "--message", "\(branch) merged")
    }
  }

  // Both sides chose one of the two. Neither choice may be silently taken for the common origin.
  @Test(arguments: [("A", "B"), ("B", "A"), ("A", "Both"), ("Both", "B")])
  func aCrissCrossMergeWithTwoResolutionsIsAConflict(_ texts: (String, String)) throws {
    try crissCross(texts)
    let output = try repository.git("merge", "a", failing: true)
    #expect(output.contains("! notes 1001, text: both changed it; ours was taken\n"), "\(output)")
    // Both sides have already resolved the conflict between the merge bases, so it is not reported again.
    #expect(output.components(separatedBy: "! notes 1001").count == 2, "\(output)")
    #expect(try repository.notebook.notes[1001]?.text == texts.1)
    #expect(try repository.notebook.allViolations() == [])
  }

  @Test func aCrissCrossMergeWithOneResolutionIsNone() throws {
    try crissCross(("Both", "Both"))
    try repository.git("merge", "--quiet", "--message", "1", "a")
    #expect(try repository.notebook.notes[1001]?.text == "Both")
  }

  // One side deleted a note, the other changed it; then both reversed their decision.
  @Test func aCrissCrossMergeOfADeletion() throws {
    try repository.onBranch("a") { try $0.setText("A", of: 1001) }
    try repository.onBranch("b") { $0.deleteNotes([1001]) }
    try repository.git("branch", "old-a", "a")
    try repository.git("checkout", "--quiet", "a")
    try repository.git("merge", "--quiet", "b", failing: true)
    try repository.git("commit", "--quiet", "--all", "--message", "stays")
    try repository.git("checkout", "--quiet", "b")
    try repository.git("merge", "--quiet", "old-a", failing: true)
    try repository.edit { $0.deleteNotes([1001]) }
    try repository.git("commit", "--quiet", "--all", "--message", "goes")
    let output = try repository.git("merge", "a", failing: true)
    #expect(output.contains("! notes 1001"), "\(output)")
  }

  // Git's octopus merge uses no drivers. It refuses changes that it cannot merge line by line, such as the checksum's
  // line.
  @Test func anOctopusMergeIsRefused() throws {
    for (name, id) in [("a", 1001), ("b", 1002)] as [(String, Note.ID)] {
      try repository.onBranch(name) { try $0.setText("Text of \(name)", of: id) }
    }
    try repository.commit("c") { _ = try $0.addNote(text: "Ours") }
    let before = try cli.bytes("notes.json")
    try repository.git("merge", "a", "b", failing: true)
    try repository.git("reset", "--quiet", "--hard")
    #expect(try cli.bytes("notes.json") == before)
    // Merged one after the other, they succeed.
    try repository.git("merge", "--quiet", "--message", "1", "a")
    try repository.git("merge", "--quiet", "--message", "2", "b")
    #expect(try repository.notebook.notes.map(\.text).count == 3)
  }

  // As in Docs/COMMAND-LINE.md: a pattern that matches the new name, too.
  @Test(arguments: [true, false]) func aRenameOnOneSide(_ isOurs: Bool) throws {
    try cli.write(
      try cli.text(".gitattributes").replacing("notes.json ", with: "*.json "), to: ".gitattributes")
    try repository.git("commit", "--quiet", "--all", "--message", "attributes")
    try repository.onBranch("edited") { try $0.setText("Edited", of: 1001) }
    try repository.git("checkout", "--quiet", "-b", "renamed")
    try repository.git("mv", "notes.json", "diary.json")
    try repository.edit("diary.json") { try $0.setText("Renamed", of: 1002) }
    try repository.git("commit", "--quiet", "--all", "--message", "renamed")
    if !isOurs { try repository.git("checkout", "--quiet", "edited") }
    try repository.git("merge", "--quiet", "--message", "1", isOurs ? "edited" : "renamed")
    let merged: Notebook = try SnapshotFile.read(at: cli.url("diary.json"))
    #expect(merged.notes[1001]?.text == "Edited")
    #expect(merged.notes[1002]?.text == "Renamed")
    #expect(!cli.exists("notes.json"))
  }

  // The bytes must not be converted to the line ends of a system.
  @Test(arguments: ["true", "input"]) func lineEndsStayAsTheyAre(_ value: String) throws {
    let before = try cli.bytes("notes.json")
    try repository.git("config", "core.autocrlf", value)
    try repository.onBranch("ours") { try $0.setText("Ours", of: 1001) }
    try repository.onBranch("theirs") { try $0.setText("Theirs", of: 1002) }
    #expect(try cli.bytes("notes.json") == before)
    #expect(try repository.git("status", "--porcelain", "--untracked-files=no").isEmpty)
    try repository.git("merge", "--quiet", "ours")
    try repository.git("merge", "--quiet", "--message", "1", "theirs")
    #expect(!(try cli.text("notes.json").contains("\r")))
    #expect(try cli.run("check", "notes.json").status == Exit.good)
  }

  @Test func rebaseCherryPickAndStash() throws {
    try repository.onBranch("side") { try $0.setText("Side", of: 1001) }
    try repository.commit("main") { try $0.setText("Main", of: 1002) }
    try repository.git("cherry-pick", "side")
    #expect(try repository.notebook.notes.map(\.text) == ["Side", "Main"])
    try repository.git("reset", "--quiet", "--hard", "HEAD~1")

    try repository.edit { try $0.setArchived(true, of: 1001) }
    try repository.git("stash")
    try repository.commit("tagged") { notebook in
      let tag = notebook.tag(named: "New")
      try notebook.setTags([tag.id], of: 1001)
    }
    try repository.git("stash", "pop")
    #expect(try repository.notebook.notes[1001]?.archived == true)
    #expect(try repository.notebook.notes[1001]?.tags == ["new"])
    try repository.git("commit", "--quiet", "--all", "--message", "archived")

    try repository.git("checkout", "--quiet", "side")
    try repository.git("rebase", "--quiet", "main")
    let rebased = try repository.notebook
    #expect(rebased.notes[1001]?.text == "Side")
    #expect(rebased.notes[1001]?.archived == true)
    #expect(rebased.notes[1002]?.text == "Main")
    #expect(rebased.allViolations() == [])
    // Changes on both sides stop here too.
    try repository.git("checkout", "--quiet", "-b", "other", "HEAD~1")
    try repository.commit("other") { try $0.setText("Other", of: 1001) }
    let output = try repository.git("rebase", "side", failing: true)
    #expect(output.contains("! notes 1001, text"), "\(output)")
    try repository.git("rebase", "--abort")
    #expect(try repository.notebook.notes[1001]?.text == "Other")
    try repository.requireNothingLeftBehind()
  }
}
