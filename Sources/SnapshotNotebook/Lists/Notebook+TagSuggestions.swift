import Foundation
import SnapshotStore

/// Tags that fit what someone types.
extension Notebook {
  /// The tags that someone may mean who is typing a name, best first, each once, at most `limit`:
  ///
  /// 1. the tag with that name, as ``existingTag(named:)`` finds it;
  /// 2. tags whose names begin with the text, without regard to case and diacritics;
  /// 3. tags whose names contain it as it is typed;
  /// 4. tags whose names contain it without regard to case and diacritics.
  ///
  /// Within each group they are in alphabetical order without regard to case and diacritics, then in order of their ids: the
  /// same every time. White space is collapsed and trimmed, as in names; for a text of nothing else there is no suggestion.
  /// O(number of tags): less than a millisecond for a thousand.
  public func tagSuggestions(for text: String, limit: Int) -> [Tag] {
    guard limit > 0, let typed = TagName(text) else { return [] }
    let part = FoldedName(typed.id).word
    return tags.compactMap { TagMatch($0, typed: typed, part: part) }.sorted().prefix(limit).map(\.tag)
  }
}

/// A tag that matches, in the order of suggestions.
private struct TagMatch: Comparable {
  let tag: Tag
  private let group: Int
  private let name: String

  init?(_ tag: Tag, typed: TagName, part: SearchWord) {
    let name = FoldedName(tag.id)
    guard let place = name.firstPlace(of: part) else { return nil }
    self.tag = tag
    self.name = name.text
    if tag.id == typed.id {
      group = 1
    } else if place == 0 {
      group = 2
    } else {
      group = tag.name.containsExactly(typed.spelling) ? 3 : 4
    }
  }

  static func < (a: TagMatch, b: TagMatch) -> Bool { (a.group, a.name, a.tag.id) < (b.group, b.name, b.tag.id) }
}

/// A name without regard to case and diacritics, as a search sees it.
private struct FoldedName {
  let text: String
  private let bytes: [UInt8]

  init(_ id: Tag.ID) {
    let folded = SearchFolding.folded(id)
    // A name of nothing but accents is still a name.
    bytes = folded.isEmpty ? Array(id.utf8) : folded
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The word to look for in other names.
  var word: SearchWord { SearchWord(bytes) }

  /// Where a word stands first, in bytes; nil if it does not.
  func firstPlace(of word: SearchWord) -> Int? { bytes.withUnsafeBufferPointer { word.firstOffset(in: $0) } }
}

extension String {
  /// Whether the characters of a part stand in the text. Not their bytes, so that an accent is not left over. Linear.
  fileprivate func containsExactly(_ part: String) -> Bool {
    // After Knuth, Morris and Pratt. The longest beginning of the part that is also an end of its first characters:
    let part = Array(part)
    if part.isEmpty { return true }
    var borders = [0]
    for index in part.indices.dropFirst() {
      var border = borders[index - 1]
      while border > 0, part[border] != part[index] { border = borders[border - 1] }
      borders.append(part[border] == part[index] ? border + 1 : 0)
    }
    var matched = 0
    for character in self {
      while matched > 0, character != part[matched] { matched = borders[matched - 1] }
      if character == part[matched] { matched += 1 }
      if matched == part.count { return true }
    }
    return false
  }
}
