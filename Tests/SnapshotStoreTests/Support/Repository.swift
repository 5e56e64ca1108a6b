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
    /// The identifiers and keywords of the code, with the braces and dots between them.
    let words: [Substring]

    init(path: String, text: String) {
      self.path = path
      code = SwiftWords.code(of: text)
      words = SwiftWords.words(ofCode: code)
    }

    var module: String { String(path.prefix { $0 != "/" }) }

    /// The stored properties of its types, as `Type.name` with the declaration up to the end of its line.
    var properties: [(name: String, declaration: String)] { Repository.properties(in: code) }
  }

  private static let endsOfHeadings = Array("{}\n;".utf8)

  /// The stored properties of the types in a code without comments. Variables of functions are none.
  static func properties(in code: String) -> [(name: String, declaration: String)] {
    let declaration = #/\b(?:let|var)\s+(\w+)\s*[:=]/#
    let typeHeading = #/\b(?:class|struct|enum|actor|extension)\s+(?:\w+\.)*(\w+)/#
    var blocks: [String?] = []
    var found: [(name: String, declaration: String)] = []
    let bytes = Array(code.utf8)
    var (start, index) = (0, 0)
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard endsOfHeadings.contains(byte) else { continue }
      let heading = String(decoding: bytes[start..<index], as: UTF8.self)
      let property = mayDeclare(bytes[start..<index]) ? heading.firstMatch(of: declaration) : nil
      if let property, let type = blocks.last ?? nil { found.append(("\(type).\(property.output.1)", heading)) }
      if byte == UInt8(ascii: "{") {
        // The heading of a type may have several lines.
        blocks.append(heading.matches(of: typeHeading).last.map { String($0.output.1) })
      }
      if byte == UInt8(ascii: "}") { _ = blocks.popLast() }
      if property != nil || byte != UInt8(ascii: "\n") { start = index }
    }
    return found
  }

  /// Whether a text has the letters of `let` or `var`. To match a regular expression takes a hundred times as long.
  private static func mayDeclare(_ bytes: ArraySlice<UInt8>) -> Bool {
    var index = bytes.startIndex + 2
    while index < bytes.endIndex {
      let last = bytes[index]
      if last == UInt8(ascii: "t"), bytes[index - 2] == UInt8(ascii: "l"), bytes[index - 1] == UInt8(ascii: "e") {
        return true
      }
      if last == UInt8(ascii: "r"), bytes[index - 2] == UInt8(ascii: "v"), bytes[index - 1] == UInt8(ascii: "a") {
        return true
      }
      index += 1
    }
    return false
  }

  /// All source files of the product, read once.
  static let sources: [Source] = {
    let files = (try? swiftFiles(below: "Sources")) ?? []
    return files.map { Source(path: $0.path, text: $0.text) }
  }()

  /// The Swift files below a folder of the repository, with their paths below it. The steps of a tutorial are none.
  static func swiftFiles(below name: String) throws -> [(path: String, text: String)] {
    let folder = root.appending(path: name)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
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
