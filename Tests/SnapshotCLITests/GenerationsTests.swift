import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// Kept versions: listed, compared, restored.
@Suite struct GenerationsTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.makeStore()
  }

  @Test func theyAreListedComparedAndRestored() throws {
    // The store was made by an import; its first change keeps the earlier content.
    let before: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    try cli.run("add", "A new \u{1B}[31mnote", "--store", "notes.json")
    let none = try cli.run("generations", "none.json")
    #expect(none.status == Exit.noInput && none.output.isEmpty && none.error.contains("there is no such file"))
    let list = try cli.run("generations", "notes.json")
    #expect(list.status == Exit.good)
    let lines = list.output.split(separator: "\n")
    #expect(lines.first?.hasSuffix("; since then 1 added") == true)
    let number = try #require(lines.first?.split(separator: " ").first)

    let comparison = try cli.run("generations", "notes.json", "compare", String(number))
    #expect(comparison.status == Exit.found)
    #expect(comparison.output.hasPrefix("+ note "))
    #expect(comparison.output.hasSuffix("  A new \\u{1B}[31mnote\n"))

    let restored = try cli.run("generations", "notes.json", "restore", String(number))
    #expect(restored.status == Exit.good)
    #expect(restored.output.hasPrefix("restored generation \(number) of 20"))
    // What is gone has a tombstone.
    let back = try SnapshotFile.read(Notebook.self, at: cli.url("notes.json"))
    #expect(back.notes == before.notes && back.deletedNotes.count == before.deletedNotes.count + 1)
    let tombstone = try cli.run("generations", "notes.json", "compare", String(number))
    #expect(tombstone.status == Exit.found && tombstone.output.hasPrefix("+ deleted note "))
    #expect(tombstone.output.split(separator: "\n").count == 1)
    // Undone: the content before the restoration is the newest generation.
    let newest = try #require(try cli.run("generations", "notes.json").output.split(separator: " ").first)
    try cli.run("generations", "notes.json", "restore", String(newest))
    let after: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    #expect(after.notes.count == before.notes.count + 1)
    #expect(after.allViolations() == [])
  }

  @Test func aDamagedStoreIsRestored() throws {
    try cli.run("add", "A new note", "--store", "notes.json")
    try cli.write("{\"snapshot\":", to: "notes.json")
    let check = try cli.run("check", "notes.json")
    #expect(check.status == Exit.found)
    let refused = try cli.run("add", "Another", "--store", "notes.json")
    #expect(refused.status == Exit.badData)
    #expect(refused.error.contains("snapshot-cli generations notes.json"))
    let newest = try #require(try cli.run("generations", "notes.json").output.split(separator: " ").first)
    let restored = try cli.run("generations", "notes.json", "restore", String(newest))
    #expect(restored.status == Exit.good)
    let damaged = try #require(restored.output.split(separator: " ").last.map { $0.dropLast() })
    #expect(try Data(contentsOf: URL(filePath: String(damaged))) == Data("{\"snapshot\":".utf8))
    #expect(try cli.run("check", "notes.json").status == Exit.good)
  }

  @Test func asJSON() throws {
    try cli.run("add", "A new note", "--store", "notes.json")
    let result = try cli.run("generations", "notes.json", "--json")
    for line in result.output.split(separator: "\n") {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["number"] is Int)
      #expect((object["tables"] as? [String: Int])?["notes"] != nil)
      #expect((object["date"] as? String)?.hasSuffix("Z") == true)
    }
  }

  /// Tables of other models may have the names that a generation's own properties have.
  @Test func aTableMayHaveAnyName() throws {
    let old = #"{"snapshot":{"schema":"clock","version":1},"date":[{"id":1}],"error":[],"number":[]}"#
    try Data(old.utf8).write(to: cli.url("clock.json"))
    #expect(try cli.run("put", "clock.json", "date", input: #"{"id":2}"#).status == Exit.good)
    let json = try cli.run("generations", "clock.json", "--json").output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(object["tables"] as? [String: Int] == ["date": 1, "error": 0, "number": 0])
    #expect(object["date"] is String && object["number"] is Int && object["error"] == nil)
  }

  @Test func thatOfBeforeAMigrationIsSaid() throws {
    try cli.run("add", "A new note", "--store", "notes.json")
    let generation = try #require(try SnapshotFile.generations(of: cli.url("notes.json")).first)
    let name = generation.url.lastPathComponent.replacing("Z.json", with: "Z_v1.json")
    try FileManager.default.moveItem(
      at: generation.url, to: generation.url.deletingLastPathComponent().appending(path: name))
    let line = try cli.run("generations", "notes.json").output
    #expect(line.contains("Z  before the migration from version 1: "))
    let json = try cli.run("generations", "notes.json", "--json").output
    #expect(json.contains("\"migratedVersion\":1"))
  }

  @Test func mistakes() throws {
    #expect(try cli.run("generations", "notes.json", "restore").status == Exit.usage)
    #expect(try cli.run("generations", "notes.json", "restore", "x").status == Exit.usage)
    #expect(try cli.run("generations", "notes.json", "forget", "1").status == Exit.usage)
    let missing = try cli.run("generations", "notes.json", "restore", "99")
    #expect(missing.status == Exit.noInput)
    #expect(missing.error.contains("there is no generation 99"))
    #expect(try cli.run("generations", "nowhere/notes.json").status == Exit.noInput)
  }
}
