/// The untyped tree of a file that is no snapshot: for imports. Read as strictly as a snapshot, without Foundation.
enum ForeignTree {
  /// The root value of JSON or of a property list.
  static func read(_ bytes: [UInt8], limits: ReadLimits) throws(SnapshotError) -> (root: Item, source: SourceText) {
    guard bytes.count <= limits.fileSize else {
      throw SnapshotError(.tooLarge, "the file has \(bytes.count.counted("byte")); the limit is \(limits.fileSize)")
    }
    // A snapshot is never an array, so the general recognition refuses one.
    let isArray = bytes.first { !FileFormat.isWhitespace($0) } == UInt8(ascii: "[")
    let source = try SourceText(bytes, format: isArray ? .json : try FileFormat.recognize(bytes))
    switch source.format {
    case .json, .ndjson: return (try JSONReader.root(source, limits: limits), source)
    case .xml: return (try XMLReader.root(source, limits: limits), source)
    case .binary: return (try BinaryReader.root(source, limits: limits), source)
    }
  }
}

extension JSONReader {
  fileprivate static func root(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> Item {
    try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var scanner = JSONScanner(bytes, of: source, limits: limits)
      let root = try scanner.value(depth: 1)
      try scanner.expectEnd()
      return root
    }
  }
}

extension BinaryReader {
  fileprivate static func root(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> Item {
    let layout = try BinaryLayout(source)
    var objects = BinaryObjects(source: source, layout: layout, limits: limits)
    return try objects.item(layout.top, depth: 1)
  }
}
