import Foundation
import SnapshotStore

/// The file names of Vesper's own program.
///
/// A file is named after the first line, or after the id if that line is blank. `_` replaces white space and characters
/// that a name should not have. A name has at most 64 characters. If the name was taken, `-` and the id follow.
enum VesperExportNames {
  /// The id in the name of a file; nil if the name has none.
  ///
  /// - Parameter name: the name without its extension.
  static func id(in name: String, of text: Substring) -> Note.ID? {
    let firstLine = text.prefix { !$0.isNewline }
    let titles = [key(firstLine), key(NoteText(text.description).title[...])]
    if titles.contains(where: { isName(name[...], of: $0) }) { return nil }
    if titles[0].isEmpty, let id = id(name[...]) { return id }
    guard let hyphen = name.lastIndex(of: "-"), let id = id(name[name.index(after: hyphen)...]) else { return nil }
    return titles.contains { isName(name[..<hyphen], of: $0) } ? id : nil
  }

  /// Whether a name comes from a title, perhaps shortened.
  private static func isName(_ name: Substring, of title: String) -> Bool {
    let nameKey = key(name)
    if nameKey.isEmpty { return false }
    return nameKey == title || name.utf16.count >= 60 && title.hasPrefix(nameKey)
  }

  private static func id(_ digits: Substring) -> Note.ID? {
    Note.ID(digits).flatMap { $0 > 0 && "\($0)" == digits ? $0 : nil }
  }

  /// A title or a name with a single `_` for each run of replaced characters, so that the length of runs does not
  /// matter.
  private static func key(_ title: Substring) -> String {
    var key = String.UnicodeScalarView()
    var isReplaced = true
    // A name has at most 64 characters of the title.
    for scalar in title.unicodeScalars.prefix(1_000) {
      if scalar.properties.isWhitespace || replaced.contains(scalar) {
        if !isReplaced { key.append("_") }
        isReplaced = true
      } else {
        key.append(scalar)
        isReplaced = false
      }
    }
    if key.last == "_" { key.removeLast() }
    return String(key)
  }

  private static let replaced: Set<Unicode.Scalar> = Set("\\\"`~/:;@!#$%()*+—^&=.,?_".unicodeScalars)
}
