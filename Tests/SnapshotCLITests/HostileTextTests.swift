import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

@testable import TestSupport

/// No name, text or file controls the terminal.
@Suite struct HostileTextTests {
  let cli: CLI
  private static let noncharacters = [0xFDD3, 0xFDD1].compactMap { Unicode.Scalar($0) }.map { "\($0)" }.joined()
  /// Erases the line, rings, turns the direction of text, breaks lines, and has noncharacters.
  static let bad = "x\(noncharacters)\u{1B}[2K\u{1B}[1m\u{7}\u{202E}\u{2066}\u{85}\u{9B}31m\r\ny\u{2028}z"
  /// A command of one line: the shell's own messages are not tested.
  static let editor = "false # \(bad.replacing("\r\n", with: ""))"

  init() throws {
    cli = try CLI()
    var notebook = Notebook()
    let tag = notebook.tag(named: Self.bad)
    let date = Date(timeIntervalSinceReferenceDate: 0)
    try notebook.upsert(Note(id: 1001, text: Self.bad + "\n" + Self.bad, creationDate: date))
    try notebook.setTags([tag.id], of: 1001)
    try Data(SnapshotFile.encode(notebook, as: .json)).write(to: cli.url("store.json"))
    notebook.deleteNotes([1001])
    try Data(SnapshotFile.encode(notebook, as: .json)).write(to: cli.url("other.json"))
    try cli.write("{\"snapshot\":{\"schema\":\"x\\u001b[2K\",\"version\":1},\"\\u001b[2K\":[]}", to: "schema.json")
    try cli.write(
      "{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\"a\\u001b[2K\":[{\"\\u001b\":1}]}", to: "table.json")
    try cli.write("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\"tags\":[{\"\\u001b\":1}]}", to: "key.json")
    try cli.write("text,id\n\u{1B}[2K,\u{1B}[2K\n", to: "bad.csv")
  }

  static let commands: [[String]] = [
    ["list", "--store", "store.json"], ["list", "--json", "--store", "store.json"],
    ["show", "1001", "--store", "store.json"],
    ["search", "x", "--store", "store.json"], ["tags", "--store", "store.json"],
    ["tags", "--json", "--store", "store.json"],
    ["dump", "store.json"], ["dump", "store.json", "-f", "xml"], ["check", "store.json"],
    ["info", "store.json", "--json"],
    ["diff", "store.json", "other.json"], ["diff", "store.json", "other.json", "--json"],
    ["diff", "--git", "p\(bad)", "store.json", "0", "0", "other.json", "0", "0"],
    ["merge", "store.json", "other.json", "-o", "out.json"], ["sync", "store.json", "other.json", "--dry-run"],
    ["export", "csv", "store.json", "-"], ["export", "vesper", "store.json", "-"],
    ["export", "ndjson", "store.json", "-"],
    ["generations", "store.json"], ["check", "schema.json"], ["info", "schema.json"], ["dump", "schema.json"],
    ["check", "table.json"], ["dump", "table.json"], ["recover", "table.json", "-o", "o.json"], ["check", "key.json"],
    ["dump", "key.json"], ["recover", "key.json", "-o", "o2.json"], ["import", "csv", "bad.csv", "store.json"],
    ["import", "csv", "bad.csv", "no\(bad)/store.json"],
    ["import", "csv", "bad.csv", "no\(bad)/store.json", "--dry-run"],
    ["tags", "rename", "none\(bad)", "x", "--store", "store.json"], ["add", "x", "--store", "no\(bad)/x.json"],
    ["add", "x", bad], ["list", "--\(bad)"], [bad], ["list", "--store", "missing\(bad)"], ["dump", bad],
    ["convert", bad, bad], ["convert", "store.json", "no\(bad)/x"], ["restore", bad, bad],
    ["restore", "store.json", "no\(bad)/x"],
    ["check", bad], ["info", bad], ["recover", bad, "-o", bad], ["generations", bad],
    ["generations", "store.json", bad],
    ["generations", "store.json", "restore", bad], ["merge", bad, bad], ["sync", bad, bad],
    ["sync", "store.json", bad],
    ["sync", "store.json", "other.json", "-o", "no\(bad)/x"], ["sync", "store.json", "other.json", "--policy", bad],
    ["diff", bad, bad], ["migrate", bad], ["fold", bad], ["edit", bad], ["show", bad], ["delete", bad],
    ["export", bad, "x", "y"],
    ["export", "csv", "store.json", "no\(bad)/x"], ["export", "markdown", "store.json", "no\(bad)/x"],
    ["export", "markdown", "store.json", "md", "--pictures", bad], ["import", "markdown", bad, "store.json"],
    ["set", "table.json", "a\u{1B}[2K", "1", "x=1"], ["remove", "table.json", "a\u{1B}[2K", "x"],
    ["put", "table.json", "a\u{1B}[2K"], ["edit", "table.json", "a\u{1B}[2K", "1"],
    ["set", "table.json", "a\u{1B}[2K", "1", "[\"\\u001b\"]=x"], ["get", "table.json", "a\u{1B}[2K", bad],
    ["tables", "table.json"], ["tables", "table.json", "--json"], ["rows", "table.json", "a\u{1B}[2K"],
    ["rows", "table.json", "a\u{1B}[2K", "--format", "csv"], ["rows", "store.json", "notes"], ["tables", bad],
    ["rows", "store.json", "notes", "--format", "json"], ["rows", "store.json", bad],
    ["get", "store.json", "notes", bad],
    ["rows", "store.json", "notes", "--where", bad], ["rows", "store.json", "notes", "--where", "[\"\(bad)\"] == 1"],
    ["rows", "store.json", "notes", "--sort", bad], ["rows", "store.json", "notes", "--columns", "[\"\(bad)\"]"],
    ["get", "store.json", "notes", "1001"], ["set", "store.json", "notes", bad, "a=1"],
    ["set", "store.json", "notes", "1001", bad],
    ["set", "store.json", "notes", "1001", "archived=\(bad)"], ["put", "store.json", bad], ["watch", bad],
    ["wait-for-change", bad], ["wait-for-change", "store.json", "--since", bad],
    ["watch", "store.json", bad], ["edit", "store.json", "notes", bad],
    ["remove", "store.json", "notes", bad],
    ["edit", "1001", "--store", "store.json"], ["demo", "no\(bad)/x"], ["--help", bad], ["help", bad],
  ]

  @Test func noTerminalActsOnIt() {
    // Each in a folder of its own.
    each(Proofs.share(of: Self.commands, oneIn: 3)) { command in try Self().run(command) }
  }

  private func run(_ command: [String]) throws {
    let result = try Pseudoterminal.run(
      CLI.tool, command, in: cli.folder,
      environment: [
        "PATH": "/usr/bin:/bin", "TMPDIR": cli.folder.path, "TERM": "xterm", "EDITOR": Self.editor,
      ])
    var text = result.text
    #expect(!text.isEmpty)
    // The tool's own styles and rewritten lines.
    let own = ["\u{1B}[2m", "\u{1B}[22m", "\u{1B}[1m", "\u{1B}[31m", "\u{1B}[32m", "\u{1B}[0m", "\r\u{1B}[K", "\r\n"]
    // Only the style in the bad text is one of them.
    #expect(!text.contains("\u{1B}[2K\u{1B}[1m"))
    #expect(!text.contains("\u{1B}[31m\u{1B}[1m"))
    for sequence in own { text = text.replacing(sequence, with: "\n") }
    let raw = text.unicodeScalars.filter { $0 != "\n" && $0 != "\t" && Self.isRaw($0) }
    #expect(raw.isEmpty, "\(raw.map { String($0.value, radix: 16) }) in \(text.debugDescription)")
  }

  private static func isRaw(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar != "\u{200D}" && scalar != "\u{200C}"
    default: false
    }
  }

  /// The texts of help have a placeholder for the name of the tool. No path is one.
  @Test func aPathIsNoPlaceholder() throws {
    for command in [["check", "{tool}.json"], ["list", "--store", "{tool}.json"], ["{tool}"]] {
      let result = try cli.run(command)
      #expect((result.error + result.output).contains("{tool}"), "\(command)")
    }
    #expect(try cli.run("set", "key.json", "tags", "1", "a=1").error.contains("snapshot-cli"))
  }

  // Data stays as it is in a pipe or file.
  @Test func aPipeGetsWhatIsThere() throws {
    #expect(try cli.run("show", "1001", "--store", "store.json").output.contains(Self.bad))
    #expect(try Data(cli.run("dump", "store.json").outputBytes) == cli.bytes("store.json"))
    // Messages are escaped everywhere.
    for command in Proofs.share(of: Self.commands, oneIn: 4) {
      let error = try cli.run(command, environment: ["EDITOR": Self.editor]).error
      let raw = error.unicodeScalars.filter { $0 != "\n" && $0 != "\t" && Self.isRaw($0) }
      #expect(raw.isEmpty, "\(command): \(error.debugDescription)")
    }
  }
}
