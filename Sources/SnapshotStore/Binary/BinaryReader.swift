/// Reads a binary property list: one dictionary with the header, arrays of records and single values.
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
    try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var objects = BinaryObjects(source: source, layout: layout, limits: limits)
      for (key, value, keyOffset) in try objects.members(of: layout.top) where key != "snapshot" {
        guard let records = try objects.elements(of: value) else {
          try visitor.visit(key, offset: keyOffset) { () throws(SnapshotError) in try objects.item(value, depth: 2) }
          continue
        }
        let position = BinaryPosition(layout, records: try objects.elementsOffset(of: value))
        var table = BinaryTableReader(bytes, objects, records: records, position, table: key)
        try visitor.visit(key, offset: keyOffset, &table)
        objects = table.objects
      }
    }
  }
}
