import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// A command that promises to keep the replaced file does so, or changes nothing.
@Suite struct KeepingTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.makeStore()
    try cli.write("Not a folder", to: ".notes.json.generations")
    try FileManager.default.copyItem(at: cli.url("notes.json"), to: cli.url("copy.json"))
    #expect(try cli.run("add", "More", "--store", "copy.json").status == Exit.good)
  }

  @Test(arguments: [
    ["merge", "notes.json", "copy.json"], ["sync", "notes.json", "copy.json"],
    ["sync", "notes.json", "copy.json", "--outgoing", "out.json"], ["restore", "copy.json", "notes.json", "--force"],
  ])
  func withoutAFolderForOlderVersionsNothingIsChanged(_ command: [String]) throws {
    let before = try cli.bytes("notes.json")
    let result = try cli.run(command)
    #expect(result.status == Exit.cannotCreate, "\(result.output)")
    #expect(result.error.contains("kept"), "\(result.error)")
    #expect(try cli.bytes("notes.json") == before)
    #expect(!cli.exists("out.json"))
    // An ordinary edit promises nothing, and succeeds.
    #expect(try cli.run("archive", "1001", "--store", "notes.json").status == Exit.good)
  }

  // Versions that restores have kept stay, however many merges follow at once.
  @Test func mergesSpareWhatRestoresKept() throws {
    try FileManager.default.removeItem(at: cli.url(".notes.json.generations"))
    #expect(try cli.run("add", "Only here", "--store", "notes.json").status == Exit.good)
    #expect(try cli.run("restore", "copy.json", "notes.json", "--force").status == Exit.good)
    for number in 0..<12 {
      #expect(try cli.run("add", "Note \(number)", "--store", "copy.json").status == Exit.good)
      #expect(try cli.run(number % 2 == 0 ? "merge" : "sync", "notes.json", "copy.json").status == Exit.good)
    }
    let kept = try SnapshotFile.generations(of: cli.url("notes.json")).map {
      try SnapshotFile.read(Notebook.self, at: $0.url)
    }
    #expect(kept.contains { $0.notes.contains { $0.text == "Only here" } })
  }
}
