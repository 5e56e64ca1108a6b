/// The use of a format for whole files. A text format adds nothing to the code of its room.
protocol SnapshotFormat: Format {
  /// Encodes a value. The first bytes, which hold the checksum, are left out.
  static func body<Root: Model>(of content: EncodedContent<Root>) throws(SnapshotError) -> EncodedBody

  /// Reads the readable content of a damaged file.
  static func salvage(_ source: SourceText, _ limits: ReadLimits, into found: inout FoundContent)
}

/// The input of an encoding.
struct EncodedContent<Root: Model> {
  let root: Root
  let unknown: UnknownContent
  /// The leaves in the file that will be replaced; nil if leaves are not needed.
  let known: EncodedLeaves?
  /// An empty list of leaves for the new file.
  let leaves: EncodedLeaves
  /// The most threads that encode at once.
  let threads: Int
}

/// The result of an encoding: all bytes except for the first ones, and the places of the leaves in them.
struct EncodedBody {
  let bytes: PiecedBytes
  let checksum: UInt32
  let leaves: EncodedLeaves
}

extension SnapshotFormat where Self: TextFormat {
  static func body<Root: Model>(of content: EncodedContent<Root>) throws(SnapshotError) -> EncodedBody {
    try TextEncoding.body(of: content, writer: writer)
  }

  static func salvage(_ source: SourceText, _ limits: ReadLimits, into found: inout FoundContent) {
    TextSalvage<Grammar>.read(source, limits, into: &found)
  }
}

extension JSONFormat: SnapshotFormat {}
extension NDJSONFormat: SnapshotFormat {
  static func salvage(_ source: SourceText, _ limits: ReadLimits, into found: inout FoundContent) {
    LineSalvage.read(source, limits, into: &found)
  }
}
extension XMLFormat: SnapshotFormat {}

extension BinaryFormat: SnapshotFormat {
  static func body<Root: Model>(of content: EncodedContent<Root>) throws(SnapshotError) -> EncodedBody {
    let body = try BinaryEncoding.body(of: content.root, content.unknown, threads: content.threads)
    return EncodedBody(bytes: body.bytes, checksum: body.checksum, leaves: content.leaves)
  }

  static func salvage(_ source: SourceText, _ limits: ReadLimits, into found: inout FoundContent) {
    BinarySalvage.read(source, limits, into: &found)
  }
}
