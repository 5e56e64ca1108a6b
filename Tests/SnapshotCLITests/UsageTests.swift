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
    "dump", "restore", "convert", "check", "info", "edit", "sync", "diff", "migrate", "merge", "generations", "recover",
    "tables", "rows", "get", "set", "put", "remove", "watch",
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
