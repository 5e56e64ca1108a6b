import SnapshotFoundation

/// Writes the lines of a journal. It accesses no file, and keeps only what it has learned about the types of tables.
///
/// ```json
/// {"journal":1,"schema":"notebook","version":1,"date":"2026-11-23T17:00:00Z","base":{"checksum":7,"size":98},"sum":1}
/// {"n":1,"after":1,"date":"…","removed":{"tags":["paris"]},"put":{"notes":[{…}]},"set":{"theme":{…}},"sum":2}
/// {"n":2,"after":2,"date":"…","fold":{"checksum":8,"size":99},"sum":3}
/// ```
struct JournalWriter: Sendable {
  private var tables: [String: JournalTableMemory] = [:]

  /// The first line of a journal. Only one with a past needs the second version of the format.
  static func header(_ header: JournalHeader) -> JournalText {
    var line = ByteSink(capacity: 256)
    line.append(header.past == nil ? "{\"journal\":1,\"schema\":" : "{\"journal\":2,\"schema\":")
    JSONText.append(header.schema, to: &line)
    line.append(",\"version\":")
    line.append(decimal: Int64(header.version))
    line.append(",\"date\":")
    JSONText.append(date: header.date.timeIntervalSinceReferenceDate, to: &line)
    line.append(",\"base\":")
    append(header.base, to: &line)
    if let past = header.past { append(past, to: &line) }
    return text(&line, number: 0)
  }

  private static func append(_ past: JournalPast, to line: inout ByteSink) {
    append(past.place, to: &line)
    line.append(",\"file\":")
    JSONText.append(past.witness, to: &line)
    if past.isAll { line.append(",\"all\":true") }
    append(",\"untyped\":", past.untyped, to: &line)
    append(",\"merge\":", past.merge, to: &line)
    if let before = past.before {
      line.append(",\"before\":{\"base\":")
      append(before, to: &line)
      line.append("}")
    }
    line.append(",\"from\":[")
    for (index, link) in past.links.enumerated() {
      line.append(index == 0 ? "{\"base\":" : ",{\"base\":")
      append(link.position, to: &line)
      if link.isMerge { line.append(",\"merge\":true") }
      line.append(link.isUntyped ? ",\"untyped\":true}" : "}")
    }
    line.append("]")
  }

  private static func append(_ position: FilePosition, to line: inout ByteSink) {
    append(position.base, to: &line)
    guard let journal = position.journal else { return }
    line.append(",\"journal\":")
    line.append(decimal: Int64(journal))
    if let place = position.place { append(place, to: &line) }
    line.append(",\"n\":")
    line.append(decimal: Int64(position.end.number))
    line.append(",\"at\":")
    line.append(decimal: Int64(position.end.sum))
  }

  private static func append(_ place: JournalPast.Place, to line: inout ByteSink) {
    line.append(",\"run\":")
    line.append(decimal: Int64(place.run))
    line.append(",\"number\":")
    line.append(decimal: Int64(place.number))
  }

  private static func append(_ key: StaticString, _ number: Int, to line: inout ByteSink) {
    if number == 0 { return }
    line.append(key)
    line.append(decimal: Int64(number))
  }

  /// The mark that the changes behind it stand on another file.
  ///
  /// - Parameter isWhole: whether that file has all that came before.
  static func fold(
    to base: JournalBase, isWhole: Bool = true, after: JournalPosition, date: Date
  ) -> JournalText {
    var line = ByteSink(capacity: 256)
    Self.begin(&line, after, date)
    line.append(isWhole ? ",\"fold\":" : ",\"cut\":")
    Self.append(base, to: &line)
    return Self.text(&line, number: after.number + 1)
  }

  /// The changes from one value to another. Nil if nothing that is saved differs. O(changes · log n) if one value was
  /// made from the other.
  ///
  /// - Parameters:
  ///   - unknown: the unknown content of the file, which belongs to both values.
  ///   - limit: the most bytes of the line.
  /// - Throws: `unencodable` if a record cannot be encoded; `limitExceeded` if the line would be longer than `limit`.
  mutating func changes<Root: Model>(
    from old: Root, to new: Root, unknown: UnknownContent, after: JournalPosition, date: Date, limit: Int
  ) throws(SnapshotError) -> JournalText? {
    let sections = JournalSections(limit: limit)
    var changes = JournalChanges(old: old, new: new, unknown: unknown, sections: sections, tables: tables)
    // Both values are alive, so that no table in one can have the address of a freed one in the other.
    try withUnsafePointer(to: old) { old throws(SnapshotError) in
      try withUnsafePointer(to: new) { new throws(SnapshotError) in
        try Root.schema.visitDifferent(old, new, &changes)
      }
    }
    tables = changes.tables
    if sections.isEmpty { return nil }
    var line = ByteSink(capacity: sections.count + 256)
    Self.begin(&line, after, date)
    sections.append(to: &line)
    let text = Self.text(&line, number: after.number + 1)
    if text.bytes.count > limit { throw JournalSections.tooLong(limit) }
    return text
  }

  private static func begin(_ line: inout ByteSink, _ after: JournalPosition, _ date: Date) {
    line.append("{\"n\":")
    line.append(decimal: Int64(after.number + 1))
    line.append(",\"after\":")
    line.append(decimal: Int64(after.sum))
    line.append(",\"date\":")
    JSONText.append(date: date.timeIntervalSinceReferenceDate, to: &line)
  }

  private static func append(_ base: JournalBase, to line: inout ByteSink) {
    switch base.sum {
    case .checksum(let sum):
      line.append("{\"checksum\":")
      line.append(decimal: Int64(sum))
    case .digest(let sum):
      line.append("{\"digest\":")
      line.append(decimal: Int64(sum))
    }
    line.append(",\"size\":")
    line.append(decimal: Int64(base.size))
    line.append("}")
  }

  /// Adds the checksum to a line and ends it.
  private static func text(_ line: inout ByteSink, number: Int) -> JournalText {
    let sum = Checksum(UnsafeRawBufferPointer(line.bytes)).value
    line.append(",\"sum\":")
    line.append(decimal: Int64(sum))
    line.append("}\n")
    return JournalText(bytes: Array(line.bytes), end: JournalPosition(number: number, sum: sum))
  }
}
