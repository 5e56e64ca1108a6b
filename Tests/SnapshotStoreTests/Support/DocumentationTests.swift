import Foundation
import Testing

/// The pages are linked: every guide is on a landing page and in the README, and every link has a target.
@Suite struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
  private static let modules = ["SnapshotStore", "SnapshotNotebook", "SnapshotCommands"]

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).standardized.path)
  }

  /// The names of the Markdown files below a folder, with the folder.
  private static func pages(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(".md") && !$0.contains(".build/") }.map { "\(folder)/\($0)" }
  }

  @Test func theReadmeIsShort() throws {
    #expect(try Self.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 201)
  }

  @Test(arguments: modules) func everyGuideIsReachable(module: String) throws {
    let catalog = "Sources/\(module)/\(module).docc"
    let landing = try Self.text("\(catalog)/\(module).md")
    let readme = try Self.text("README.md")
    let guides = try Self.pages(in: catalog).filter { !$0.hasSuffix("/\(module).md") }
    #expect(!guides.isEmpty)
    for guide in guides {
      let name = URL(filePath: guide).deletingPathExtension().lastPathComponent
      #expect(landing.contains("- <doc:\(name)>"), "the landing page lacks \(name)")
      #expect(readme.contains("](\(guide))"), "the README lacks \(guide)")
    }
  }

  @Test func everyLinkLeadsSomewhere() throws {
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
    let pages = try top + ["Docs", "Sources"].flatMap(Self.pages)
    var links = 0
    for page in pages {
      let text = try Self.text(page)
      let folder = page.split(separator: "/").dropLast().map { "\($0)/" }.joined()
      for match in text.matches(of: #/\]\(([^)#\s]+)[^)]*\)/#) where !match.output.1.contains(":") {
        links += 1
        #expect(Self.isThere(folder + match.output.1), "\(page) leads to \(match.output.1)")
      }
      // A guide cannot have links to files of the repository, so it names their paths.
      for match in text.matches(of: #/`((?:Docs|Benchmarks|Examples|Tests)/[A-Za-z0-9_./-]+)`/#) {
        #expect(Self.isThere(String(match.output.1)), "\(page) names \(match.output.1)")
      }
    }
    #expect(links > 50)
  }
}
