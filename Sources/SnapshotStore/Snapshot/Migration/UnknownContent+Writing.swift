/// What of the unknown content a format cannot hold.
extension UnknownContent {
  /// Refuses what a file of a format could not hold as it is.
  ///
  /// XML has no place for some characters. Where types are known, texts with such a character are written as data, and a dictionary with such
  /// a key as an array. Without types nobody could tell these from data and arrays, and the next format would make something else of them.
  ///
  /// - Parameter fields: the names of the schema, beside which it is written.
  /// - Throws: `unencodable`, with the place.
  func requireWritable(as format: FileFormat, beside fields: [String]) throws(SnapshotError) {
    if tables.isEmpty, values.isEmpty { return try requireCharacters(of: format) }
    try requireNames(beside: fields)
    try requireCharacters(of: format)
  }

  private func requireCharacters(of format: FileFormat) throws(SnapshotError) {
    if let place = placeUnfit(for: format) {
      throw SnapshotError(
        .unencodable,
        "\(format.parts.name) cannot hold a character of this name, key or text, which this program does not know",
        advice: "Write it in another format: JSON, a binary property list or newline-delimited JSON.", dataPath: place)
    }
  }

  /// A file with the name of the header, or with one name twice, could not be read again. Migrations and salvage may come to such names.
  private func requireNames(beside fields: [String]) throws(SnapshotError) {
    let tableNames = Set(tables.lazy.map { ExactText($0.name) })
    let valueNames = Set(values.lazy.map { ExactText($0.name) })
    let problem: (ExactText, String)?
    if tableNames.contains("snapshot") || valueNames.contains("snapshot") {
      problem = ("snapshot", "is the name of the header; a table or a value cannot have it")
    } else if let name = valueNames.intersection(tableNames).min() {
      problem = (name, "is both a table and a value")
    } else {
      let known = fields.lazy.map { ExactText($0) }.first { tableNames.contains($0) || valueNames.contains($0) }
      problem = known.map { ($0, "is a field of the schema, and an unknown table or value") }
    }
    guard let (name, words) = problem else { return }
    throw SnapshotError(
      .unencodable, "\(name.text.quotedForMessage()) \(words)",
      advice: "Give one of them another name in the file, or in the migration.",
      dataPath: name.text.escapedForMessage(limit: 60))
  }
}

extension Item {
  /// Where the first text or key stands that a format cannot hold, as the path in this value; nil if there is none.
  func placeUnfit(_ canHold: (String) -> Bool) -> String? {
    switch content {
    case .string(let text): return canHold(text) ? nil : ""
    case .array(let items):
      for (index, item) in items.enumerated() {
        if let place = item.placeUnfit(canHold) { return "[\(index)]\(place)" }
      }
      return nil
    case .dictionary(let members): return members.placeUnfit(canHold)
    default: return nil
    }
  }
}

extension [Item.Member] {
  /// The same for members.
  func placeUnfit(_ canHold: (String) -> Bool) -> String? {
    for member in self {
      let key = member.key.text.escapedForMessage(limit: 60)
      if !canHold(member.key.text) { return ".\(key)" }
      if let place = member.value.placeUnfit(canHold) { return ".\(key)\(place)" }
    }
    return nil
  }
}
