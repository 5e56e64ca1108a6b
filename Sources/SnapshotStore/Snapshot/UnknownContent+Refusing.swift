/// Unknown content that cannot be written beside other content.
extension UnknownContent {
  /// Refuses the name of the header and duplicate names, because such a file could not be read again. Migrations and
  /// salvage may produce such names.
  ///
  /// - Parameter fields: the names in the schema, which will be in the same file.
  /// - Throws: `unencodable` with the name.
  func requireNames(beside fields: [String]) throws(SnapshotError) {
    if tables.isEmpty, values.isEmpty { return }
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
