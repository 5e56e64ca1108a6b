import Foundation
import Testing

@testable import TestSupport

/// Every command on every kind of bad file: one clear line, the right exit code, and nothing is changed.
@Suite struct BadInputTests {
  let cli: CLI

  init() throws { cli = try CLI() }

  /// The content of the bad files.
  private static let files: [(name: String, content: String)] = [
    ("prose.json", "not a store"), ("empty.json", ""), ("array.json", "[1,2]"), ("object.json", "{\"a\":1}"),
    ("zeros.json", String(repeating: "\0", count: 100)), ("lines.ndjson", "{\"a\":1}\n{\"a\":2}\n"),
    ("binary.bplist", "bplist00 and no more"), ("page.plist", "<html><body></body></html>"),
    ("cut.json", String(RowsTests.shop.prefix(400))),
    (
      "deep.json",
      #"{"snapshot":{"schema":"x","version":1},"articles":[{"id":1,"name":"#
        + String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "}]}"
    ),
    (
      "control.json", "{\"snapshot\":{\"schema\":\"x\\u001b[2K\",\"version\":1},\"a\\u001b[2K\":[{\"\\u001b[2K\":tru}]}"
    ),
    (
      "edited.json",
      #"{"snapshot":{"checksum":1,"schema":"x","version":1},"articles":[{"id":1,"name":"a"}]}"#
    ),
  ]

  /// The commands. `FILE` stands for the bad file.
  private static let commands: [[String]] = [
    ["info", "FILE"], ["dump", "FILE"], ["convert", "FILE", "out.json"], ["restore", "FILE", "out.json"],
    ["diff", "FILE", "good.json"], ["diff", "good.json", "FILE"], ["merge", "FILE", "good.json"],
    ["merge", "good.json", "FILE"], ["merge", "good.json", "FILE", "--base", "FILE"],
    ["merge", "good.json", "FILE", "good.json", "-o", "FILE"],
    ["merge", "good.json", "good.json", "FILE", "-o", "out.json"], ["check", "FILE"], ["check", "FILE", "--accept"],
    ["migrate", "FILE"], ["fold", "FILE"], ["tables", "FILE"], ["tables", "FILE", "--json"],
    ["rows", "FILE", "articles"],
    ["rows", "FILE", "articles", "--where", "id > 0", "--count"],
    ["rows", "FILE", "articles", "--sort", "id", "--format", "csv"], ["get", "FILE", "articles", "1"],
    ["set", "FILE", "articles", "1", "name=b"], ["put", "FILE", "articles"], ["remove", "FILE", "articles", "1"],
    ["edit", "FILE", "articles", "1"], ["wait-for-change", "FILE"], ["watch", "FILE"],
    ["watch", "FILE", "articles", "--where", "id > 0"],
  ]

  private func listing() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: cli.folder.path).filter { !$0.hasPrefix(".std") }
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try cli.bytes($0)) })
  }

  @Test func oneClearLineAndNoChange() throws {
    for (name, content) in Self.files { try cli.write(content, to: name) }
    try cli.write(RowsTests.shop, to: "good.json")
    let before = try listing()
    let cases = Self.files.flatMap { file in Self.commands.map { (file.name, $0) } }
    each(Proofs.share(of: cases, oneIn: 10)) { (name: String, command: [String]) throws in
      // These two read an edited file, and `check --accept` is there to accept it.
      if name == "edited.json", ["info", "check"].contains(command[0]) { return }
      let arguments = command.map { $0 == "FILE" ? name : $0 }
      let result = try cli.run(
        arguments, input: #"{"id":1,"name":"b"}"#, environment: ["EDITOR": "sh -c 'echo x >> \"$0\"'"])
      let isCheck = command[0] == "check"
      #expect(result.status == (isCheck ? Exit.found : Exit.badData))
      // `check` reports on standard output, and adds a note.
      let (text, other) = isCheck ? (result.output, result.error) : (result.error, result.output)
      let lines = text.split(separator: "\n")
      #expect(lines.count == 1 || (isCheck && lines.count == 2 && lines[1].contains("note: ")), "\(text)")
      #expect(other.isEmpty && text.contains(name) && !text.contains("\u{1B}"), "\(text)")
      #expect(try listing() == before)
    }
  }

  /// Missing files and folders have another exit code.
  @Test func whatIsNoFile() throws {
    try FileManager.default.createDirectory(at: cli.url("folder"), withIntermediateDirectories: false)
    try cli.write(RowsTests.shop, to: "good.json")
    each(Proofs.share(of: Self.commands, oneIn: 8), ["none.json", "folder", ""]) { command, name throws in
      let result = try cli.run(command.map { $0 == "FILE" ? name : $0 }, input: "{}")
      let codes = [name.isEmpty ? Exit.usage : Exit.noInput]
      #expect(codes.contains(result.status) && result.output.isEmpty, "\(result.status) \(result.output)")
      #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
      #expect(!cli.exists("none.json") && !cli.exists("out.json"))
    }
  }

  /// On a terminal of 20 columns no table and no list is wider.
  @Test func aNarrowTerminal() throws {
    try cli.write(RowsTests.shop.replacing("\"people\"", with: "\"people of the whole world\""), to: "shop.json")
    each([
      ["tables", "shop.json"], ["rows", "shop.json", "articles"], ["rows", "shop.json", "people of the whole world"],
    ]) {
      (arguments: [String]) throws in
      let result = try Pseudoterminal.run(
        CLI.tool, arguments, in: cli.folder, environment: ["TERM": "xterm"], columns: 20)
      let text = result.text.replacing("\r\n", with: "\n").replacing("\u{1B}[1m", with: "")
        .replacing("\u{1B}[0m", with: "")
      let lines = text.split(separator: "\n").filter { !$0.contains("more: --columns") }
      #expect(result.status == Exit.good && lines.count >= 3 && lines.allSatisfy { $0.count <= 20 }, "\(text)")
    }
  }

  /// A script for a database is not fitted into the terminal.
  @Test func aScriptInANarrowTerminal() throws {
    try cli.write(RowsTests.shop, to: "shop.json")
    let arguments = ["export", "sql", "shop.json"]
    let terminal = try Pseudoterminal.run(
      CLI.tool, arguments, in: cli.folder, environment: ["TERM": "xterm"], columns: 20)
    #expect(terminal.status == Exit.good)
    #expect(terminal.text.replacing("\r\n", with: "\n") == (try cli.run(arguments).output))
  }

  /// A reader that has enough ends each command without a message.
  @Test func aClosedPipe() throws {
    let records = (0..<3_000).map { #"{"id":\#($0),"name":"\#(String(repeating: "x", count: 50))"}"# }
    let tables = (0..<3_000).map { #""table \#($0)":[]"# }.joined(separator: ",")
    try cli.write(
      #"{"snapshot":{"schema":"x","version":1},\#(tables),"t":[\#(records.joined(separator: ",\n"))]}"#, to: "many.json"
    )
    try cli.write(#"{"snapshot":{"schema":"x","version":1},"t":[]}"#, to: "none.json")
    let commands = [
      "dump many.json", "tables many.json", "tables many.json --json", "info many.json", "diff none.json many.json",
      "diff none.json many.json --json", "convert many.json - --format ndjson", "rows many.json t --format csv",
    ]
    each(Proofs.share(of: commands, oneIn: 3)) { (command: String) throws in
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", "\"$0\" \(command) 2>error.txt | head -n 1 | wc -l", CLI.tool.path]
      shell.currentDirectoryURL = cli.folder
      let pipe = Pipe()
      shell.standardOutput = pipe
      try shell.run()
      let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      shell.waitUntilExit()
      #expect(output.trimmingCharacters(in: .whitespacesAndNewlines) == "1")
      #expect(try cli.text("error.txt") == "")
    }
  }
}
