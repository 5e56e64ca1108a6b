import SnapshotStore

/// What the columns of a CSV file of notes are called, in the order in which they are written.
enum CSVColumn: String, CaseIterable {
  case id, text, tags, archived, created, sort, modified

  /// The column of a header, without regard to case and to white space around it; the names that the properties have
  /// here will do too.
  init?(header: String) {
    switch TagName(header)?.id {
    case "creationdate": self = .created
    case "sortdate": self = .sort
    case "modificationdate": self = .modified
    case let name?: self.init(rawValue: name)
    case nil: return nil
    }
  }

  /// Separates the names of tags in their field: what no name can hold, since a name has single spaces only.
  static let tagSeparator = "  "

  /// The names in a field: between two or more spaces, or on lines of their own.
  static func tagNames(_ field: String) -> [String] {
    // Not by characters: a space and an accent at the beginning of a name are one.
    let bytes = Array(field.utf8)
    var names: [String] = []
    var start = 0
    for end in 0...bytes.count where end == bytes.count || isSeparator(bytes, end) {
      if let name = TagName(String(decoding: bytes[start..<end], as: UTF8.self)) { names.append(name.spelling) }
      start = end + 1
    }
    return names
  }

  /// Whether a name ends before a byte; of two spaces, before the first.
  private static func isSeparator(_ bytes: [UInt8], _ index: Int) -> Bool {
    switch bytes[index] {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): true
    case UInt8(ascii: " "): index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: " ")
    default: false
    }
  }
}
