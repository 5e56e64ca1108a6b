import Foundation
import Testing

@testable import TestSupport

/// Lists and searches of the command line.
@Suite struct SearchTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    for (text, tags) in [
      ("Umbrella\nred, from the café at the corner", ["Shopping"]),
      ("Museum\nclosed\ton   Mondays", ["Paris", "Shopping"]), ("Untagged café", []),
      ("Old umbrella", ["Paris"]),
    ] {
      let arguments = ["add", text, "--store", "n.json"] + tags.flatMap { ["--tag", $0] }
      #expect(try cli.run(arguments).status == Exit.good)
    }
    let old = try #require(try run("list", "--tag", "Paris").split(separator: "\n").first?.prefix { $0 != " " })
    #expect(try cli.run("archive", String(old), "--store", "n.json").status == Exit.good)
  }

  private func run(_ arguments: String...) throws -> String {
    let result = try cli.run(arguments + ["--store", "n.json"])
    #expect(result.status == Exit.good, "\(result.error)")
    return result.output
  }

  /// The titles of the printed notes.
  private func titles(_ output: String) -> [String] {
    output.split(separator: "\n").filter { $0.first != " " }.map { line in
      let words = line.split(separator: " ").dropFirst(2).prefix { !$0.hasPrefix("#") }
      return words.joined(separator: " ")
    }
  }

  @Test func lists() throws {
    #expect(titles(try run("list")) == ["Untagged café", "Museum", "Umbrella"])
    #expect(titles(try run("list", "--all")) == ["Old umbrella", "Untagged café", "Museum", "Umbrella"])
    #expect(titles(try run("list", "--archived")) == ["Old umbrella"])
    #expect(titles(try run("list", "--untagged")) == ["Untagged café"])
    #expect(titles(try run("list", "--tag", " SHOPPING")) == ["Museum", "Umbrella"])
    #expect(titles(try run("list", "--tag", "Shopping", "--limit", "1")) == ["Museum"])
    #expect(titles(try run("list", "--all", "--limit=2")) == ["Old umbrella", "Untagged café"])
    #expect(try run("list", "--tag", "Paris", "--json").contains("\"title\":\"Museum\""))
  }

  @Test func searches() throws {
    #expect(titles(try run("search", "CAFE")) == ["Untagged café", "Umbrella"])
    #expect(titles(try run("search", "cafe", "umb")) == ["Umbrella"])
    #expect(titles(try run("search", "cafe umb")) == ["Umbrella"])
    #expect(titles(try run("search", "umbrella", "--all")) == ["Old umbrella", "Umbrella"])
    #expect(titles(try run("search", "umbrella", "--archived")) == ["Old umbrella"])
    #expect(titles(try run("search", "umbrella", "--archived", "--tag", "Shopping")) == [])
    #expect(titles(try run("search", "u", "--tag", "shopping", "--limit", "1")) == ["Museum"])
    #expect(try run("search", "nowhere").isEmpty)
    #expect(try run("search", "nowhere", "--json") == "[\n]\n" || run("search", "nowhere", "--json") == "[]\n")
    #expect(try run("search", "museum", "--json") == run("list", "--tag", "Paris", "--json"))
  }

  /// If the title does not show the match, a line below the note does.
  @Test func excerpts() throws {
    let lines = try run("search", "cafe").split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[2].trimmingCharacters(in: .whitespaces) == "Umbrella red, from the café at the corner")
    #expect(try run("search", "mondays").hasSuffix("  Museum closed on Mondays\n"))
    let long = String(repeating: "word ", count: 30)
    #expect(try cli.run("add", "Title\n\(long)\u{1B}[31mneedle\n\(long)", "--store", "n.json").status == Exit.good)
    let excerpt = try #require(try run("search", "needle").split(separator: "\n").last)
    let text = excerpt.trimmingCharacters(in: .whitespaces)
    #expect(text.hasPrefix("…") && text.hasSuffix("…") && text.contains("word \\u{1B}[31mneedle word"))
    #expect(text.count < 100)
  }

  @Test func wrongUsage() {
    each([
      ["list", "--all", "--archived"], ["list", "--untagged", "--tag", "x"], ["list", "--limit", "0"],
      ["list", "--limit", "many"], ["list", "x"],
      ["search"], ["search", " "], ["search", "x", "--all", "--archived"], ["search", "x", "--untagged"],
      ["search", "x", "--limit", "-1"],
    ]) { (arguments: [String]) throws in
      let result = try cli.run(arguments + ["--store", "n.json"])
      #expect(result.status == Exit.usage)
      #expect(result.output.isEmpty && !result.error.isEmpty)
    }
  }

  @Test func aTagThatIsNotThere() throws {
    for command in [["list"], ["search", "x"]] {
      let result = try cli.run(command + ["--tag", "Rome", "--store", "n.json"])
      #expect(result.status == Exit.noInput)
      #expect(result.error == "snapshot-cli: there is no tag “Rome”\n")
    }
  }
}
