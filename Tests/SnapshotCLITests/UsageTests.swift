import Foundation
import Testing

@testable import TestSupport

/// Help, versions, and the messages for wrong usage.
@Suite struct UsageTests {
  let cli: CLI

  init() throws { cli = try CLI() }

  private static let commands = [
    "demo", "add", "list", "search", "show", "delete", "archive", "unarchive", "tag", "untag", "tags", "import",
    "export",
    "dump", "restore", "convert", "check", "info", "edit", "sync", "diff", "migrate", "fold", "merge", "generations",
    "recover",
    "tables", "rows", "get", "set", "put", "remove", "watch", "wait-for-change", "completions", "manual",
  ]

  @Test func overviewNamesEveryCommand() throws {
    let help = try cli.run("--help")
    #expect(help.status == Exit.good)
    for command in Self.commands { #expect(help.output.contains("\n  \(command) ")) }
    for line in help.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    #expect(try cli.run("help").output == help.output)
  }

  @Test func everyCommandHasHelp() {
    each(Self.commands) { (command: String) throws in
      let help = try cli.run(command, "--help")
      #expect(help.status == Exit.good)
      #expect(help.output.hasPrefix("Usage: snapshot-cli \(command)"))
      #expect(help.error.isEmpty)
      // A terminal of 80 columns would break a longer line.
      for line in help.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
      #expect(try cli.run("help", command).output == help.output)
    }
  }

  /// On a narrow terminal the texts are filled anew. Examples keep their lines.
  @Test func helpFitsTheTerminal() throws {
    for arguments in [["rows", "--help"], ["--help"], ["export", "--help"]] {
      let result = try Pseudoterminal.run(
        CLI.tool, arguments, in: cli.folder, environment: ["TERM": "dumb"], columns: 40)
      let lines = result.text.replacing("\r\n", with: "\n").split(separator: "\n")
      #expect(lines.count > 40 && lines.filter { $0.count > 40 }.allSatisfy { $0.hasPrefix("  ") }, "\(result.text)")
    }
  }

  @Test func nearNamesAreSuggested() throws {
    #expect(try cli.run("lsit").error.contains("did you mean “list”?"))
    #expect(try cli.run("rows", "a", "b", "--wehre", "x").error.contains("did you mean “--where”?"))
    #expect(try cli.run("dump", "a", "--format", "jsn").error.contains("did you mean “json”?"))
    #expect(try cli.run("tags", "renam", "--store", "s").error.contains("did you mean “rename”?"))
    try cli.makeStore()
    #expect(try cli.run("list", "notes.json", "--tag", "Erands").error.contains("did you mean “Errands”?"))
  }

  /// The three sources of the store, in commands of every form.
  @Test func theStoreComesFromThreePlaces() throws {
    try cli.makeStore()
    let environment = ["SNAPSHOT_STORE": "notes.json"]
    for command in [["check"], ["list"], ["tables"], ["rows", "tags"], ["get", "tags", "later"], ["dump"], ["tags"]] {
      let fromOption = try cli.run(["--store", "notes.json"] + command)
      let fromEnvironment = try cli.run(command, environment: environment)
      #expect(fromOption.status == Exit.good && !fromOption.output.isEmpty, "\(command) \(fromOption.error)")
      #expect(fromEnvironment.output == fromOption.output, "\(command) \(fromEnvironment.error)")
      if command == ["tags"] { continue }
      let fromOperand = try cli.run([command[0], "notes.json"] + command.dropFirst())
      #expect(fromOperand.output == fromOption.output, "\(command) \(fromOperand.error)")
    }
    let taken = try cli.run("remove", "tags", "later", "errands", environment: environment)
    #expect(taken.status == Exit.noInput && taken.error.contains("add --store \"$SNAPSHOT_STORE\""), "\(taken.error)")
    let missing = try cli.run("check", "none.json")
    #expect(missing.error == "snapshot-cli: none.json: there is no such file\n")
    // An operand counts more than the environment.
    #expect(try cli.run("check", "notes.json", environment: ["SNAPSHOT_STORE": "none.json"]).status == Exit.good)
    #expect(try cli.run("set", "tags", "later", "name=LATER", "--store=notes.json").status == Exit.good)
    #expect(try cli.run("generations", "compare", "1", environment: environment).output.contains("LATER"))
  }

  /// With IN forgotten, the store of the environment would be written over the only file that is named.
  @Test func aFileIsNotReplacedByTheStoreOfTheEnvironment() throws {
    try cli.makeStore()
    try cli.write(#"{"snapshot":{"schema":"notebook","version":1}}"#, to: "other.json")
    let old = try cli.bytes("other.json")
    let environment = ["SNAPSHOT_STORE": "notes.json"]
    let forced = try cli.run("convert", "--force", "-f", "binary", "other.json", environment: environment)
    #expect(forced.status == Exit.usage && forced.error.contains("IN must be named too"), "\(forced.error)")
    #expect(try cli.bytes("other.json") == old)
    #expect(try cli.run("convert", "new.plist", environment: environment).status == Exit.good)
    #expect(try cli.run("convert", "--force", "other.json", "--store=notes.json").status == Exit.good)
    #expect(try cli.bytes("other.json") == cli.bytes("notes.json"))
  }

  /// With one file, a user may mean that file, and not the store of the environment.
  @Test func theStoreOfTheEnvironmentIsNotReplacedByADump() throws {
    try cli.makeStore()
    try cli.write(#"{"snapshot":{"schema":"notebook","version":1}}"#, to: "dump.json")
    let old = try cli.bytes("notes.json")
    let environment = ["SNAPSHOT_STORE": "notes.json"]
    let forced = try cli.run("restore", "--force", "dump.json", environment: environment)
    #expect(forced.status == Exit.usage && forced.error.contains("STORE must be named too"), "\(forced.error)")
    #expect(try cli.bytes("notes.json") == old)
    let named = try cli.run("restore", "--force", "dump.json", "--store=notes.json", environment: environment)
    #expect(named.status == Exit.good && named.output.hasPrefix("restored notes.json: 0 notes"), "\(named)")
    let new = try cli.run("restore", "dump.json", environment: ["SNAPSHOT_STORE": "new.json"])
    #expect(new.output.hasPrefix("restored new.json: "))
  }

  @Test func version() throws {
    let result = try cli.run("--version")
    #expect(result.status == Exit.good)
    #expect(result.output.hasPrefix("snapshot-cli "))
  }

  @Test func wrongUsage() {
    each([
      [], ["frobnicate"], ["info"], ["info", "a", "b"], ["info", "a", "--frobnicate"], ["list"],
      ["add", "--store", "s"],
      ["add", "x", "--store"], ["add", "x", "--store", "s", "--store", "t"], ["show", "one", "--store", "s"],
      ["show", "-5", "--store", "s"], ["dump", "s", "--format", "yaml"], ["import", "evernote", "a", "b"],
      ["import", "csv", "a"], ["import", "csv", "a", "b", "--on-conflict", "ask"], ["export", "csv", "a"],
      ["export", "evernote", "a", "b"], ["export", "csv", "a", "b", "c"],
      ["demo", "--changes", "many"], ["add", "x", "--tag", " ", "--store", "s.json"],
    ]) { (arguments: [String]) throws in
      let process = try cli.run(arguments)
      #expect(process.status == Exit.usage)
      #expect(process.output.isEmpty)
      #expect(!process.error.isEmpty)
      #expect(!cli.exists("s.json"))
    }
  }

  @Test func optionsMayStandAnywhere() throws {
    let first = try cli.run("add", "--store=s.json", "--tag", "A", "Text", "--tag=B")
    #expect(first.status == Exit.good)
    let dash = try cli.run("add", "--store", "s.json", "--", "--not an option")
    #expect(dash.status == Exit.good)
    let text = try cli.run("show", dash.output.trimmingCharacters(in: .newlines), "--store", "s.json").output
    #expect(text == "--not an option\n")
  }
}
