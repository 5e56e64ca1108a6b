import Foundation
import SnapshotStore
import Testing

@testable import TestSupport

/// `watch`: every change that is saved is printed once.
@Suite struct WatchTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.write(RowsTests.shop, to: "shop.json")
  }

  /// Watches, and takes the next step whenever the text of the step before is shown.
  private func watch(_ arguments: [String], _ steps: [(shown: String, next: () throws -> Void)]) throws -> String {
    var (rest, interrupted) = (steps[...], false)
    let result = try Pseudoterminal.run(
      CLI.tool, ["watch", "shop.json"] + arguments, in: cli.folder, environment: ["TERM": "dumb"]
    ) { text, process in
      if let step = rest.first, text.contains(step.shown) {
        rest.removeFirst()
        try step.next()
      }
      if rest.isEmpty, !interrupted {
        interrupted = true
        kill(process.processIdentifier, SIGINT)
      }
    }
    #expect(rest.isEmpty && result.reason == .uncaughtSignal && result.status == SIGINT)
    return result.text.replacing("\r\n", with: "\n")
  }

  private func run(_ arguments: String...) throws {
    let result = try cli.run(arguments)
    #expect(result.status == Exit.good, "\(result.error)")
  }

  @Test func insertsUpdatesAndRemovals() throws {
    let text = try watch(
      [],
      [
        ("watching", { try run("set", "shop.json", "articles", "1", "name=New", "price=1") }),
        ("name, price", { try run("set", "shop.json", "people", "Bo", "born=1", "--force") }),
        ("born", { try run("remove", "shop.json", "articles", "1", "10") }),
        ("- articles 10", {}),
      ])
    #expect(
      text == """
        watching shop.json; Ctrl-C ends it
        ~ articles 1  name, price
        ~ people Bo  born
        - articles 1
        - articles 10

        """)
  }

  @Test func aConditionSeesWhatMeetsIt() throws {
    let text = try watch(
      ["articles", "--where", "price > 5", "--format", "ndjson"],
      [
        (
          "watching",
          {
            try run("set", "shop.json", "people", "Bo", "age=3")
            try run("set", "shop.json", "articles", "2", "price=7")
          }
        ),
        ("inserted", { try run("set", "shop.json", "articles", "1", "price=2") }),
        ("removed", {}),
      ])
    let lines = text.split(separator: "\n").dropFirst()
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix(#"{"change":"inserted","table":"articles","id":2,"record":{"id":2,"#) == true)
    #expect(lines.last?.hasPrefix(#"{"change":"removed","table":"articles","id":1,"record":{"id":1,"#) == true)
  }

  @Test func aFileThatCannotBeReadIsWatchedOn() throws {
    let whole = try cli.text("shop.json")
    let text = try watch(
      [],
      [
        ("watching", { try cli.write(String(whole.prefix(100)), to: "shop.json") }),
        ("note: ", { try FileManager.default.removeItem(at: cli.url("shop.json")) }),
        ("no such file", { try cli.write(whole.replacing("Kiln", with: "Kilns"), to: "shop.json") }),
        ("~ articles 1", {}),
      ])
    #expect(text.hasSuffix("~ articles 1  name\n"))
  }

  @Test func whatCannotBeWatched() {
    each([
      (["watch", "none.json"], Exit.noInput), (["watch", "-"], Exit.usage),
      (["watch", "shop.json", "x"], Exit.noInput),
      (["watch", "shop.json", "articles", "--where", "("], Exit.usage),
      (["watch", "shop.json", "--format", "csv"], Exit.usage),
    ]) { (arguments: [String], status: Int32) throws in
      let result = try cli.run(arguments)
      #expect(result.status == status && result.output.isEmpty && !result.error.contains("watching"))
    }
  }
}
