/// What a schema would say of a file, for files whose types are not known.
extension UnknownContent {
  /// The header and the order of the content.
  struct Frame: Equatable, Sendable {
    let schema: String
    let version: Int
    /// The names in the order of the file. Content with other names follows, sorted.
    var names: [ExactText] = []

    /// Notes that a name was set or removed. A new name becomes the last one. O(names).
    mutating func note(_ name: String, isThere: Bool) {
      if !isThere {
        names.removeAll { $0 == ExactText(name) }
      } else if !names.contains(ExactText(name)) {
        names.append(ExactText(name))
      }
    }

    /// The header as a value, for differences.
    var item: Item {
      Item(
        .dictionary([
          Item.Member(key: "schema", value: Item(.string(schema))),
          Item.Member(key: "version", value: Item(.integer(Int64(version)))),
        ]))
    }
  }

  /// The header of the file to write.
  func header<Root: Model>(of type: Root.Type) -> HeaderContent {
    HeaderContent(schema: frame?.schema ?? Root.schema.name, version: frame?.version ?? Root.schema.version)
  }

  /// A whole table or single value.
  enum Member {
    case table(UntypedTable)
    case value(name: String, Item)

    var name: String {
      switch self {
      case .table(let table): table.name
      case .value(let name, _): name
      }
    }

    /// The name and the number of records of a table; nil for a value.
    var tableCount: (name: String, count: Int)? {
      if case .table(let table) = self, !table.isSingleValue { (table.name, table.count) } else { nil }
    }

    /// Whether it is known to be a single value that is an array.
    var isArrayValue: Bool {
      if case .table(let table) = self { table.isSingleValue } else { false }
    }
  }

  /// The tables and single values in the order in which they are written. O(n log n) in their number.
  var members: [Member] {
    let members = tables.map(Member.table) + values.map { Member.value(name: $0.name, $0.item) }
    guard let names = frame?.names, !names.isEmpty else { return members }
    let places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    let ranked = members.enumerated().map { index, member in
      (rank: places[ExactText(member.name)] ?? names.count + index, member: member)
    }
    return ranked.sorted { $0.rank < $1.rank }.map(\.member)
  }

  /// The frame of a merge: that of ours, with the names that only theirs has.
  static func mergedFrame(ours: Frame?, theirs: Frame?) -> Frame? {
    guard var frame = ours else { return theirs }
    let known = Set(frame.names)
    frame.names += theirs?.names.filter { !known.contains($0) } ?? []
    return frame
  }
}

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
