import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// The two drivers in real repositories.
@Suite(.enabled(if: GitRepository.isThere)) struct GitTests {
  let repository: GitRepository
  var cli: CLI { repository.cli }

  init() throws { repository = try GitRepository() }

  @Test func differentNotesAndPropertiesMergeByThemselves() throws {
    try repository.onBranch("ours") { notebook in
      try notebook.setText("First, by us", of: 1001)
      try notebook.setText("Second, by us", of: 1002)
    }
    try repository.onBranch("theirs") { notebook in
      try notebook.setArchived(true, of: 1001)
      let tag = notebook.tag(named: "Theirs")
      try notebook.upsert(Note(id: 2000, text: "Third", creationDate: Date(timeIntervalSinceReferenceDate: 1)))
      try notebook.setTags([tag.id], of: 2000)
    }
    try repository.git("merge", "--quiet", "--message", "1", "ours")
    let output = try repository.git("merge", "--message", "2", "theirs")
    #expect(!output.contains("CONFLICT"))
    let merged = try repository.notebook
    #expect(merged.notes[1001]?.text == "First, by us")
    #expect(merged.notes[1001]?.archived == true)
    #expect(merged.notes[1002]?.text == "Second, by us")
    #expect(merged.notes[2000]?.tags == ["theirs"])
    #expect(merged.allViolations() == [])
    #expect(try repository.git("status", "--porcelain", "--untracked-files=no").isEmpty)
    try repository.requireNothingLeftBehind()
  }

  // Tags are equal by their ids, whenever and however each branch made them.
  @Test func theSameNewTagIsNoConflict() throws {
    for (number, name) in ["ours", "theirs"].enumerated() {
      try repository.onBranch(name) { notebook in
        notebook.sources.now = { Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(number)) }
        let tag = notebook.tag(named: number == 0 ? "New" : "NEW")
        try notebook.setTags([tag.id], of: Int64(1001 + number))
      }
    }
    try repository.git("merge", "--quiet", "--message", "1", "ours")
    let output = try repository.git("merge", "--message", "2", "theirs")
    #expect(!output.contains("CONFLICT"))
    let merged = try repository.notebook
    #expect(merged.tags["new"]?.name == "NEW")
    #expect(merged.notes[1001]?.tags == ["new"] && merged.notes[1002]?.tags == ["new"])
    #expect(merged.allViolations() == [])
  }

  @Test func aTrueConflictStopsAndSaysWhich() throws {
    try repository.onBranch("ours") { try $0.setText("Ours", of: 1001) }
    try repository.onBranch("theirs") { notebook in
      try notebook.setText("Theirs", of: 1001)
      try notebook.setText("Second, by them", of: 1002)
    }
    try repository.git("merge", "--quiet", "ours")
    let output = try repository.git("merge", "theirs", failing: true)
    #expect(output.contains("! notes 1001, text: both changed it; ours was taken\n"))
    #expect(output.contains("CONFLICT (content): Merge conflict in notes.json"))
    // The file is complete, with ours for the conflict, and theirs for all other changes.
    let merged = try repository.notebook
    #expect(merged.notes[1001]?.text == "Ours")
    #expect(merged.notes[1002]?.text == "Second, by them")
    #expect(merged.allViolations() == [])
    try repository.edit { try $0.setText("Both", of: 1001) }
    try repository.git("commit", "--quiet", "--all", "--message", "Merged by hand")
    #expect(try repository.notebook.notes[1001]?.text == "Both")
    try repository.requireNothingLeftBehind()
  }

  @Test func storesWithoutACommonAncestor() throws {
    try repository.git("checkout", "--quiet", "--orphan", "other")
    try repository.edit { try $0.setArchived(true, of: 1001) }
    try repository.git("add", "notes.json", ".gitattributes")
    try repository.git("commit", "--quiet", "--message", "Another history")
    try repository.git("checkout", "--quiet", "main")
    try repository.git("merge", "--quiet", "--allow-unrelated-histories", "--message", "1", "other")
    #expect(try repository.notebook.notes[1001]?.archived == true)
  }

  @Test func differencesAreShownPropertyByProperty() throws {
    try repository.edit { try $0.setArchived(true, of: 1001) }
    let output = try repository.git("diff")
    #expect(output.hasPrefix("snapshot-cli diff notes.json\n~ notes 1001\n    archived: false → true\n"))
    try repository.git("commit", "--quiet", "--all", "--message", "1")
    #expect(try repository.git("show", "--ext-diff", "HEAD").contains("\n    archived: false → true\n"))
    try repository.git("rm", "--quiet", "notes.json")
    #expect(try repository.git("diff", "--cached").contains("6 gone\n"))
  }

  // An unreadable file stays as it is, and git is told.
  @Test func aBrokenSideStops() throws {
    try repository.onBranch("ours") { try $0.setText("Ours", of: 1001) }
    try repository.git("checkout", "--quiet", "-b", "theirs", "main")
    try cli.write("{", to: "notes.json")
    try repository.git("commit", "--quiet", "--all", "--message", "theirs")
    try repository.git("checkout", "--quiet", "main")
    try repository.git("merge", "--quiet", "ours")
    try repository.git("merge", "theirs", failing: true)
    #expect(try repository.notebook.notes[1001]?.text == "Ours")
  }
}
