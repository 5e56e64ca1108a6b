import Foundation
import SnapshotStore
import Testing

@testable import SnapshotCommands
@testable import TestSupport

/// What completes a command line.
@Suite struct CompletionTests {
  private let folder: TemporaryFolder
  private let tool = SnapshotCommands.Tool(
    name: "odd", version: "1", summary: "", notes: "", commands: StoreCommands<OddModel>.general)

  init() throws {
    folder = try TemporaryFolder()
    try SnapshotFile.create(OddModel.sample(), as: .json, at: folder.url("odd.json"))
  }

  private func reply(_ words: String..., store: String? = nil) -> CompletionReply {
    var environment: [String: String] = ["HOME": folder.url("").path]
    environment[StorePath.variable] = store
    let words = words.map { $0.replacing("FILE", with: folder.url("odd.json").path) }
    return Completion(tool: tool, environment: environment).reply(Array(words.dropLast()), words[words.count - 1])
  }

  private func values(_ words: String..., store: String? = nil) -> [String] {
    var environment: [String: String] = [:]
    environment[StorePath.variable] = store
    let words = words.map { $0.replacing("FILE", with: folder.url("odd.json").path) }
    return Completion(tool: tool, environment: environment).reply(Array(words.dropLast()), words[words.count - 1])
      .values.map(\.value)
  }

  @Test func commandsAndTheirOptions() {
    #expect(values("re") == ["restore", "recover", "remove"] && values("help", "inf") == ["info"])
    #expect(values("") == tool.commands.map { $0.name } + ["help"])
    #expect(values("-") == ["--store", "--help", "--version"])
    #expect(values("check", "-") == ["--accept", "--store", "--help"])
    #expect(values("check", "--accept", "--") == ["--store", "--help"])
    #expect(values("rows", "FILE", "x", "-w", "a", "--w") == ["--where"])
    #expect(values("diff", "--git", "--") == ["--json", "--help"])
    #expect(
      values("merge", "a", "b", "c", "--m") == ["--marker-size"] && values("merge", "a", "--m") == ["--marker-size"])
    #expect(values("diff", "--g") == ["--git"])
    #expect(values("check", "--", "--") == [] && values("nonsense", "") == [])
  }

  @Test func wordsOfOptionsAndOperands() {
    #expect(values("dump", "--format", "") == ["json", "xml", "binary", "ndjson"])
    #expect(values("dump", "-f", "n") == ["ndjson"] && values("--format", "n") == ["ndjson"])
    #expect(values("export", "") == ["sql"] && values("export", "sql", "FILE", "--dialect=p") == ["postgresql"])
    #expect(reply("dump", "--format=n").prefix == "--format=")
    #expect(values("generations", "FILE", "") == ["compare", "restore"])
    #expect(values("completions", "") == ["bash", "zsh", "fish"])
  }

  @Test func filesOfAKind() {
    #expect(reply("check", "").files == .files(["json", "plist", "bplist", "ndjson"]))
    #expect(reply("manual", "").files == .folders && reply("diff", "--git", "").files == .files([]))
    #expect(reply("export", "sql", "FILE", "-o", "").files == .files(["sql"]))
    #expect(reply("rows", "a", "").files == nil && reply("check", "a", "").files == nil)
  }

  /// Names in a store, from each source of the store.
  @Test func namesInAStore() throws {
    let path = folder.url("odd.json").path
    let tables = values("rows", "FILE", "")
    #expect(tables.count == 5, "\(tables)")
    #expect(values("rows", "--store", "FILE", "") == tables && values("rows", "--store=FILE", "") == tables)
    #expect(values("--store", "FILE", "rows", "") == tables && values("rows", "", store: path) == tables)
    #expect(reply("rows", "", store: path).files != nil && reply("rows", "--store", "FILE", "").files == nil)
    #expect(values("get", tables[0], "", store: path) == ["7", "8", "100"])
    // An id that looks like an option can only stand after the dashes.
    #expect(values("get", "FILE", tables[0], "") == ["7", "8", "100"])
    #expect(values("get", "FILE", "--", tables[0], "") == ["-3", "7", "8", "100"])
    #expect(reply("get", "FILE", tables[0], "").values.map(\.help).contains("Gadget 7"))
    #expect(values("set", "FILE", "spots", #"{"x":1,"y":1}"#, "la") == ["label="])
    #expect(values("set", "FILE", "spots", "1", "a=1", "--remove", "la") == ["label"])
    #expect(values("rows", "FILE", "spots", "--columns", "place,la") == ["place,label"])
    #expect(values("rows", "FILE", "spots", "--sort", "-p") == [])
    #expect(values("rows", "FILE", "spots", "--sort=label,-p") == ["label,-place"])
    #expect(values("remove", "FILE", tables[0], "7", "1") == ["100"])
  }

  /// Nothing is read that could take long, and nothing fails.
  @Test func whatCannotBeReadHasNoNames() throws {
    let pipe = folder.url("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    try Data("not a store".utf8).write(to: folder.url("prose.json"))
    let big = folder.url("big.json").path
    #expect(
      FileManager.default.createFile(atPath: big, contents: nil)
        && truncate(big, off_t(StoreCandidates.sizeLimit + 1)) == 0)
    for path in [pipe, big, folder.url("prose.json").path, folder.url("none").path, folder.url("").path, "-", ""] {
      #expect(values("rows", path, "") == [] && values("get", path, "spots", "") == [], "\(path)")
    }
    #expect(values("get", "FILE", "none", "") == [] && values("generations", "FILE", "restore", "") == [])
  }

  @Test func namesThatCannotBeTypedAreLeftOut() {
    let all = ["a\u{1B}b", "a\nb", "a\u{202E}b", "a\u{2028}", "Ab", "ab c"].map { Completed($0) }
    #expect(CompletionReply(all, beginningWith: "").values.map(\.value) == ["Ab", "ab c"])
    #expect(CompletionReply(all, beginningWith: "a").values.map(\.value) == ["ab c"])
    #expect(CompletionReply(all, beginningWith: "AB").values.map(\.value) == ["Ab", "ab c"])
    #expect(CompletionReply((0..<5_000).map { Completed("\($0)") }, beginningWith: "").values.count == 1_000)
  }

  @Test func linesForTheShells() {
    func lines(_ words: String...) -> [String] { CompleteRequest(words, tool: tool).lines }
    #expect(lines("zsh", "dump", "") == [":files json plist bplist ndjson"])
    #expect(lines("zsh", "manual", "") == [":folders"] && lines("zsh", "inf").count == 1)
    #expect(lines("fish", "dump", "--format=n") == ["--format=ndjson"])
    #expect(
      lines("bash", "odd dump --format=n", " =") == ["ndjson "]
        && lines("bash", "odd dump --format=n", " ") == ["--format=ndjson "])
    #expect(lines("bash", "odd dump --format 'n", " ") == ["ndjson"])
    for request in [[], ["bash"], ["bash", "x"], ["zsh"], ["fish"], ["tcsh", "x"]] {
      #expect(CompleteRequest(request, tool: tool).lines == [])
    }
  }

  /// Each parameter is in the help, in the completions and in the manual.
  @Test func oneDescriptionServesAll() throws {
    let pages = Dictionary(ManualPage(tool: tool, date: "2026-01-31").pages) { first, _ in first }
    #expect(pages.count == tool.commands.count + 1)
    for command in tool.commands {
      let help = CommandHelp(command: command, tool: tool, width: 80).text
      let page = try #require(pages["odd-\(command.name).1"])
      for form in CommandForm.all(of: command) {
        for parameter in form.parameters {
          #expect(help.contains(parameter.name) && page.contains(Roff.escaped(parameter.name)), "\(command.name)")
          guard parameter.isOption else { continue }
          let flags = form.options.filter { $0.form == .flag && $0.isRequired && $0.name != parameter.name }.map(\.name)
          let words = [command.name] + flags
          let offered = Completion(tool: tool, environment: [:]).reply(words, parameter.name).values.map(\.value)
          #expect(offered.contains(parameter.name), "\(command.name) \(parameter.name)")
        }
      }
    }
    let overview = try #require(pages["odd.1"])
    for command in tool.commands { #expect(overview.contains("\\fB\(Roff.escaped(command.name))\\fP")) }
  }

  @Test func aManualPageIsPlainText() {
    #expect(
      Roff.escaped(#"a-b 'c' \d “e” ^~` é 😀"#) == #"a\-b \(aqc\(aq \ed \(lqe\(rq \(ha\(ti\(ga \[u00E9] \[u1F600]"#)
    var roff = Roff()
    roff.line(".not a request")
    roff.blocks("One\ntwo\n  'x'\n")
    #expect(roff.text == "\\&.not a request\n.PP\nOne two\n.PP\n.EX\n  \\(aqx\\(aq\n.EE\n")
  }
}
