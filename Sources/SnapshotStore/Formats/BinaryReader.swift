/// Reads a binary property list: a dictionary of the header and of arrays of records.
struct BinaryReader: DocumentReader {
  let source: SourceText
  let limits: ReadLimits
  private let layout: BinaryLayout

  init(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) {
    self.source = source
    self.limits = limits
    layout = try BinaryLayout(source)
  }

  func header() throws(SnapshotError) -> Item? {
    var objects = BinaryObjects(source: source, layout: layout, limits: limits)
    for (key, value, _) in try objects.members(of: layout.top) where key == "snapshot" {
      return try objects.item(value, depth: 2)
    }
    return nil
  }

  func readTables(_ visitor: inout some DocumentVisitor) throws(SnapshotError) {
    var objects = BinaryObjects(source: source, layout: layout, limits: limits)
    for (key, value, keyOffset) in try objects.members(of: layout.top) where key != "snapshot" {
      let records = try objects.elements(of: value)
      var table = BinaryTableReader(objects: objects, records: records ?? [], table: key)
      try visitor.visit(key, offset: keyOffset, &table)
      objects = table.objects
      guard records != nil else {
        throw SnapshotError(
          .invalidValue, "expected an array of records", position: source.position(try layout.offset(of: value)),
          dataPath: key.escapedForMessage(limit: 60))
      }
    }
  }
}

/// The records of a table in a binary list: the objects of an array.
private struct BinaryTableReader: TableReader {
  private(set) var objects: BinaryObjects
  private let records: [Int]
  private let table: String
  private var index = 0

  init(objects: BinaryObjects, records: [Int], table: String) {
    self.objects = objects
    self.records = records
    self.table = table
  }

  mutating func next() throws(SnapshotError) -> Item? {
    guard index < records.count else { return nil }
    defer { index += 1 }
    do throws(SnapshotError) {
      return try objects.item(records[index], depth: 3)
    } catch {
      throw error.inRecord(index, of: table)
    }
  }
}
