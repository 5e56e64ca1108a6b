/// An encoded value: all bytes in pieces, and the places of the leaves of its tables.
struct SnapshotEncoding: Sendable {
  private(set) var bytes: PiecedBytes
  let checksum: UInt32
  /// The leaves of the new file, for the next save. Empty for a binary list, whose objects refer to each other.
  private(set) var leaves: EncodedLeaves

  /// Encodes a value.
  ///
  /// - Parameters:
  ///   - known: the leaves in the file that will be replaced. Bytes of unchanged leaves are copied from it. Nil if the
  ///     leaves of the new file are not needed.
  ///   - unknown: the unknown content of the file. Leaves that were written with other unknown content are not copied.
  ///   - threads: the most threads that encode at once.
  /// - Throws: `unencodable` if a record cannot be encoded, or if a name would be in the file twice.
  init<Root: Model>(
    of root: Root, as format: FileFormat, known: EncodedLeaves? = nil, unknown: UnknownContent = UnknownContent(),
    threads: Int
  ) throws(SnapshotError) {
    var unknown = unknown
    // A value that has not read a key may write it nevertheless. As in a record, its own member counts.
    unknown.remove(Set(try root.flattenedMembers().map(\.key)))
    try unknown.requireNames(beside: Root.schema.fields.filter { !$0.isFlattened }.map(\.name))
    if Root.isUntyped, unknown.frame == nil {
      throw SnapshotError(.unencodable, "the name and version of the schema are not known")
    }
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
      "the bytes differ from a full save: encode(to:) of a record must give the same bytes each time; if it does, report this"
    )
  }

  /// Whether a full encoding gives the same bytes, for debug builds. Checked only if bytes were copied from the old
  /// file. Of large files only one in 64 is checked, by its checksum.
  private func isSameAsFull(
    _ root: some Model, _ format: FileFormat, _ unknown: UnknownContent, _ threads: Int
  ) -> Bool {
    guard bytes.hasOldPieces, bytes.count <= Self.alwaysCheckedSize || checksum % 64 == 0,
      let full = try? SnapshotEncoding(of: root, as: format, unknown: unknown, threads: threads)
    else { return true }
    return full.checksum == checksum && full.bytes.array().map(bytes.isEqual) == true
  }

  /// The size in bytes up to which debug builds compare each save with a full one. That takes some milliseconds.
  private static var alwaysCheckedSize: Int { 1 << 17 }
}
