import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

@testable import TestSupport

/// `tags` and its subcommands, and many processes that ask for the same tags.
@Suite struct TagsTests {
  let cli: CLI

  init() throws { cli = try CLI() }

  private func run(_ arguments: String...) throws -> CLI.Result {
    try cli.run(arguments + ["--store", "n.json"])
  }

  private func notebook() throws -> Notebook {
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("n.json"))
    #expect(notebook.allViolations() == [])
    return notebook
  }

  @Test func suggest() throws {
    _ = try run("add", "a", "--tag", "Café", "--tag", "decaf", "--tag", "cafe", "--tag", "My Cafe")
    #expect(try run("tags", "suggest", "CAFE").output == "cafe\nCafé\nMy Cafe\n")
    #expect(try run("tags", "suggest", "caf", "--limit", "2").output == "cafe\nCafé\n")
    let none = try run("tags", "suggest", "x")
    #expect(none.status == Exit.good && none.output.isEmpty)
  }

  @Test func rename() throws {
    _ = try run("add", "a", "--tag", "Rome", "--tag", "Paris")
    _ = try run("add", "b", "--tag", "Rome")
    #expect(try run("tags", "rename", "ROME", "Oslo").output == "Oslo: 2 notes\n")
    #expect(try run("tags").output == "2  Oslo\n1  Paris\n")
    #expect(try run("tags", "rename", "paris", "oslo").output == "Oslo: 2 notes\n")
    #expect(try run("tags", "rename", "oslo", "OSLO").output == "OSLO: 2 notes\n")
    #expect(try run("tags").output == "2  OSLO\n")
    let before = try cli.bytes("n.json")
    let missing = try run("tags", "rename", "Rome", "x")
    #expect(missing.status == Exit.noInput && missing.error.contains("there is no tag “Rome”"))
    #expect(try run("tags", "rename", "oslo", " ").status == Exit.badData)
    #expect(try cli.bytes("n.json") == before)
    #expect(try notebook().notes.allSatisfy { $0.tags == ["oslo"] })
  }

  @Test func sweep() throws {
    let id = try run("add", "a", "--tag", "One", "--tag", "Two", "--tag", "Three").output
      .trimmingCharacters(in: .newlines)
    _ = try run("archive", id)
    #expect(try run("tags", "sweep").output.isEmpty)
    _ = try run("untag", id, "one", "two")
    let before = try cli.bytes("n.json")
    #expect(try run("tags", "sweep", "--dry-run").output == "One\nTwo\n")
    #expect(try cli.bytes("n.json") == before)
    #expect(try run("tags", "sweep").output == "One\nTwo\n")
    #expect(try run("tags").output == "1  Three\n")
  }

  @Test func wrongUsage() {
    each([
      ["frobnicate"], ["suggest"], ["suggest", "a", "b"], ["suggest", "a", "--limit", "0"],
      ["suggest", "a", "--limit", "x"],
      ["rename", "a"], ["rename", "a", "b", "c"], ["sweep", "a"], ["--dry-run"], ["--limit", "3"], ["sweep", "--json"],
      ["rename", "a", "b", "--dry-run"],
    ]) { (arguments: [String]) throws in
      let result = try cli.run(["tags"] + arguments + ["--store", "n.json"])
      #expect(result.status == Exit.usage && result.output.isEmpty && !result.error.isEmpty)
    }
  }

  @Test func noWordMakesAStore() throws {
    for arguments in [[], ["suggest", "a"], ["rename", "a", "b"], ["sweep"], ["sweep", "--dry-run"]] {
      #expect(try cli.run(["tags"] + arguments + ["--store", "n.json"]).status == Exit.noInput)
    }
    #expect(!cli.exists("n.json"))
  }

  /// Eight processes make the same tags in spellings of their own, on notes of their own and on a shared one.
  @Test func eightProcessesGetOneTagForEachName() throws {
    let shared = try run("add", "shared").output.trimmingCharacters(in: .newlines)
    let spellings = ["new york", "New York", "NEW YORK", " new  york "]
    for round in 0..<2 {
      let processes = try (0..<8).map { number in
        let name = "\(spellings[number % 4]) \(round)"
        return number < 4
          ? try cli.start("add", "note", "--tag", name, "--store", "n.json")
          : try cli.start("tag", shared, name, "Tag \(number)", "--store", "n.json")
      }
      for process in processes { process.waitUntilExit() }
      #expect(processes.allSatisfy { $0.terminationStatus == Exit.good })
    }
    let notebook = try notebook()
    #expect(Set(notebook.tags.ids) == ["new york 0", "new york 1", "tag 4", "tag 5", "tag 6", "tag 7"])
    #expect(notebook.notes.count == 9)
    // Every process got the existing tag, whichever came first.
    #expect(notebook.noteCount(tagged: "new york 0") == 5 && notebook.noteCount(tagged: "new york 1") == 5)
    #expect(notebook.notes.first { "\($0.id)" == shared }?.tags.count == 6)
  }

  /// As in a list of the latest actions.
  @Test func archivingMovesNotesToTheTop() throws {
    let ids = try ["a", "b"].map { try run("add", $0).output.trimmingCharacters(in: .newlines) }
    #expect(try run("archive", ids[0], ids[0]).status == Exit.good)
    let archived = try #require(try notebook().notes.first(where: \.archived))
    #expect("\(archived.id)" == ids[0])
    #expect(archived.sortDate == archived.archivedModificationDate && archived.sortDate > archived.creationDate)
    #expect(try run("unarchive", ids[0]).status == Exit.good)
    let lines = try run("list").output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix(ids[0]))
  }
}
