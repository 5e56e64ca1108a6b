import Foundation
import SnapshotStore
import Testing

private let gitTool = URL(filePath: "/usr/bin/git")

/// A real repository with the two drivers that the README configures.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: gitTool.path))) struct GitTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.makeStore()
    try git("init", "--quiet", "--initial-branch=main")
    // What the README says, with the tool that was built.
    let tool = "'\(CLI.tool.path)'"
    try git("config", "diff.snapshot.command", "\(tool) diff --git")
    try git("config", "merge.snapshot.driver", "\(tool) merge %O %A %B -o %A")
    try cli.write("notes.json diff=snapshot merge=snapshot\n", to: ".gitattributes")
    try git("add", "notes.json", ".gitattributes")
    try git("commit", "--quiet", "--message", "The store")
  }

  @discardableResult
  private func git(_ arguments: String..., failing: Bool = false) throws -> String {
    let process = Process()
    let output = cli.url(".git-output")
    try Data().write(to: output)
    process.executableURL = gitTool
    process.arguments = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"] + arguments
    process.currentDirectoryURL = cli.folder
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": cli.folder.path, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C", "GIT_PAGER": "cat",
    ]
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    let text = try cli.text(".git-output")
    #expect((process.terminationStatus != 0) == failing, "git \(arguments): \(text)")
    return text
  }

  /// Makes a branch, changes the store on it, and goes back.
  private func onBranch(_ name: String, _ change: (inout Notebook) throws -> Void) throws {
    try git("checkout", "--quiet", "-b", name, "main")
    try edit(change)
    try git("commit", "--quiet", "--all", "--message", name)
    try git("checkout", "--quiet", "main")
  }

  private func edit(_ change: (inout Notebook) throws -> Void) throws {
    let date = Date(timeIntervalSinceReferenceDate: 800_000_000)
    try Store<Notebook>.update(at: cli.url("notes.json")) { notebook in
      notebook.sources.now = { date }
      try change(&notebook)
    }
  }

  private var notebook: Notebook {
    get throws { try SnapshotFile.read(at: cli.url("notes.json")) }
  }

  /// Nothing but what belongs there: no temporary files, no locks.
  private func requireNothingLeftBehind() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: cli.folder.path)
    #expect(!names.contains { $0.contains("merge_file") || $0.hasSuffix(".tmp") }, "\(names)")
  }

  @Test func differentNotesAndPropertiesMergeByThemselves() throws {
    try onBranch("ours") { notebook in
      try notebook.setText("First, by us", of: 1001)
      try notebook.setText("Second, by us", of: 1002)
    }
    try onBranch("theirs") { notebook in
      try notebook.setArchived(true, of: 1001)
      let tag = notebook.tag(named: "Theirs")
      try notebook.upsert(Note(id: 2000, text: "Third", creationDate: Date(timeIntervalSinceReferenceDate: 1)))
      try notebook.setTags([tag.id], of: 2000)
    }
    try git("merge", "--quiet", "--message", "1", "ours")
    let output = try git("merge", "--message", "2", "theirs")
    #expect(!output.contains("CONFLICT"))
    let merged = try notebook
    #expect(merged.notes[1001]?.text == "First, by us")
    #expect(merged.notes[1001]?.archived == true)
    #expect(merged.notes[1002]?.text == "Second, by us")
    #expect(merged.notes[2000]?.tags == ["theirs"])
    #expect(merged.allViolations() == [])
    #expect(try git("status", "--porcelain", "--untracked-files=no").isEmpty)
    try requireNothingLeftBehind()
  }

  // Tags are equal by their ids, whenever and however each branch has made them.
  @Test func theSameNewTagIsNoConflict() throws {
    for (number, name) in ["ours", "theirs"].enumerated() {
      try onBranch(name) { notebook in
        notebook.sources.now = { Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(number)) }
        let tag = notebook.tag(named: number == 0 ? "New" : "NEW")
        try notebook.setTags([tag.id], of: Int64(1001 + number))
      }
    }
    try git("merge", "--quiet", "--message", "1", "ours")
    let output = try git("merge", "--message", "2", "theirs")
    #expect(!output.contains("CONFLICT"))
    let merged = try notebook
    #expect(merged.tags["new"]?.name == "NEW")
    #expect(merged.notes[1001]?.tags == ["new"] && merged.notes[1002]?.tags == ["new"])
    #expect(merged.allViolations() == [])
  }

  @Test func aTrueConflictStopsAndSaysWhich() throws {
    try onBranch("ours") { try $0.setText("Ours", of: 1001) }
    try onBranch("theirs") { notebook in
      try notebook.setText("Theirs", of: 1001)
      try notebook.setText("Second, by them", of: 1002)
    }
    try git("merge", "--quiet", "ours")
    let output = try git("merge", "theirs", failing: true)
    #expect(output.contains("! notes 1001, text: both changed it; ours was taken\n"))
    #expect(output.contains("CONFLICT (content): Merge conflict in notes.json"))
    // The file is whole, has ours of what is in conflict, and theirs of all else.
    let merged = try notebook
    #expect(merged.notes[1001]?.text == "Ours")
    #expect(merged.notes[1002]?.text == "Second, by them")
    #expect(merged.allViolations() == [])
    try edit { try $0.setText("Both", of: 1001) }
    try git("commit", "--quiet", "--all", "--message", "Merged by hand")
    #expect(try notebook.notes[1001]?.text == "Both")
    try requireNothingLeftBehind()
  }

  @Test func storesWithoutACommonAncestor() throws {
    try git("checkout", "--quiet", "--orphan", "other")
    try edit { try $0.setArchived(true, of: 1001) }
    try git("add", "notes.json", ".gitattributes")
    try git("commit", "--quiet", "--message", "Another history")
    try git("checkout", "--quiet", "main")
    try git("merge", "--quiet", "--allow-unrelated-histories", "--message", "1", "other")
    #expect(try notebook.notes[1001]?.archived == true)
  }

  @Test func differencesAreShownPropertyByProperty() throws {
    try edit { try $0.setArchived(true, of: 1001) }
    let output = try git("diff")
    #expect(output.hasPrefix("snapshot-cli diff notes.json\n~ notes 1001\n    archived: false → true\n"))
    try git("commit", "--quiet", "--all", "--message", "1")
    #expect(try git("show", "--ext-diff", "HEAD").contains("\n    archived: false → true\n"))
    try git("rm", "--quiet", "notes.json")
    #expect(try git("diff", "--cached").contains("6 gone\n"))
  }

  // A file that cannot be read is left as it is, and git is told.
  @Test func aBrokenSideStops() throws {
    try onBranch("ours") { try $0.setText("Ours", of: 1001) }
    try git("checkout", "--quiet", "-b", "theirs", "main")
    try cli.write("{", to: "notes.json")
    try git("commit", "--quiet", "--all", "--message", "theirs")
    try git("checkout", "--quiet", "main")
    try git("merge", "--quiet", "ours")
    try git("merge", "theirs", failing: true)
    #expect(try notebook.notes[1001]?.text == "Ours")
  }
}
