/// A value written down: all bytes of a file.
public struct EncodedSnapshot: Sendable {
  /// The bytes.
  public let bytes: [UInt8]
  /// The checksum that they carry.
  public let checksum: UInt32
}

/// Turns a model into the bytes of a file, and back. Knows nothing of files.
enum SnapshotCoder {
  /// The one sequence of bytes for a value in a format.
  ///
  /// - Throws: `unencodable` if a record cannot be encoded.
  static func encode<Root: Model>(
    _ root: Root, as format: FileFormat, threads: Int = 1
  ) throws(SnapshotError) -> EncodedSnapshot {
    let encoded = try SnapshotEncoding(of: root, as: format, threads: threads)
    guard let bytes = encoded.bytes.array(threads: threads) else {
      fatalError("no leaf was given as known, so none can be in an old file")
    }
    return EncodedSnapshot(bytes: bytes, checksum: encoded.checksum)
  }

  /// The value that a document holds. Its checksum counts before anything but the header is looked at.
  ///
  /// - Throws: every code under "Bytes" and "Content" of ``SnapshotError/Code``.
  static func decode<Root: Model>(
    _ type: Root.Type, from document: Document, acceptingChecksumMismatch: Bool = false, threads: Int = 1
  ) throws(SnapshotError) -> Root {
    guard document.header.schema == Root.schema.name else {
      throw SnapshotError(
        .wrongSchema,
        "the file holds a \(document.header.schema.quotedForMessage()), not a “\(Root.schema.name)”")
    }
    guard document.header.version <= Root.schema.version else {
      let versions = "version \(document.header.version) of its schema, this program knows \(Root.schema.version)"
      throw SnapshotError(.newerVersion, "the file has \(versions)", advice: "Open it with the newer program.")
    }
    guard document.header.version == Root.schema.version else {
      let versions = "version \(document.header.version) of its schema, this program writes \(Root.schema.version)"
      throw SnapshotError(
        .olderVersion, "the file has \(versions), and there is no migration",
        advice: "Open it with the older program, or give the schema its old version if its shape is the same.")
    }
    if document.checksum == .mismatch, !acceptingChecksumMismatch {
      throw SnapshotError(
        .checksumMismatch, "the content is not what its checksum says: it was edited by hand, or is damaged",
        advice:
          "If the edit is yours, accept it with “snapshot-cli check FILE --accept”, or delete the checksum. If it is "
          + "not, “snapshot-cli generations FILE” lists older versions, and “snapshot-cli recover” saves what can be read."
      )
    }
    var decoding = TableDecoding<Root>(document: document, threads: threads)
    try document.reader.readTables(&decoding)
    return try decoding.finish()
  }
}
