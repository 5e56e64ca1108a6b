import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// Import and export of the formats of other programs.
@Suite struct ExchangeTests {
  let cli: CLI

  init() throws { cli = try CLI() }

  private static let header = "id,text,tags,archived,created,sort,modified\r\n"

  @Test(arguments: ["vesper", "csv", "ndjson"]) func whatIsExportedIsImported(_ format: String) throws {
    try cli.makeStore()
    let export = try cli.run("export", format, "notes.json", "out")
    #expect(export.status == Exit.good)
    #expect(export.output == "exported 2 notes\n")
    #expect(try cli.run("export", format, "notes.json", "-").outputBytes == Array(try cli.bytes("out")))
    #expect(try cli.run("import", format, "out", "copy.plist").status == Exit.good)
    #expect(try cli.run("export", format, "copy.plist", "again").status == Exit.good)
    #expect(try cli.bytes("again") == cli.bytes("out"))
    let before = try cli.bytes("notes.json")
    let twice = try cli.run("import", format, "-", "notes.json", input: try cli.text("out"))
    #expect(twice.output == "added 0 notes, 0 tags, 0 attachments\nskipped 2 notes that exist already\n")
    #expect(try cli.bytes("notes.json") == before)
    #expect(try cli.run("check", "copy.plist").status == Exit.good)
  }

  @Test func csvSaysWhatItLeavesOut() throws {
    try cli.makeStore()
    let result = try cli.run("export", "csv", "notes.json", "-")
    #expect(result.output.hasPrefix(Self.header))
    #expect(result.error == "snapshot-cli: CSV has no attachments: those of 1 note are left out\n")
  }

  @Test func dryRunChangesNothing() throws {
    try cli.write("text,tags\nHello,New\n", to: "in.csv")
    let none = try cli.run("import", "csv", "in.csv", "notes.json", "--dry-run")
    #expect(none.status == Exit.good)
    #expect(!cli.exists("notes.json"))
    try cli.makeStore()
    let before = try cli.bytes("notes.json")
    let rehearsal = try cli.run("import", "csv", "in.csv", "notes.json", "--dry-run")
    #expect(rehearsal.error == "snapshot-cli: this was a dry run; nothing was changed\n")
    #expect(try cli.bytes("notes.json") == before)
    let real = try cli.run("import", "csv", "in.csv", "notes.json")
    #expect(real.output == rehearsal.output && real.output == "added 1 note, 1 tag, 0 attachments\n")
    #expect(try cli.bytes("notes.json") != before)
  }

  @Test func conflictsAreSkippedOrChangedOrAdded() throws {
    try cli.makeStore()
    try cli.write("id,text\n1001,Mine\n1002,Second\n", to: "in.csv")
    let skipped = try cli.run("import", "csv", "in.csv", "notes.json")
    #expect(
      skipped.output == """
        added 0 notes, 0 tags, 0 attachments
        skipped 1 note that exists already
        skipped in.csv:2, note 1001: is here with other content\n
        """)
    let added = try cli.run("import", "csv", "in.csv", "notes.json", "--on-conflict", "add")
    #expect(added.output.hasPrefix("added 1 note, "))
    let changed = try cli.run("import", "csv", "in.csv", "notes.json", "--on-conflict=change")
    #expect(changed.output.contains("\nchanged 1 note\n"))
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    #expect(notebook.notes.count == 3)
    #expect(notebook.notes[1001]?.text == "Mine")
    #expect(notebook.notes[1001]?.tags == ["new york", "errands"])
    #expect(notebook.allViolations() == [])
  }

  @Test func theFirstTwentySkippedAreNamed() throws {
    let lines = (1...25).map { "{\"id\":\($0),\"text\":\"a\"}\n" }.joined()
    try cli.run("import", "ndjson", "-", "notes.json", input: lines)
    let result = try cli.run("import", "ndjson", "-", "notes.json", input: lines.replacing("\"a\"", with: "\"b\""))
    let output = result.output.split(separator: "\n")
    #expect(output.count == 22)
    #expect(output[20] == "skipped standard input:20, note 20: is here with other content")
    #expect(output[21] == "skipped 5 more; 25 in all")
  }

  @Test func remarksArePrinted() throws {
    let result = try cli.run("import", "csv", "-", "notes.json", input: "text,\u{1B}[31mred\nHello,x\n")
    #expect(result.status == Exit.good)
    #expect(result.output.hasSuffix("\nthe column “\\u{1B}[31mred” is unknown, and was ignored\n"))
  }

  @Test(arguments: [
    ("csv", "text\na\n\"b\n", ":3:1 (byte 7): "), ("csv", "text,id\na,1\nb,x\n", ":3:3 (byte 14): id: "),
    ("csv", "a,b\n", ":1:1 (byte 0): "), ("csv", "", ": "),
    ("ndjson", "{\"text\":\"a\"}\n{\"text\":1}\n", ":2:9 (byte 21): text: "),
    ("ndjson", "{\"text\":\"a\"}\nhello\n", ":2:1 (byte 13): "), ("vesper", "[", ":1:2 (byte 1): "),
  ])
  func wrongInputChangesNothing(_ format: String, _ input: String, _ place: String) throws {
    try cli.makeStore()
    let before = try cli.bytes("notes.json")
    try cli.write(input, to: "in")
    for store in ["notes.json", "new.json"] {
      let result = try cli.run("import", format, "in", store)
      #expect(result.status == Exit.badData)
      #expect(result.output.isEmpty)
      #expect(result.error.hasPrefix("snapshot-cli: in" + place))
      #expect(result.error.split(separator: "\n").count == 1)
    }
    #expect(!cli.exists("new.json"))
    #expect(try cli.bytes("notes.json") == before)
  }

  @Test func aSnapshotIsNoExport() throws {
    try cli.makeStore("notes.ndjson")
    let result = try cli.run("import", "ndjson", "notes.ndjson", "other.json")
    #expect(result.status == Exit.badData)
    #expect(result.error.contains("snapshot"))
    #expect(!cli.exists("other.json"))
  }

  // MARK: Output files

  @Test func anExistingFileIsReplacedOnRequestOnly() throws {
    try cli.makeStore()
    try cli.write("mine", to: "out.csv")
    let refused = try cli.run("export", "csv", "notes.json", "out.csv")
    #expect(refused.status == Exit.cannotCreate)
    #expect(refused.error.contains("--force"))
    #expect(try cli.text("out.csv") == "mine")
    // A file that is no export is not replaced at all.
    let mine = try cli.run("export", "csv", "notes.json", "out.csv", "--force")
    #expect(mine.status == Exit.cannotCreate && mine.error.contains("no export in the format csv"))
    #expect(try cli.text("out.csv") == "mine")
    try cli.write("", to: "out.csv")
    for _ in 1...2 {
      #expect(try cli.run("export", "csv", "notes.json", "out.csv", "--force").status == Exit.good)
      #expect(try cli.text("out.csv").hasPrefix(Self.header))
    }
    #expect(try cli.run("export", "csv", "notes.json", "no/folder/out.csv").status == Exit.cannotCreate)
  }

  @Test(arguments: ["notes.json", "notes.plist", "notes.bplist", "notes.ndjson"])
  func aStoreIsNeverReplaced(_ name: String) throws {
    try cli.makeStore(name)
    try FileManager.default.createSymbolicLink(at: cli.url("link"), withDestinationURL: cli.url(name))
    let before = try cli.bytes(name)
    for output in [name, "link"] {
      let refused = try cli.run("export", "csv", name, output, "--force")
      #expect(refused.status == Exit.cannotCreate)
      #expect(refused.error.contains("a store"))
    }
    #expect(try cli.bytes(name) == before)
    // Neither is an unreadable one.
    try before.prefix(before.count / 2).write(to: cli.url(name))
    try cli.makeStore("other.json")
    #expect(try cli.run("export", "csv", "other.json", name, "--force").status == Exit.cannotCreate)
  }

  // MARK: Interruption

  /// While the input is being read, nothing has been changed. (Not SIGINT, which a shell may have told us to ignore.)
  @Test func anInterruptedImportLeavesNothing() throws {
    let process = Process()
    process.executableURL = CLI.tool
    process.arguments = ["import", "csv", "-", "notes.json"]
    process.currentDirectoryURL = cli.folder
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("text\nHello\n".utf8))
    process.terminate()
    process.waitUntilExit()
    try input.fileHandleForWriting.close()
    // It may end before it can handle the signal itself.
    #expect(process.terminationReason == .uncaughtSignal || process.terminationStatus == 130)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cli.folder.path).isEmpty)
  }

  // MARK: Losses to avoid

  @Test(arguments: ["vesper", "csv", "ndjson"]) func onlyAnExportOfTheFormatIsReplaced(_ format: String) throws {
    try cli.makeStore()
    #expect(try cli.run("export", format, "notes.json", "out").status == Exit.good)
    let export = try cli.text("out")
    #expect(try cli.run("export", format, "notes.json", "out", "--force").status == Exit.good)
    let store = try cli.text("notes.json")
    let others = [
      "\u{FEFF}" + store.dropLast(10), " \n" + store.dropLast(10), "<plist><dict>\n<key>snapshot</key>",
      "{\"notes\":[", "{\"id\":1,\"text\":\"a\",\"mine\":1}\n", "id,text,mine\n",
    ]
    for other in others + ["vesper", "csv", "ndjson"].filter({ $0 != format }) {
      if ["vesper", "csv", "ndjson"].contains(other) {
        try cli.write(try cli.run("export", other, "notes.json", "-").output, to: "out")
      } else {
        try cli.write(other, to: "out")
      }
      let before = try cli.bytes("out")
      #expect(try cli.run("export", format, "notes.json", "out", "--force").status == Exit.cannotCreate, "\(other)")
      #expect(try cli.bytes("out") == before)
    }
    #expect(!export.isEmpty)
  }

  @Test func aStoreHasAName() throws {
    try cli.write("text\nHello\n", to: "in.csv")
    let result = try cli.run("import", "csv", "in.csv", "-")
    #expect(result.status == Exit.usage && result.error.contains("the store must be a file"))
    #expect(!cli.exists("-"))
  }

  @Test func aRehearsalFailsWhereTheImportWould() throws {
    try cli.write("text\nHello\n", to: "in.csv")
    for extra in [[], ["--dry-run"]] {
      let result = try cli.run(["import", "csv", "in.csv", "none/notes.json"] + extra)
      #expect(result.status == Exit.cannotCreate && result.output.isEmpty)
      #expect(result.error.contains("there is no directory"))
    }
  }

  @Test func linesOfTheHelpFitIntoATerminal() throws {
    for command in ["import", "export"] {
      for line in try cli.run(command, "--help").output.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }
  }

  #if os(Linux)
    private func shell(_ command: String) throws -> (status: Int32, error: String) {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", command, CLI.tool.path]
      process.currentDirectoryURL = cli.folder
      let error = Pipe()
      process.standardError = error
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      let text = try error.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    /// A limit on the size of files is an error like a full disk, and leaves nothing behind.
    @Test func aLimitOfTheSizeOfFiles() throws {
      let lines = (1...20).map { "{\"text\":\"Note \($0) \(String(repeating: "long ", count: 4_000))\"}\n" }.joined()
      #expect(try cli.run("import", "ndjson", "-", "notes.json", input: lines).status == Exit.good)
      try cli.write(lines, to: "in.ndjson")
      let before = try FileManager.default.contentsOfDirectory(atPath: cli.folder.path).sorted()
      for command in [
        "export csv notes.json out", "export markdown notes.json out", "export vesper-folder notes.json out",
        "import ndjson in.ndjson new.json",
      ] {
        let result = try shell("ulimit -f 8; exec \"$0\" \(command)")
        #expect(result.status == Exit.ioError, "\(command): \(result.error)")
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: cli.folder.path).sorted().filter {
            !$0.hasSuffix(".lock")
          }
            == before.filter { !$0.hasSuffix(".lock") })
      }
    }

    @Test func aFailureToTellIsNoFailureToImport() throws {
      try cli.write("text\nHello\n", to: "in.csv")
      let result = try shell("\"$0\" import csv in.csv notes.json > /dev/full")
      #expect(result.status == Exit.ioError)
      #expect(result.error.hasPrefix("snapshot-cli: the notes were imported, but writing to standard output failed"))
      #expect(cli.exists("notes.json"))
    }
  #endif
}
