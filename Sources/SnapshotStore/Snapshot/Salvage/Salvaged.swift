/// What could be read of a damaged file, and what could not.
///
/// Every record that can still be read, exactly and by the same rules as in a file without damage, is in the value; every
/// other is listed. Nothing is guessed: a record is there as it was written, or it is lost. Two limits are inherent. A
/// record has no checksum of its own, so unless ``checksum`` is `ok`, a changed letter or digit inside of a record that can
/// still be read goes unnoticed. And what is gone without a trace, as behind the end of a file that was cut off between two
/// records, cannot be listed record by record.
///
/// A file that opens without an error gives the same value here, and no losses. One case is different: the checksum is missing or wrong,
/// a table or single value of the schema is missing, and an unknown one is there. That may be the same one under a damaged name, so
/// the records are looked at one by one. Salvage writes nothing.
public struct Salvaged<Root: Model>: Sendable {
  /// All records and single values that could be read. If something was lost, ``MendingModel/mendAfterLosses()`` has
  /// mended them.
  public let value: Root
  /// The value, with what the schema does not know: unknown keys of the records that could be read, and unknown tables.
  public var content: SnapshotContent<Root> {
    var content = unmended
    content.value = value
    return content
  }
  /// The content before any record was mended. Its records may refer to others that were lost; see ``filled(from:)``.
  public var unmended: SnapshotContent<Root> { SnapshotContent(unmendedContent) }
  let unmendedContent: DecodedSnapshot<Root>
  /// The single values of the schema that could not be read, and are what the empty model has.
  let lostValues: Set<ExactText>
  /// The format that the file was taken for.
  public let format: FileFormat
  /// Whether the checksum is that of the content. Only if it is `ok` are the records known to be as they were written.
  public let checksum: ChecksumState
  /// What was lost, in the order of the file, then what was mended. The first ``SalvageLoss/listLimit`` losses only.
  public let losses: [SalvageLoss]
  /// How many losses there are.
  public let lossCount: Int
  /// The tables of the schema, in its order, with the number of records that were read.
  public let tables: [(name: String, count: Int)]

  /// The value with what the schema does not know.
  var decoded: DecodedSnapshot<Root> {
    DecodedSnapshot(
      root: value, unknown: unmendedContent.unknown, version: unmendedContent.version,
      steps: unmendedContent.steps)
  }

  /// Whether nothing was lost, nor changed as far as a checksum can tell.
  public var isComplete: Bool { lossCount == 0 }

  /// Reads what is left in the bytes of a file, in any of the formats. O(n log n).
  ///
  /// - Parameters:
  ///   - bytes: all that there is of the file.
  ///   - type: the model; it can be left out where it is known from the result.
  ///   - limits: what is refused for its size or depth: of the file as a whole, of a record as a loss.
  ///   - path: what errors call the source.
  /// - Throws: ``SnapshotError`` with code `tooLarge` or `emptyFile`; `wrongSchema`, `newerVersion` or `olderVersion` if the
  ///   file is such a one and is not known to be damaged; or what opening the file throws, if nothing in it is anything of
  ///   the model.
  public init(
    of bytes: [UInt8], as type: Root.Type = Root.self, limits: ReadLimits = ReadLimits(),
    path: String? = nil
  ) throws {
    do throws(SnapshotError) {
      self = try Salvage<Root>(bytes: bytes, limits: limits).run()
    } catch {
      throw path.map(error.at(path:)) ?? error
    }
  }

  init(
    value: Root, decoded: DecodedSnapshot<Root>, lostValues: Set<ExactText>, format: FileFormat,
    checksum: ChecksumState,
    losses: [SalvageLoss],
    lossCount: Int,
    tables: [(name: String, count: Int)]
  ) {
    self.value = value
    unmendedContent = decoded
    self.lostValues = lostValues
    self.format = format
    self.checksum = checksum
    self.losses = losses
    self.lossCount = lossCount
    self.tables = tables
  }
}

/// Something that a damaged file held, or must have held, and that could not be read; or what was done about that.
public struct SalvageLoss: Equatable, Sendable, CustomStringConvertible {
  /// What it is that was lost.
  public enum Kind: String, Sendable {
    /// A record of a table.
    case record
    /// Bytes of which it cannot be told what they were.
    case bytes
    /// A table: it is missing, or its beginning is damaged.
    case table
    /// A single value: it is missing or damaged, and is what the empty model has.
    case value
    /// What the file says of itself, or the file as a whole.
    case file
    /// Nothing more was lost: the model mended a record that referred to what was.
    case mending
  }

  /// What was lost.
  public let kind: Kind
  /// The table, if it is known.
  public let table: String?
  /// The place of the record in its table, counted from 0 with those that were lost, if it is known.
  public let index: Int?
  /// The id of the record as it stands in the file, if that could be read.
  public let id: String?
  /// Where in the file it begins, or where it breaks the rules.
  public let position: FilePosition?
  /// How many bytes of the file it takes; 0 if that is not known.
  public let byteCount: Int
  /// What kind of failure kept it from being read.
  public let code: SnapshotError.Code
  /// Why it could not be read, in one sentence without a final full stop.
  public let reason: String
  /// What there is of it, for a person to look at: its bytes as text, or the members that could be read as JSON. As it
  /// stands in the file, but cut, and with U+FFFD for what is no text.
  public let excerpt: String

  /// How many losses are listed, at most; more are only counted.
  public static var listLimit: Int { 10_000 }
  /// The length of an excerpt in bytes, at most.
  public static var excerptLimit: Int { 4_096 }

  /// Place, id and reason in one line, fit for a message.
  public var description: String {
    var places: [String] = []
    if let position {
      if let line = position.line, let column = position.column {
        places.append("line \(line), column \(column)")
      } else {
        places.append("byte \(position.offset)")
      }
    }
    let place = table.map { $0.escapedForMessage(limit: 60) + (index.map { "[\($0)]" } ?? "") }
    if place != nil || id != nil {
      let name = id.map { "id " + $0.quotedForMessage() }
      places.append([place, name].compactMap { $0 }.joined(separator: ", "))
    }
    return (places + [reason.escapedForMessage()]).joined(separator: ": ")
  }
}
