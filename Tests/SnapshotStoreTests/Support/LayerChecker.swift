@testable import TestSupport

/// Finds the places where a file names a type of a room that it may not know.
///
/// The compiler separates modules, but not the folders of one; this check replaces walls between them. It reads words
/// and braces only. A type counts as named wherever its name is a word that is not a member of something. Private and
/// nested types belong to their file. If a folder has such a type, its files may use the name for anything.
struct LayerChecker {
  /// A source file: its folder, its name, its text.
  struct File {
    let folder: String
    let name: String
    let words: [Substring]

    init(folder: String, name: String, words: [Substring]) {
      self.folder = folder
      self.name = name
      self.words = words
    }

    init(folder: String, name: String, text: String) {
      self.init(folder: folder, name: name, words: SwiftWords.words(ofCode: SwiftWords.code(of: text)))
    }
  }

  /// The folders, from the lowest to the highest. Folders in one group are neighbours: neither may name the other.
  let order: [[String]]

  func violations(in files: [File]) -> [String] {
    var declarations: [String: Set<String>] = [:]
    var ownNames: [String: Set<String>] = [:]
    for file in files {
      for type in Self.declaredTypes(file.words) { declarations[type, default: []].insert(file.folder) }
      ownNames[file.folder, default: []].formUnion(Self.declaredTypes(file.words, isVisibleOnly: false))
    }
    return files.flatMap { file in
      guard let level = level(of: file.folder) else { return ["\(file.folder)/\(file.name) is in no layer"] }
      return Self.namedTypes(file.words).sorted().compactMap { type in
        guard let folders = declarations[type], ownNames[file.folder]?.contains(type) != true else { return nil }
        guard folders.allSatisfy({ self.level(of: $0).map { $0 >= level } ?? true }) else { return nil }
        return "\(file.folder)/\(file.name) names \(type) of \(folders.sorted().joined(separator: ", "))"
      }
    }
  }

  private func level(of folder: String) -> Int? { order.firstIndex { $0.contains(folder) } }

  // MARK: Declarations and names of a file

  private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "actor"]
  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "open", "private", "fileprivate", "final", "indirect", "nonisolated", "unchecked",
  ]

  /// The types at the top level of a file that other files can see; or all, the private and the nested ones too.
  static func declaredTypes(_ words: [Substring], isVisibleOnly: Bool = true) -> Set<String> {
    var types: Set<String> = []
    var depth = 0
    for (index, word) in words.enumerated() {
      if word == "{" { depth += 1 }
      if word == "}" { depth -= 1 }
      guard kinds.contains(word), index + 1 < words.count else { continue }
      let own = words[..<index].reversed().prefix { modifiers.contains($0) }
      let isVisible = depth == 0 && !own.contains("private") && !own.contains("fileprivate")
      if isVisible || !isVisibleOnly { types.insert(String(words[index + 1])) }
    }
    return types
  }

  /// Every word that could be a type, except members: `a.Name` and `.Name` belong to another type, `SnapshotStore.Name`
  /// is the type.
  static func namedTypes(_ words: [Substring]) -> Set<String> {
    var types: Set<String> = []
    for (index, word) in words.enumerated() where word.first?.isUppercase == true {
      let isMember = index > 0 && words[index - 1] == "." && (index == 1 || words[index - 2] != "SnapshotStore")
      if !isMember { types.insert(String(word)) }
    }
    return types
  }
}

extension LayerChecker {
  /// The places where a source names a case of `FileFormat` to treat one format differently from another.
  ///
  /// Only this enum has a case `ndjson`, so the word finds a `switch` without a `default`.
  static func placesThatTellFormatsApart(_ words: [Substring]) -> [String] {
    func isFormat(_ word: Substring) -> Bool { word == "format" || word == "FileFormat" }
    var places: [String] = []
    for index in words.indices {
      if words[index] == "switch", let end = words[index...].firstIndex(of: "{"), isFormat(words[end - 1]) {
        places.append("switch \(words[index + 1..<end].joined())")
      }
      guard index >= 2, words[index - 1] == "." else { continue }
      if isFormat(words[index - 2]), ["json", "xml", "binary", "ndjson"].contains(words[index]) {
        places.append("\(words[index - 2]) .\(words[index])")
      }
      // `notebook.ndjson()` writes lines for other programs.
      if words[index] == "ndjson", words[index - 2] != "notebook" { places.append("case .ndjson") }
    }
    return places
  }
}
