import Testing

@testable import TestSupport

/// A program without the notebook contains no more of Foundation than it imports itself: decision 0047.
struct FoundationHouseTests {
  @Test(arguments: ["SnapshotStore", "SnapshotStoreTesting"])
  func noFileImportsFoundation(module: String) {
    let sources = Repository.sources.filter { $0.module == module }
    #expect(!sources.isEmpty)
    for source in sources {
      #expect(Self.imports(of: source.words).isDisjoint(with: Self.forbidden), "\(source.path)")
    }
  }

  @Test func oneFileImportsIt() throws {
    let code = try #require(
      Repository.sources.first { $0.path == "SnapshotFoundation/SnapshotFoundation.swift" }?.code)
    #expect(
      code.split(separator: "\n").map { $0.drop { $0 == " " } } == [
        "#if canImport(FoundationEssentials)", "@_exported public import FoundationEssentials", "#else",
        "@_exported public import Foundation", "#endif",
      ])
  }

  @Test func whatIsAnImport() {
    let code = """
      public import Foundation
      @testable import A // import B
      let a = "import C"
      import struct D.E
      """
    #expect(Self.imports(of: SwiftWords.words(ofCode: SwiftWords.code(of: code))) == ["Foundation", "A", "D"])
  }

  private static let forbidden: Set<Substring> = [
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
  ]

  private static func imports(of words: [Substring]) -> Set<Substring> {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    let starts = words.indices.filter { words[$0] == "import" }
    return Set(starts.compactMap { words[($0 + 1)...].first { !kinds.contains($0) } })
  }
}
