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

    /// The stored properties of its types, as `Type.name` with the declaration up to the end of its line.
    var properties: [(name: String, declaration: String)] { Repository.properties(in: code) }
  }

  /// The stored properties of the types in a code without comments. Variables of functions are none.
  static func properties(in code: String) -> [(name: String, declaration: String)] {
    var blocks: [String?] = []
    var found: [(name: String, declaration: String)] = []
    var heading = ""
    for character in code {
      heading.append(character)
      guard "{}\n;".contains(character) else { continue }
      let property = heading.firstMatch(of: #/\b(?:let|var)\s+(\w+)\s*[:=]/#)
      if let property, let type = blocks.last ?? nil { found.append(("\(type).\(property.output.1)", heading)) }
      if character == "{" {
        // The heading of a type may have several lines.
        let type = heading.matches(of: #/\b(?:class|struct|enum|actor|extension)\s+(?:\w+\.)*(\w+)/#).last
        blocks.append(type.map { String($0.output.1) })
      }
      if character == "}" { _ = blocks.popLast() }
      if property != nil || character != "\n" { heading = "" }
    }
    return found
  }

  /// All source files of the product, read once.
  static let sources: [Source] = {
    let files = (try? swiftFiles(below: "Sources")) ?? []
    return files.map { Source(path: $0.path, code: SwiftWords.code(of: $0.text)) }
  }()

  /// The Swift files below a folder of the repository, with their paths below it.
  static func swiftFiles(below name: String) throws -> [(path: String, text: String)] {
    let folder = root.appending(path: name)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    return try paths.sorted().map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
  }

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
