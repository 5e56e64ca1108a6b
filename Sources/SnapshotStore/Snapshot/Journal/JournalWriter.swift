import SnapshotFoundation

/// Writes the lines of a journal. It accesses no file, and keeps only what it has learned about the types of tables.
///
/// ```json
/// {"journal":1,"schema":"notebook","version":1,"date":"2026-11-23T17:00:00Z","base":{"checksum":7,"size":98},"sum":1}
/// {"n":1,"after":1,"date":"…","removed":{"tags":["paris"]},"put":{"notes":[{…}]},"set":{"theme":{…}},"sum":2}
/// {"n":2,"after":2,"date":"…","fold":{"checksum":8,"size":99},"sum":3}
/// ```
struct JournalWriter: Sendable {
  private let schema: String
  private let version: Int
  private var tables: [String: JournalTableMemory] = [:]

  init(schema: String, version: Int) {
    self.schema = schema
    self.version = version
  }

  /// The first line of a journal.
  func header(base: JournalBase, date: Date) -> JournalText {
    var line = ByteSink(capacity: 256)
    line.append("{\"journal\":1,\"schema\":")
    JSONText.append(schema, to: &line)
    line.append(",\"version\":")
    line.append(decimal: Int64(version))
    line.append(",\"date\":")
    JSONText.append(date: date.timeIntervalSinceReferenceDate, to: &line)
    line.append(",\"base\":")
    Self.append(base, to: &line)
    return Self.text(&line, number: 0)
  }

  /// The mark that the changes behind it stand on another file.
  static func fold(to base: JournalBase, after: JournalPosition, date: Date) -> JournalText {
    var line = ByteSink(capacity: 256)
    Self.begin(&line, after, date)
    line.append(",\"fold\":")
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
