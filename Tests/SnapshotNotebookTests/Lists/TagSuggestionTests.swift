import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The suggestions for a typed tag name, and their order.
struct TagSuggestionTests {
  private static func suggestions(for text: String, among names: [String], limit: Int = 100) -> [String] {
    var notebook = Notebook.empty()
    for name in names { notebook.tag(named: name) }
    let tags = notebook.tagSuggestions(for: text, limit: limit)
    #expect(Set(tags.map(\.id)).count == tags.count)
    return tags.map(\.name)
  }

  @Test func theFourGroups() {
    let names = ["decaf", "Café", "CAFETERIA", "cafe", "My Cafe", "my cafe too", "Décafé", "Tea", "Internetcafé"]
    #expect(
      Self.suggestions(for: "cafe", among: names)
        == ["cafe", "Café", "CAFETERIA", "my cafe too", "Décafé", "Internetcafé", "My Cafe"])
    #expect(
      Self.suggestions(for: "Cafe", among: names)
        == ["cafe", "Café", "CAFETERIA", "My Cafe", "Décafé", "Internetcafé", "my cafe too"])
    #expect(Self.suggestions(for: "café", among: names).prefix(3) == ["Café", "cafe", "CAFETERIA"])
    #expect(Self.suggestions(for: "Coffee", among: names) == [])
  }

  @Test func accentsAndCaseDoNotMatter() {
    #expect(Self.suggestions(for: "ile", among: ["Île de France", "Ile", "île"]) == ["Ile", "île", "Île de France"])
    #expect(Self.suggestions(for: "ÎLE", among: ["Ile"]) == ["Ile"])
    #expect(Self.suggestions(for: "strass", among: ["Straße"]) == ["Straße"])
    #expect(Self.suggestions(for: "STRASSE", among: ["Straße"]) == ["Straße"])
    #expect(Self.suggestions(for: "οδοσ", among: ["ΟΔΟΣ", "οδός"]) == ["ΟΔΟΣ", "οδός"])
    #expect(Self.suggestions(for: "istanbul", among: ["İstanbul"]) == ["İstanbul"])
    #expect(Self.suggestions(for: "は", among: ["ぱん", "パン"]) == ["ぱん"])
    // A sign that is no mark on a letter counts.
    #expect(Self.suggestions(for: "a", among: ["^a"]) == ["^a"])
    #expect(Self.suggestions(for: "^a", among: ["a"]) == [])
  }

  /// A part that matches the typed letters comes before others. A remaining accent is no such match.
  @Test func partsAreFoundByCharacters() {
    #expect(Self.suggestions(for: "e", among: ["bé", "ce", "aE"]) == ["ce", "aE", "bé"])
    #expect(Self.suggestions(for: "\u{E9}", among: ["ae", "be\u{301}"]) == ["be\u{301}", "ae"])
  }

  @Test func tiesAreAlphabetical() {
    #expect(
      Self.suggestions(for: "a", among: ["az", "Äb", "aa", "Ac", "áa", "AB"]) == ["aa", "áa", "AB", "Äb", "Ac", "az"])
  }

  @Test func whiteSpaceIsThatOfNames() {
    #expect(Self.suggestions(for: "  new   y", among: ["New York", "newyear"]) == ["New York"])
    for text in ["", " ", "\n\u{3000}"] { #expect(Self.suggestions(for: text, among: ["a", "b"]) == []) }
    // A lone accent is a name, and not a part of all others.
    #expect(Self.suggestions(for: "\u{301}", among: ["a", "é"]) == [])
    #expect(Self.suggestions(for: "\u{301}", among: ["\u{301}", "b"]) == ["\u{301}"])
  }

  @Test func theLimitTakesTheBest() {
    let names = (0..<50).map { "x tag \($0)" } + ["tag"]
    #expect(Self.suggestions(for: "tag", among: names, limit: 1) == ["tag"])
    #expect(Self.suggestions(for: "tag", among: names, limit: 3) == ["tag", "x tag 0", "x tag 1"])
    #expect(Self.suggestions(for: "tag", among: names, limit: 0) == [])
    #expect(Self.suggestions(for: "tag", among: names, limit: -1) == [])
    #expect(Self.suggestions(for: "tag", among: names, limit: .max).count == 51)
  }

  /// By the plain rule, every suggested tag is in its group, and none is missing.
  @Test(arguments: SeededGenerator.seeds(3))
  func randomNames(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var notebook = Notebook.empty()
    func text(_ length: ClosedRange<Int>) -> String {
      String((0..<Int.random(in: length, using: &random)).map { _ in "aAáÁbB".randomElement(using: &random) ?? "a" })
    }
    for _ in 0..<300 { notebook.tag(named: text(1...5)) }
    func plain(_ text: String) -> String { text.lowercased().replacingOccurrences(of: "á", with: "a") }
    for _ in 0..<40 {
      let typed = text(1...3)
      func group(_ tag: SnapshotNotebook.Tag) -> Int {
        if tag.id == typed.lowercased() { return 1 }
        if plain(tag.name).hasPrefix(plain(typed)) { return 2 }
        if tag.name.contains(typed) { return 3 }
        return plain(tag.name).contains(plain(typed)) ? 4 : 5
      }
      let suggestions = notebook.tagSuggestions(for: typed, limit: 1_000)
      let groups = suggestions.map(group)
      #expect(groups == groups.sorted() && groups.last != 5)
      #expect(Set(suggestions.map(\.id)) == Set(notebook.tags.filter { group($0) < 5 }.map(\.id)))
      #expect(suggestions == notebook.tagSuggestions(for: typed, limit: 1_000))
    }
  }
}
