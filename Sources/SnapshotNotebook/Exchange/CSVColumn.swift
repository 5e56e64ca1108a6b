import SnapshotStore

/// The columns of a CSV file of notes, in the order in which they are written.
enum CSVColumn: String, CaseIterable {
  case id, text, tags, archived, created, sort, modified

  /// The column of a header, ignoring case and surrounding white space. The names of the note's properties are accepted
  /// too.
  init?(header: String) {
    switch TagName(header)?.id {
    case "creationdate": self = .created
    case "sortdate": self = .sort
    case "modificationdate": self = .modified
    case let name?: self.init(rawValue: name)
    case nil: return nil
    }
  }

  /// Separates tag names in their field. No name contains it, since names have single spaces only.
  static let tagSeparator = "  "

  /// The names in a field. They are separated by two or more spaces or by line breaks.
  static func tagNames(_ field: String) -> [String] {
    // Works on bytes: a space and an accent at the beginning of a name are one `Character`.
    let bytes = Array(field.utf8)
    var names: [String] = []
    var start = 0
    for end in 0...bytes.count where end == bytes.count || isSeparator(bytes, end) {
      if let name = TagName(String(decoding: bytes[start..<end], as: UTF8.self)) { names.append(name.spelling) }
      start = end + 1
    }
    return names
  }

  /// Whether a name ends before a byte. Before two spaces it ends at the first.
  private static func isSeparator(_ bytes: [UInt8], _ index: Int) -> Bool {
    switch bytes[index] {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): true
    case UInt8(ascii: " "): index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: " ")
    default: false
    }
  }
}
