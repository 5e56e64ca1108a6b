/// A value on its way into a file: all bytes, in pieces, and what is known of the leaves of its tables.
struct SnapshotEncoding: Sendable {
  private(set) var bytes: PiecedBytes
  let checksum: UInt32
  /// The leaves that the file will hold, for the next time; none in a binary list, whose objects refer to each other.
  private(set) var leaves: EncodedLeaves

  /// Encodes a value.
  ///
  /// - Parameters:
  ///   - known: leaves in the file that is to be replaced: what the value still has of them is taken from there. Nil if
  ///     nobody will ask for leaves.
  ///   - unknown: what the file holds besides the value. Leaves that were written with other content are not taken.
  ///   - threads: the most that may encode at once.
  /// - Throws: `unencodable` if a record cannot be encoded, or if a name would be in the file twice.
  init<Root: Model>(
    of root: Root, as format: FileFormat, known: EncodedLeaves? = nil, unknown: UnknownContent = UnknownContent(),
    threads: Int
  ) throws(SnapshotError) {
    try unknown.requireWritable(as: format, beside: Root.schema.fields.map(\.name))
    let none = EncodedLeaves(format: format, unknown: unknown)
    let reusable = known.map { $0.canBeUsed(for: none) ? $0 : none }
    let body = try format.parts.body(
      of: EncodedContent(root: root, unknown: unknown, known: reusable, leaves: none, threads: threads))
    checksum = body.checksum
    bytes = PiecedBytes(format.prefix(checksum: checksum))
    leaves = body.leaves.moved(by: bytes.count)
    bytes.append(body.bytes)
    assert(
      isSameAsFull(root, format, unknown, threads),
      "the bytes are not those of a full save: encode(to:) of a record must give the same each time; if it does, report this"
    )
  }

  /// Whether a value has these bytes when all of it is encoded, for debug builds. Not looked at if nothing was taken from the old file, and
  /// of large files only one in 64, by their checksum.
  private func isSameAsFull(
    _ root: some Model, _ format: FileFormat, _ unknown: UnknownContent, _ threads: Int
  ) -> Bool {
    guard bytes.hasOldPieces, bytes.count <= Self.alwaysCheckedSize || checksum % 64 == 0,
      let full = try? SnapshotEncoding(of: root, as: format, unknown: unknown, threads: threads)
    else { return true }
    return full.checksum == checksum && full.bytes.array().map(bytes.isEqual) == true
  }

  /// The size in bytes up to which debug builds compare each save with a full one: some milliseconds of work.
  private static var alwaysCheckedSize: Int { 1 << 17 }
}
