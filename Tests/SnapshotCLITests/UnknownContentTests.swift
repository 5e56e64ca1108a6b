import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

@testable import TestSupport

/// Unknown content of a store stays in it, and follows it through every command.
@Suite struct UnknownContentTests: WideNotebookSuite {
  let cli: CLI
  let wide: WideNotebook

  init() throws {
    cli = try CLI()
    wide = try WideNotebook.sample()
  }

  private static let pairs = FileFormat.allCases.flatMap { one in FileFormat.allCases.map { (one, $0) } }

  @Test(arguments: Proofs.share(of: pairs, oneIn: 4))
  func dumpConvertAndRestoreAreExact(_ format: FileFormat, _ other: FileFormat) throws {
    try make("notes", format)
    let dump = try cli.run("dump", "notes", "--format", other.rawValue)
    #expect(dump.status == Exit.good, "\(dump.error)")
    #expect(try Data(dump.outputBytes) == wide.data(other))
    try Data(dump.outputBytes).write(to: cli.url("dump"))
    #expect(try cli.run("convert", "dump", "back", "-f", format.rawValue).status == Exit.good)
    #expect(try cli.bytes("back") == wide.data(format))
    #expect(try cli.run("restore", "dump", "restored.json").status == Exit.good)
    #expect(try cli.bytes("restored.json") == wide.data(.json))
    #expect(try cli.run("restore", "notes", "restored.json", "--force").status == Exit.good)
    #expect(try cli.bytes("restored.json") == wide.data(.json))
  }

  @Test func onlyTheSameContentIsReplacedUnasked() throws {
    var other = wide
    try other.notes.update(1001) { $0.color = "green" }
    try make("notes.json")
    try make("other.json", .xml, other)
    #expect(try cli.run("convert", "notes.json", "other.json").status == Exit.cannotCreate)
    #expect(try cli.run("convert", "notes.json", "other.json", "--force").status == Exit.good)
    #expect(try cli.run("convert", "notes.json", "other.json", "-f", "xml").status == Exit.good)
    #expect(try cli.bytes("other.json") == wide.data(.xml))
  }

  @Test(arguments: Proofs.share(of: FileFormat.allCases, oneIn: 2)) func editsKeepIt(_ format: FileFormat) throws {
    try make("notes", format)
    for arguments in [["archive", "1001"], ["tag", "1001", "New"], ["add", "More"], ["tags", "sweep"]] {
      #expect(try cli.run(arguments + ["--store", "notes"]).status == Exit.good, "\(arguments)")
    }
    for arguments in [["list"], ["show", "1001"], ["search", "First"], ["tags"]] {
      #expect(try cli.run(arguments + ["--store", "notes"]).status == Exit.good, "\(arguments)")
    }
    let after = try store("notes")
    #expect(after.notes[1001]?.color == "red")
    #expect(after.notes[1001]?.base.archived == true)
    #expect(after.tags["paris"]?.color == "blue")
    #expect(after.folders == wide.folders)
  }

  /// “café” with one scalar at its end and with two: two keys that Swift's `==` holds equal.
  @Test(arguments: Proofs.share(of: FileFormat.allCases, oneIn: 2)) func keysThatLookAlikeStayTwo(_ format: FileFormat)
    throws
  {
    let both = "\"cafe\u{301}\":2,\"caf\u{E9}\":1"
    try make("wide.json")
    let text = try cli.text("wide.json").replacing(/"checksum":\d+,\n/, with: "")
    try cli.write(text.replacing("\"color\":\"red\"", with: both), to: "notes.json")
    #expect(try cli.run("convert", "notes.json", "store", "-f", format.rawValue).status == Exit.good)
    #expect(try cli.run("diff", "notes.json", "store").status == Exit.good)
    #expect(try cli.run("add", "More", "--store", "store").status == Exit.good)
    let check = try cli.run("check", "store")
    #expect(check.status == Exit.good)
    for key in ["caf\u{E9}", "cafe\u{301}"] {
      #expect(check.output.utf8.contains("kept: notes.\(key), in 1 record\n".utf8))
    }
    let damaged = try cli.bytes("store").replacing(Data("Second".utf8), with: Data("sEcond".utf8))
    try damaged.write(to: cli.url("damaged"))
    let commands = [
      ["convert", "store", "out.json"], ["merge", "store", "notes.json", "-o", "out.json"],
      ["sync", "out.json", "store"], ["recover", "damaged", "-o", "out.json"],
      ["dump", "store", "-f", "json", "-o", "out.json"], ["restore", "store", "out.json"],
    ]
    for command in commands {
      try? FileManager.default.removeItem(at: cli.url("out.json"))
      if command[0] == "sync" { try cli.write(cli.text("notes.json"), to: "out.json") }
      let result = try cli.run(command)
      let isDamaged = command[0] == "recover"
      #expect(result.status == (isDamaged ? Exit.found : Exit.good), "\(command): \(result.error)")
      #expect(try cli.text("out.json").utf8.contains(both.utf8), "\(command)")
    }
    // The differences of one of the two, by its own name.
    try cli.write(text.replacing("\"color\":\"red\"", with: both.replacing(":2", with: ":3")), to: "new.json")
    let difference = try cli.run("diff", "notes.json", "new.json")
    #expect(difference.status == Exit.found && difference.output.utf8.contains("cafe\u{301}".utf8))
    #expect(!difference.output.utf8.contains("caf\u{E9}".utf8))
  }

  @Test func anExportLeavesItOutAndSaysSo() throws {
    try make("notes.json")
    let result = try cli.run("export", "csv", "notes.json", "-")
    #expect(result.status == Exit.good)
    #expect(result.output.contains("First"))
    #expect(result.error.contains("unknown to this program, and left out: notes.color, in 1 record"))
    // An import into a store keeps it.
    #expect(try cli.run("import", "csv", "-", "notes.json", input: "text\nMore\n").status == Exit.good)
    #expect(try store("notes.json").folders == wide.folders)
  }

  @Test func anEmptyArrayGoesThroughLines() throws {
    var lone = wide
    for id in lone.folders.map(\.id) { lone.folders.remove(id) }
    try make("notes.json", .json, lone)
    #expect(try cli.run("convert", "notes.json", "notes.ndjson").status == Exit.good)
    #expect(try cli.text("notes.ndjson").contains(#"{"emptyTable":"folders"}"#))
    #expect(try cli.run("convert", "notes.ndjson", "back.json").status == Exit.good)
    #expect(try cli.bytes("back.json") == cli.bytes("notes.json"))
  }

  @Test func everyCharacterGoesThroughXML() throws {
    var odd = wide
    try odd.notes.update(1001) { $0.color = "\u{0}" }
    try make("notes.json", .json, odd)
    #expect(try cli.run("convert", "notes.json", "notes.plist").status == Exit.good)
    #expect(try cli.run("convert", "notes.plist", "back.json").status == Exit.good)
    #expect(try cli.bytes("back.json") == cli.bytes("notes.json"))
  }
}
