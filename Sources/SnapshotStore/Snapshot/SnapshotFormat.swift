/// A format as whole files use it. A text format has nothing to add to what its room gives.
protocol SnapshotFormat: Format {
  /// Encodes a value, but for the first bytes, which hold the checksum.
  static func body<Root: Model>(of content: EncodedContent<Root>) throws(SnapshotError) -> EncodedBody

  /// Reads what is left of a damaged file.
  static func salvage(_ source: SourceText, _ limits: ReadLimits, into tables: SalvageTables)
}

/// What is to be encoded.
struct EncodedContent<Root: Model> {
  let root: Root
  let unknown: UnknownContent
  /// The leaves in the file that is to be replaced; nil if nobody will ask for leaves.
  let known: EncodedLeaves?
  /// No leaves, of the file that comes of it.
  let leaves: EncodedLeaves
  /// The most that may encode at once.
  let threads: Int
}

/// What comes of it: all bytes but the first ones, and where leaves are in them.
struct EncodedBody {
  let bytes: PiecedBytes
  let checksum: UInt32
  let leaves: EncodedLeaves
}

extension SnapshotFormat where Self: TextFormat {
  static func body<Root: Model>(of content: EncodedContent<Root>) throws(SnapshotError) -> EncodedBody {
    try TextEncoding.body(of: content, writer: writer)
  }

  static func salvage(_ source: SourceText, _ limits: ReadLimits, into tables: SalvageTables) {
    TextSalvage<Grammar>.read(source, limits, isLines: tellsSingleValues, into: tables)
  }
}

extension JSONFormat: SnapshotFormat {}
extension NDJSONFormat: SnapshotFormat {}
extension XMLFormat: SnapshotFormat {}

extension BinaryFormat: SnapshotFormat {
  static func body<Root: Model>(of content: EncodedContent<Root>) throws(SnapshotError) -> EncodedBody {
    let body = try BinaryEncoding.body(of: content.root, content.unknown, threads: content.threads)
    return EncodedBody(bytes: body.bytes, checksum: body.checksum, leaves: content.leaves)
  }

  static func salvage(_ source: SourceText, _ limits: ReadLimits, into tables: SalvageTables) {
    SalvageBinary.read(source, limits, into: tables)
  }
}
