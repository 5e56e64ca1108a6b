import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

@testable import TestSupport

/// `wait-for-change`: a change of the value ends it, and nothing else does.
@Suite struct WaitForChangeTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.write(RowsTests.shop, to: "shop.json")
  }

  private func mark(_ name: String = "shop.json") throws -> String {
    let result = try cli.run("wait-for-change", name, "--timeout", "0")
    #expect(result.status == Exit.timedOut && result.error.isEmpty, "\(result.error)")
    return String(result.output.dropLast())
  }

  private func run(_ arguments: String...) throws {
    let result = try cli.run(arguments)
    #expect(result.status == Exit.good, "\(result.error)")
  }

  @Test func theMarkIsThatOfTheValue() throws {
    let first = try mark()
    #expect(first.count == 16)
    for format in FileFormat.allCases {
      try run("dump", "shop.json", "--format", format.rawValue, "-o", "copy.\(format.rawValue)")
      #expect(try mark("copy.\(format.rawValue)") == first, "\(format)")
    }
    try cli.write(RowsTests.shop.replacing(",\"", with: ", \""), to: "spaces.json")
    #expect(try mark("spaces.json") == first)
    var marks = [first]
    for change in [
      ["set", "shop.json", "articles", "1", "name=New"], ["set", "shop.json", "articles", "1", "name=Newer"],
      ["remove", "shop.json", "articles", "10"],
    ] {
      _ = try cli.run(change)
      marks.append(try mark())
    }
    #expect(Set(marks).count == 4, "\(marks)")
  }

  @Test func noChangeBetweenTwoCallsIsMissed() throws {
    let first = try mark()
    try run("set", "shop.json", "articles", "1", "name=New")
    let second = try cli.run("wait-for-change", "shop.json", "--since", first)
    let new = try mark()
    #expect(second.status == Exit.good && second.output == "\(new)\n" && second.error.isEmpty)
    // Not the same once more.
    let third = try cli.run("wait-for-change", "shop.json", "--since", new, "--timeout", "1")
    #expect(third.status == Exit.timedOut && third.output == second.output)
    #expect(try cli.run("wait-for-change", "shop.json", "--since", "").output == second.output)
  }

  /// Waits in a terminal, and takes the next step whenever a text is shown. A step without a text is the last one.
  private func wait(
    _ arguments: [String] = [], _ steps: [(shown: String, next: () throws -> Void)]
  ) throws -> Pseudoterminal.Result {
    var rest = steps[...]
    let result = try Pseudoterminal.run(
      CLI.tool, ["wait-for-change", "shop.json"] + arguments, in: cli.folder, environment: ["TERM": "dumb"]
    ) { text, process in
      guard let step = rest.first, text.contains(step.shown) else { return }
      rest.removeFirst()
      try step.next()
    }
    #expect(rest.isEmpty)
    return result
  }

  @Test func aChangeEndsIt() throws {
    let result = try wait([], [("waiting", { try run("set", "shop.json", "articles", "1", "name=New") })])
    #expect(result.status == Exit.good)
    #expect(result.text == "waiting for a change of shop.json; Ctrl-C ends it\r\n\(try mark())\r\n")
  }

  /// The file is replaced, locked, removed and made again with the same value.
  @Test func onlyAChangeEndsIt() throws {
    let whole = try cli.text("shop.json")
    let result = try wait(
      ["--timeout", "6"],
      [
        (
          "waiting",
          {
            try cli.write(whole.replacing(",\"", with: ", \""), to: "shop.json")
            try cli.write("", to: ".shop.json.lock")
            Thread.sleep(forTimeInterval: 0.6)
            try FileManager.default.removeItem(at: cli.url("shop.json"))
          }
        ),
        ("note: ", { try cli.write(whole, to: "shop.json") }),
      ])
    let mark = try mark()
    #expect(result.status == Exit.timedOut && result.text.hasSuffix("\r\n\(mark)\r\n"), "\(result.text)")
  }

  @Test func aFileThatIsMadeAgainEndsIt() throws {
    let whole = try cli.text("shop.json")
    let result = try wait(
      [],
      [
        ("waiting", { try FileManager.default.removeItem(at: cli.url("shop.json")) }),
        ("no such file", { try cli.write(whole.replacing("Kiln", with: "Kilns"), to: "shop.json") }),
      ])
    let mark = try mark()
    #expect(result.status == Exit.good && result.text.hasSuffix("\r\n\(mark)\r\n"))
  }

  @Test func controlCEndsIt() throws {
    let result = try Pseudoterminal.run(
      CLI.tool, ["wait-for-change", "shop.json"], in: cli.folder, environment: ["TERM": "dumb"]
    ) { text, process in if text.contains("waiting") { kill(process.processIdentifier, SIGINT) } }
    #expect(result.reason == .uncaughtSignal && result.status == SIGINT)
    #expect(result.text == "waiting for a change of shop.json; Ctrl-C ends it\r\n")
  }

  /// A line in the journal is a change. That it is written to the file is none.
  @Test func aJournalCounts() throws {
    try cli.makeStore()
    let store = try Store<Notebook>.open(
      at: cli.url("notes.json"), options: StoreOptions(policy: .manual, access: .shared, journal: .beside()))
    let before = try mark("notes.json")
    try store.write { try $0.upsert(Note(id: 7, text: "New", creationDate: Date(timeIntervalSince1970: 1))) }
    #expect(try mark("notes.json") == before)
    try store.flushAndWait()
    #expect(cli.exists(".notes.json.journal"))
    let after = try mark("notes.json")
    #expect(after != before)
    try run("fold", "notes.json")
    #expect(try SnapshotFile.journal(of: cli.url("notes.json")) == nil)
    #expect(try mark("notes.json") == after)
    try store.closeAndWait()
    #expect(try mark("notes.json") == after)
  }

  @Test func aLoopOfAShellMissesNothing() throws {
    let script = """
      mark= ; count=0
      while mark=$(snapshot-cli wait-for-change shop.json --since "$mark" --timeout 2); do
        count=$((count + 1))
        if [ $count -lt 4 ]; then snapshot-cli set shop.json articles 1 name=v$count >/dev/null; fi
      done
      echo "$count $?"
      """
    #expect(try cli.shell(script).output == "4 0\n")
  }

  @Test func whatCannotBeWaitedFor() {
    each([
      (["none.json"], Exit.noInput), (["-"], Exit.usage), ([""], Exit.usage),
      (["shop.json", "--since", "x"], Exit.usage), (["shop.json", "--since", "0123456789ABCDEF"], Exit.usage),
      (["shop.json", "--timeout", "-1"], Exit.usage), (["shop.json", "--timeout", "x"], Exit.usage),
      (["none.json", "--since", "0123456789abcdef", "--timeout", "1"], Exit.timedOut),
    ]) { (arguments: [String], status: Int32) throws in
      let result = try cli.run(["wait-for-change"] + arguments)
      #expect(result.status == status && !result.error.isEmpty)
      #expect(result.output == (status == Exit.timedOut ? "0123456789abcdef\n" : ""))
    }
  }
}
