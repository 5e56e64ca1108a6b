import Foundation

/// The files of the repository, for tests that hold documents and sources against each other.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized

  /// A source file of the product.
  struct Source: Sendable {
    /// Its path below `Sources`.
    let path: String
    /// Its text without comments and without the text of literals.
    let code: String

    var module: String { String(path.prefix { $0 != "/" }) }
  }

  /// All source files of the product, read once.
  static let sources: [Source] = {
    let folder = root.appending(path: "Sources")
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try? String(contentsOf: folder.appending(path: path), encoding: .utf8)
      return Source(path: path, code: SwiftWords.code(of: text ?? ""))
    }
  }()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The rows of a table in a page of Markdown, each as its cells, below the row with these headings.
  static func table(of page: String, headed headings: [String]) throws -> [[String]] {
    let rows = try text(page).split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("|") ? line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } : []
    }
    guard let start = rows.firstIndex(of: headings) else { return [] }
    return Array(rows[(start + 2)...].prefix { !$0.isEmpty })
  }
}
