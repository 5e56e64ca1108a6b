import SnapshotStore

/// Adds or replaces records from standard input.
struct PutCommand<Root: Model>: StoreCommand {
  static var name: String { "put" }
  static var summary: String { "Add or replace records, from JSON on standard input" }
  static var usage: String { "FILE TABLE [--force]" }
  static var details: String {
    """
    FILE     a store of any model
    TABLE    the name of a table; “{tool} tables FILE” lists them
    --force  write records with a property that no record has, with values of
             another kind, or without a property that all records have

    Standard input has a record, an array of records, or a record on each line. A
    record with the id of another one replaces it as a whole. Others are added, in
    the order of the ids. Either all records are written or none. The old version
    of the file is kept: “{tool} generations FILE” lists it.

    Examples:
      {tool} get a.json posts 7 | {tool} put b.json posts
      sqlite3 -json posts.db 'select * from posts' | {tool} put a.json posts
    """
  }

  private let file: String
  private let table: String
  private let isForced: Bool

  init(_ arguments: inout Arguments) throws {
    isForced = arguments.flag("--force")
    file = try arguments.operand("FILE")
    table = try arguments.operand("TABLE")
    try arguments.finish()
  }

  func run() throws {
    let records = try IncomingRecords.read(try BoundedInput.standardInput.bytes())
    let counts = try TableChange<Root>.run(file, table: table) { table in
      let counts = try table.put(records, isForced: isForced)
      return (counts, counts.added + counts.changed > 0)
    }
    try Terminal.output.print(
      "added \(Counts.text(counts.added, "record")), changed \(counts.changed), unchanged \(counts.unchanged)\n")
  }
}

/// Records in JSON from another program.
enum IncomingRecords {
  /// The records of an object, an array of objects, or lines of objects.
  static func read(_ bytes: [UInt8], name: String = "standard input") throws -> [UntypedRecord] {
    do {
      let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      let isArray = first == UInt8(ascii: "[")
      if first == nil { return [] }
      if !isArray, let records = try? lines(bytes) { return records }
      let document: UntypedDocument
      do {
        document = try UntypedDocument(reading: bytes)
      } catch {
        // The error of the lines names the right place, unless the first object goes over several lines.
        if isArray { throw error }
        return try lines(bytes)
      }
      let values = document.root.kind == .array ? document.root.array ?? [] : [document.root]
      return try values.map { value in
        if value.kind == .dictionary, let record = value.record { return record }
        throw document.error(.invalidValue, "expected an object, found \(value.kind)", at: value)
      }
    } catch var error as SnapshotError {
      error.path = name
      throw error
    }
  }

  private static func lines(_ bytes: [UInt8]) throws -> [UntypedRecord] {
    var lines = try UntypedLines(reading: bytes)
    var records: [UntypedRecord] = []
    while let value = try lines.next() {
      guard value.kind == .dictionary, let record = value.record else {
        throw lines.error(.invalidValue, "expected an object, found \(value.kind)", at: value)
      }
      records.append(record)
    }
    return records
  }
}

extension UntypedTable {
  /// Replaces the records with the ids of others, and inserts those with new ids in the order of the ids.
  ///
  /// - Parameter isForced: whether a record may have other properties than those of the table.
  mutating func put(
    _ records: [UntypedRecord], isForced: Bool
  ) throws -> (added: Int, changed: Int, unchanged: Int) {
    let (index, shape) = (RecordIndex(self), RecordShape(self))
    var old = values
    var (added, changed): ([(id: RecordID, value: UntypedValue)], Int) = ([], 0)
    var seen = Set<RecordID>()
    for (number, record) in records.enumerated() {
      do {
        let id = try index.id(of: record)
        if !seen.insert(id).inserted { throw CommandFailure("the id occurs twice", .badData) }
        let value = UntypedValue(try isForced ? shape.reordered(record) : shape.fitting(record))
        try value.requireDepth()
        guard let place = try index.place(of: id) else {
          added.append((id, value))
          continue
        }
        if !value.isSame(as: old[place]) {
          old[place] = value
          changed += 1
        }
      } catch let failure as CommandFailure {
        throw CommandFailure("record \(number + 1): \(failure.message)", failure.exitCode)
      }
    }
    values = index.inserting(added, into: old)
    return (added.count, changed, records.count - added.count - changed)
  }
}
