/// Unknown content that a format cannot hold.
extension UnknownContent {
  /// Refuses unknown content that a file in a format could not hold exactly.
  ///
  /// XML has no form for some characters. In fields with known types, a text with such a character is written as data,
  /// and a dictionary with such a key as an array. Without types, a reader could not tell these from real data and
  /// arrays. The next format would then get wrong values.
  ///
  /// - Parameter fields: the names in the schema, which will be in the same file.
  /// - Throws: `unencodable` with the place.
  func requireWritable(as format: FileFormat, beside fields: [String]) throws(SnapshotError) {
    if tables.isEmpty, values.isEmpty { return try requireCharacters(of: format) }
    try requireNames(beside: fields)
    try requireCharacters(of: format)
  }

  private func requireCharacters(of format: FileFormat) throws(SnapshotError) {
    if let place = placeUnfit(for: format) {
      throw SnapshotError(
        .unencodable,
        "\(format.parts.name) cannot hold a character in this name, key or text of unknown content",
        advice: "Write it in another format: JSON, a binary property list or newline-delimited JSON.", dataPath: place)
    }
  }

  /// Refuses the name of the header and duplicate names, because such a file could not be read again. Migrations and
  /// salvage may produce such names.
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
  /// The path in this value of the first text or key that a format cannot hold; nil if it can hold all.
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
