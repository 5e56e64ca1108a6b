import Foundation
import Testing

@testable import TestSupport

/// A program without the notebook contains no more of Foundation than it imports itself: decision 0047.
struct FoundationHouseTests {
  @Test(arguments: ["SnapshotStore", "SnapshotStoreTesting"])
  func noFileImportsFoundation(module: String) throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.appending(path: module).path)
    let files = paths.filter { $0.hasSuffix(".swift") }
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: Self.sources.appending(path: "\(module)/\(file)"), encoding: .utf8)
      #expect(Self.imports(of: text).isDisjoint(with: Self.forbidden), "\(module)/\(file)")
    }
  }

  @Test func oneFileImportsIt() throws {
    let file = Self.sources.appending(path: "SnapshotFoundation/SnapshotFoundation.swift")
    let code = SwiftWords.code(of: try String(contentsOf: file, encoding: .utf8))
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
    #expect(Self.imports(of: code) == ["Foundation", "A", "D"])
  }

  private static let forbidden: Set<Substring> = [
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
  ]

  private static func imports(of text: String) -> Set<Substring> {
    let words = SwiftWords.words(ofCode: SwiftWords.code(of: text))
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    let starts = words.indices.filter { words[$0] == "import" }
    return Set(starts.compactMap { words[($0 + 1)...].first { !kinds.contains($0) } })
  }

  private static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources")
}
