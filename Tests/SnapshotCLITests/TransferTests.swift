import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// Import, dump, restore and convert: nothing is lost, and nothing is overwritten by mistake.
@Suite struct TransferTests {
  let cli: CLI

  init() throws { cli = try CLI() }

  // MARK: Import

  @Test func importSaysWhatItDid() throws {
    try cli.write(CLI.vesperJSON, to: "vesper.json")
    let first = try cli.run("import", "vesper", "vesper.json", "notes.json")
    #expect(first.status == Exit.good)
    #expect(first.output == "added 2 notes, 3 tags, 1 attachment\n")
    let again = try cli.run("import", "vesper", "vesper.json", "notes.json")
    #expect(again.output == "added 0 notes, 0 tags, 0 attachments\nskipped 2 notes that exist already\n")
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    #expect(notebook.allViolations() == [])
    #expect(notebook.notes[1001]?.tags == ["new york", "errands"])
    #expect(notebook.notes[1001]?.attachments == ["p1"])
    #expect(notebook.notes[1002]?.archived == true)
  }

  @Test func importTakesDeletionsOver() throws {
    try cli.makeStore()
    let deletions = "{\"notes\":[{\"objectType\":\"note\",\"uniqueID\":5},{\"objectType\":\"note\",\"uniqueID\":1001}]}"
    let result = try cli.run("import", "vesper", "-", "notes.json", input: deletions)
    #expect(result.output.hasSuffix("\nremembered 1 note as deleted\n"))
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    #expect(notebook.notes.count == 2)
    #expect(notebook.deletedNotes.ids == [5])
    #expect(notebook.allViolations() == [])
  }

  @Test func importAddsToAStoreOfAnyFormat() throws {
    try cli.run("add", "Mine", "--store", "notes.bplist")
    try cli.write(CLI.vesperJSON, to: "vesper.json")
    #expect(try cli.run("import", "vesper", "-", "notes.bplist", input: CLI.vesperJSON).status == Exit.good)
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("notes.bplist"))
    #expect(notebook.notes.count == 3)
    #expect(notebook.allViolations() == [])
    #expect(try cli.bytes("notes.bplist").starts(with: Data("bplist00".utf8)))
  }

  @Test(arguments: [
    "", "{}", "[1.5]", "{\"notes\":[{\"noteID\":\"x\"}]}",
    "{\"notes\":[{\"noteID\":1,\"archived\":\"yesterday\"}]}",
    "not json", "{\"notes\":",
  ])
  func badImportLeavesNothing(_ input: String) throws {
    try cli.write(input, to: "bad.json")
    let result = try cli.run("import", "vesper", "bad.json", "notes.json")
    #expect(result.status == Exit.badData)
    #expect(result.error.hasPrefix("snapshot-cli: bad.json"))
    #expect(result.error.split(separator: "\n").count == 1)
    #expect(!cli.exists("notes.json"))
    #expect(try cli.text("bad.json") == input)
  }

  // MARK: Dump and restore

  @Test(arguments: FileFormat.allCases) func dumpAndRestoreAreExact(_ format: FileFormat) throws {
    try cli.makeStore()
    let dump = try cli.run("dump", "notes.json", "--format", format.rawValue)
    #expect(dump.status == Exit.good)
    try Data(dump.outputBytes).write(to: cli.url("dump"))
    #expect(try cli.run("dump", "notes.json", "-f", format.rawValue, "-o", "dump2").status == Exit.good)
    #expect(try cli.bytes("dump2") == Data(dump.outputBytes))
    #expect(try cli.run("restore", "dump", "back.json").status == Exit.good)
    #expect(try cli.bytes("back.json") == cli.bytes("notes.json"))
  }

  @Test func restoreFromStandardInput() throws {
    try cli.makeStore()
    let dump = try cli.run("dump", "notes.json", "--format", "ndjson").output
    let result = try cli.run("restore", "-", "back.json", input: dump)
    #expect(result.status == Exit.good)
    #expect(try cli.bytes("back.json") == cli.bytes("notes.json"))
    let half = try cli.run("restore", "-", "half.json", input: String(dump.prefix(dump.count / 2)))
    #expect(half.status == Exit.badData)
    #expect(!cli.exists("half.json"))
  }

  @Test func restoreRefusesAnExistingStore() throws {
    try cli.makeStore()
    try cli.run("add", "Other", "--store", "other.json")
    let before = try cli.bytes("other.json")
    let refused = try cli.run("restore", "notes.json", "other.json")
    #expect(refused.status == Exit.cannotCreate)
    #expect(refused.error.contains("--force"))
    #expect(try cli.bytes("other.json") == before)
    #expect(try cli.run("restore", "notes.json", "other.json", "--force").status == Exit.good)
    #expect(try cli.bytes("other.json") == cli.bytes("notes.json"))
  }

  @Test func whatRestoreReplacesStays() throws {
    try cli.makeStore()
    try cli.run("add", "Other", "--store", "other.json")
    let before = try SnapshotFile.read(Notebook.self, at: cli.url("other.json"))
    try cli.run("restore", "notes.json", "other.json", "--force")
    try cli.run("generations", "other.json", "restore", "1")
    let after = try SnapshotFile.read(Notebook.self, at: cli.url("other.json"))
    #expect(after.notes.map(\.text) == before.notes.map(\.text) && after.notes.ids == before.notes.ids)

    try cli.write("no store at all", to: "text.json")
    let result = try cli.run("restore", "notes.json", "text.json", "--force")
    #expect(result.status == Exit.good)
    #expect(result.error.contains("the old file stays as "))
    #expect(try cli.bytes("text.json") == cli.bytes("notes.json"))
    let kept = try FileManager.default.contentsOfDirectory(at: cli.url("."), includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasPrefix("text.damaged-") }
    #expect(try kept.map { try String(contentsOf: $0, encoding: .utf8) } == ["no store at all"])
  }

  // MARK: Convert

  @Test(arguments: ["xml", "binary", "ndjson"]) func convertThereAndBackIsIdentical(_ format: String) throws {
    try cli.makeStore()
    #expect(try cli.run("convert", "notes.json", "out.plist", "--format", format).status == Exit.good)
    #expect(try cli.run("convert", "out.plist", "back.json").status == Exit.good)
    #expect(try cli.bytes("back.json") == cli.bytes("notes.json"))
  }

  @Test func convertTakesTheFormatOfTheExtension() throws {
    try cli.makeStore()
    for (name, start) in [("a.plist", "<?xml"), ("a.bplist", "bplist00"), ("a.ndjson", "{\"snapshot\":{\"checksum\"")] {
      #expect(try cli.run("convert", "notes.json", name).status == Exit.good)
      #expect(try cli.bytes(name).starts(with: Data(start.utf8)))
    }
  }

  @Test func convertReplacesTheSameRecordsOnly() throws {
    try cli.makeStore()
    try cli.run("add", "Other", "--store", "other.json")
    let before = try cli.bytes("other.json")
    for arguments in [["convert", "notes.json", "other.json"], ["dump", "notes.json", "-o", "other.json"]] {
      let refused = try cli.run(arguments)
      #expect(refused.status == Exit.cannotCreate)
      #expect(refused.error.contains("--force"))
      #expect(try cli.bytes("other.json") == before)
    }
    #expect(try cli.run("convert", "notes.json", "same.plist").status == Exit.good)
    #expect(try cli.run("convert", "notes.json", "same.plist", "--format", "binary").status == Exit.good)
    #expect(try cli.run("convert", "notes.json", "other.json", "--force").status == Exit.good)
  }

  // MARK: Failures

  @Test func whatIsMissingOrCannotBeMade() throws {
    try cli.makeStore()
    #expect(try cli.run("dump", "missing.json").status == Exit.noInput)
    #expect(try cli.run("dump", ".").status == Exit.noInput)
    #expect(try cli.run("convert", "missing.json", "out.json").status == Exit.noInput)
    #expect(try cli.run("restore", "missing.json", "out.json").status == Exit.noInput)
    #expect(try cli.run("convert", "notes.json", "no/such/folder/out.json").status == Exit.cannotCreate)
    #expect(try cli.run("add", "x", "--store", "no/such/folder/s.json").status == Exit.cannotCreate)
    #expect(!cli.exists("out.json"))
  }

  @Test func standardInputAndOutput() throws {
    try cli.makeStore()
    let text = try cli.text("notes.json")
    #expect(try cli.run("convert", "-", "-", input: text).output == text)
    #expect(try cli.run("dump", "-", "-o", "-", "--format", "json", input: text).output == text)
    #expect(try cli.run("check", "-", input: text).output.hasPrefix("standard input: ok, "))
    #expect(try cli.run("info", "-", input: text).status == Exit.good)
    #expect(try cli.run("check", "-", "--accept", input: text.replacing("Second", with: "2")).status == Exit.usage)
    #expect(!cli.exists("-"))
  }

  @Test func nothingButAFileIsReplaced() throws {
    try cli.makeStore()
    try FileManager.default.createDirectory(at: cli.url("folder"), withIntermediateDirectories: false)
    let result = try cli.run("convert", "notes.json", "folder", "--force")
    #expect(result.status == Exit.cannotCreate || result.status == Exit.noInput)
    #expect(result.error.contains("a directory") || result.error.contains("not a regular file"))
    // A device is written, and stays what it is.
    #expect(try cli.run("convert", "notes.json", "/dev/null").status == Exit.good)
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func aFullDiskIsReported() throws {
    try cli.makeStore()
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.currentDirectoryURL = cli.folder
    process.arguments = ["-c", "\"\(CLI.tool.path)\" dump notes.json > /dev/full 2> error"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == Exit.ioError)
    #expect(try cli.text("error").contains("No space left"))
  }
}
