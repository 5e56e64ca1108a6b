import Foundation
import Testing

@testable import TestSupport

/// Messages say "an Item" and "1 field": no message puts an article or a plural beside an unknown word.
@Suite struct MessageWordingTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")

  /// The lines of code of all sources that put a value into a text, with their places.
  private static func lines() throws -> [(place: String, text: Substring)] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
    return try files.sorted().flatMap { file in
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .filter { $1.utf8.contains(UInt8(ascii: "\\")) && !$1.drop { $0 == " " }.hasPrefix("//") }
        .map { (place: "\(file):\($0 + 1)", text: $1) }
    }
  }

  /// Whether a text puts an article before a value.
  private static func hasArticle(_ text: some StringProtocol) -> Bool {
    ["a", "an", "A", "An"].contains { word in
      [" ", "\"", "“"].contains { before in
        [" ", " “"].contains { text.contains("\(before)\(word)\($0)\\(") }
      }
    }
  }

  /// Words that may follow a value although they end in an s.
  private static let words: Set<String> = [
    "as", "does", "follows", "has", "holds", "is", "needs", "occurs", "stands", "stays", "was",
    // The command of a tool.
    "generations",
  ]

  /// The first word after a value that is a plural.
  private static func plural(_ text: some StringProtocol) -> String? {
    let characters = Array(text)
    var depth = 0
    var opened: [Int] = []
    for (index, character) in characters.enumerated() {
      if character == "(" {
        if index > 0, characters[index - 1] == "\\" { opened.append(depth) }
        depth += 1
      } else if character == ")" {
        depth -= 1
        guard opened.last == depth else { continue }
        opened.removeLast()
        guard index + 1 < characters.count, characters[index + 1] == " " else { continue }
        let word = String(characters[(index + 2)...].prefix { $0.isLetter })
        if word.hasSuffix("s"), !word.hasSuffix("ss"), word == word.lowercased(), !words.contains(word) { return word }
      }
    }
    return nil
  }

  @Test func noArticleStandsBeforeAValue() throws {
    for line in try Self.lines() where Self.hasArticle(line.text) {
      Issue.record("\(line.place): say it without “a”, since the value may need “an”: \(line.text)")
    }
  }

  @Test func noPluralStandsBehindANumber() throws {
    for line in try Self.lines() {
      guard let word = Self.plural(line.text) else { continue }
      Issue.record("\(line.place): “\(word)” may stand behind a 1; use counted(_:): \(line.text)")
    }
  }

  @Test func theCheckFindsWhatItIsFor() {
    #expect(Self.hasArticle(#""there is a \(Value.self) already""#))
    #expect(Self.hasArticle(#""not a “\(name)”""#))
    #expect(!Self.hasArticle(#""another \(Value.self) has it""#))
    #expect(Self.plural(#""the file has \(bytes.count) bytes""#) == "bytes")
    #expect(Self.plural(#""\(names.joined(separator: ", ")) fields""#) == "fields")
    #expect(Self.plural(#""\(bytes.count.counted("byte")) are too much""#) == nil)
    #expect(Self.plural(#""the key \(key) is missing""#) == nil)
  }
}
