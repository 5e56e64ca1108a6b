import SnapshotStore

/// The tags in a text, as Obsidian and Bear have them: `#travel/italy`, and in Bear `#long tag#`.
///
/// A mark stands at the beginning of a line or behind white space. A name has letters, digits and `_-/`, and not only
/// digits. A name of several words ends with another mark behind its last letter. Code has none: blocks between
/// fences, and text between grave accents. Nor has front matter.
enum InlineTags {
  /// The names, in their order, each once. O(length).
  static func names(in text: String) -> [String] {
    let body = FrontMatter(text)?.body ?? text[...]
    var names: [String] = []
    var fence: Substring?
    for line in body.split(whereSeparator: \.isNewline) {
      let content = line.drop { $0 == " " }
      if let mark = fence ?? Self.fence(content) {
        // A fence ends with one of the same characters that is at least as long.
        let ends = fence != nil && content.hasPrefix(mark) && content.allSatisfy { $0 == mark.first || $0 == " " }
        fence = ends ? nil : mark
      } else {
        add(line, to: &names)
      }
    }
    var seen = Set<Tag.ID>()
    return names.filter { name in TagName(name).map { seen.insert($0.id).inserted } ?? false }
  }

  private static func fence(_ line: Substring) -> Substring? {
    guard let first = line.first, first == "`" || first == "~" else { return nil }
    let mark = line.prefix { $0 == first }
    return mark.count >= 3 && !line.dropFirst(mark.count).contains("`") ? mark : nil
  }

  private static func add(_ line: Substring, to names: inout [String]) {
    var rest = line
    var last: Character = " "
    var ends: [Int: Substring.Index]?
    while let character = rest.first {
      if character == "`" {
        rest = rest[endOfCode(rest, &ends)...]
      } else if character == "#", last.isWhitespace, let (name, end) = name(rest.dropFirst()) {
        names.append(name)
        rest = rest[end...]
      } else {
        rest = rest.dropFirst()
      }
      last = character
    }
  }

  /// The end of code that begins with grave accents and ends with as many; or the end of these, if nothing ends it.
  ///
  /// - Parameter ends: the last run of each number of grave accents in the line; nil until they are needed.
  private static func endOfCode(_ text: Substring, _ ends: inout [Int: Substring.Index]?) -> Substring.Index {
    let opening = text.prefix { $0 == "`" }
    if ends == nil {
      ends = [:]
      forEachRun(of: text) { ends?[$0.count] = $0.startIndex }
    }
    guard let last = ends?[opening.count], last >= opening.endIndex else { return opening.endIndex }
    var rest = text[opening.endIndex...]
    while let start = rest.firstIndex(of: "`") {
      let run = rest[start...].prefix { $0 == "`" }
      if run.count == opening.count { return run.endIndex }
      rest = rest[run.endIndex...]
    }
    return opening.endIndex
  }

  private static func forEachRun(of text: Substring, _ body: (Substring) -> Void) {
    var rest = text
    while let start = rest.firstIndex(of: "`") {
      let run = rest[start...].prefix { $0 == "`" }
      body(run)
      rest = rest[run.endIndex...]
    }
  }

  /// The name behind a mark, and its end in the line.
  private static func name(_ text: Substring) -> (String, Substring.Index)? {
    let plain = text.prefix { $0.isLetter || $0.isNumber || "_-/".contains($0) }
    // With several words the mark at the end tells where the name ends.
    if let end = text.firstIndex(of: "#"), end > plain.endIndex, isLong(text[..<end]), isEnd(text[end...].dropFirst()) {
      return (String(text[..<end]), text.index(after: end))
    }
    guard plain.contains(where: { !$0.isNumber }), plain.contains(where: { $0.isLetter || $0.isNumber }) else {
      return nil
    }
    return (String(plain), plain.endIndex)
  }

  /// Whether a text between two marks is the name of a tag of several words.
  private static func isLong(_ text: Substring) -> Bool {
    guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || "_-/ ".contains($0) } && text.contains(" ")
  }

  private static func isEnd(_ rest: Substring) -> Bool { rest.first.map { !$0.isLetter && !$0.isNumber } ?? true }
}

extension ForeignContent {
  /// Gives the notes the tags in their texts, as Obsidian and Bear have them: `#travel/italy`, `#long tag#`. The texts
  /// stay. A note that was exported by this library has its tags apart from its text.
  ///
  /// O(length of the texts).
  ///
  /// - Returns: the number of notes with such tags.
  @discardableResult
  public mutating func takeInlineTags() -> Int {
    var count = 0
    for index in notes.indices where notes[index].id == nil {
      let names = InlineTags.names(in: notes[index].text)
      if names.isEmpty { continue }
      count += 1
      notes[index].tagNames += names
      notes[index].givesTags = true
    }
    return count
  }
}
