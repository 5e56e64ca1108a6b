/// The readable content of a damaged file, and a list of losses.
///
/// ```swift
/// let bytes = try SnapshotFile.readBytes(at: url)
/// let salvaged = try Salvaged<Dashboard>(of: bytes)
/// print("\(salvaged.value.posts.count) posts, \(salvaged.lossCount) losses")
/// ```
///
/// The value has every record that can still be read by the same strict rules as in an intact file. All others are
/// listed. Nothing is guessed: a record is as it was written, in the table whose name is above it, or it is lost. What
/// cannot be used is in ``unusedBytes``. After damage, reading goes on at the next line that begins a record or a name.
///
/// Two limits are inherent:
///
/// - A record has no checksum of its own. Unless ``checksum`` is `ok`, a changed letter or digit in a readable record
///   is not noticed.
/// - Content that left no trace cannot be listed by record, for example the rest of a file that was cut off between two
///   records.
///
/// A file that opens without an error has the same value here, and no losses unless its checksum is wrong. Without
/// types, a table with an id twice is a loss too.
///
/// Salvage writes nothing.
public struct Salvaged<Root: Model>: Sendable {
  /// All records and single values that could be read. If some were lost, ``RepairingModel/repair()`` has repaired
  /// the others.
  public let value: Root
  /// The value and the unknown content: unknown keys of the records that could be read, and unknown tables.
  public var content: SnapshotContent<Root> {
    var content = beforeRepair
    content.value = value
    return content
  }
  /// The content before repair. Its records may refer to lost ones; see ``filled(from:)``.
  public var beforeRepair: SnapshotContent<Root> { SnapshotContent(contentBeforeRepair) }
  let contentBeforeRepair: DecodedSnapshot<Root>
  /// The single values of the schema that could not be read. They are as in the empty model.
  let lostValues: Set<ExactText>
  /// The format as which the file was read.
  public let format: FileFormat
  /// Whether the checksum matches the content. Only if it is `ok` are the records known to be as they were written.
  public let checksum: SnapshotHeader.ChecksumState
  /// The losses in the order of the file, then the repaired violations. At most 10,000 are listed.
  public let losses: [SalvageLoss]
  /// The number of all losses.
  public let lossCount: Int
  /// All bytes of the file that are not in ``content``, except for marks between records. They are in the order of the
  /// file, and each part ends a line. Of a binary list, which has no lines, it is the whole file.
  ///
  /// A program that keeps them beside the result loses nothing that a person may still use.
  public let unusedBytes: [UInt8]
  /// The tables of the schema, in its order, with the number of records that were read.
  public let tables: [(name: String, count: Int)]

  /// The value with its unknown content.
  var decoded: DecodedSnapshot<Root> {
    DecodedSnapshot(
      root: value, unknown: contentBeforeRepair.unknown, version: contentBeforeRepair.version,
      steps: contentBeforeRepair.steps)
  }

  /// Whether nothing was lost, or changed as far as a checksum can tell.
  public var isComplete: Bool { lossCount == 0 }
}

extension Salvaged {
  /// Reads the readable content of a file in any format. O(n log n).
  ///
  /// - Parameters:
  ///   - bytes: all available bytes of the file.
  ///   - type: the model. It may be omitted if the result's type is known.
  ///   - limits: the limits for size and depth. A file beyond them is refused; a record beyond them is a loss.
  ///   - path: the name of the source in errors.
  /// - Throws: ``SnapshotError`` with code `tooLarge` or `emptyFile`. With code `wrongSchema`, `newerVersion` or
  ///   `olderVersion` if the file states such a header and its checksum is not wrong. If nothing in the file belongs to
  ///   the model, the error of opening it.
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
}

/// A loss, or the repair of a record because of one. A loss is content that the file has, or must have had, but that
/// could not be read.
///
/// ```swift
/// let salvaged = try Salvaged<Library>(of: SnapshotFile.readBytes(at: damaged))
/// for loss in salvaged.losses where loss.kind == .record {
///   print(loss.table ?? "", loss.reason)
/// }
/// ```
public struct SalvageLoss: Equatable, Sendable, CustomStringConvertible {
  /// The kind of a loss.
  public enum Kind: String, Sendable {
    /// A record of a table.
    case record
    /// Bytes of unknown meaning.
    case bytes
    /// A table: it is missing, or its beginning is damaged.
    case table
    /// A single value: it is missing or damaged. The value of the empty model takes its place.
    case value
    /// The header of the file, or the file as a whole.
    case file
    /// No further loss: the model repaired a record that referred to a lost one.
    case repair
  }

  /// The kind of the loss.
  public let kind: Kind
  /// The name of the table, if it is known.
  public let table: String?
  /// The index of the record in its table, if it is known. It counts from 0 and includes lost records.
  public let index: Int?
  /// The id of the record as written in the file, if it could be read.
  public let id: String?
  /// The beginning of the lost content in the file, or the place of the error.
  public let position: SnapshotError.Position?
  /// The number of bytes in the file; 0 if unknown.
  public let byteCount: Int
  /// The code of the error that prevented reading.
  public let code: SnapshotError.Code
  /// The reason: one sentence without a final full stop.
  public let reason: String
  /// An excerpt for people: the bytes as text, or the readable members as JSON. It is taken from the file, but cut, and
  /// with U+FFFD for bytes that are not text.
  public let excerpt: String

  /// The most losses that are listed. Further ones are only counted.
  static var listLimit: Int { 10_000 }
  /// The longest excerpt, in bytes.
  static var excerptLimit: Int { 4_096 }

  /// Place, id and reason in one line, for a message.
  public var description: String {
    var places: [String] = []
    if let position { places.append(position.description) }
    let place = table.map { $0.escapedForMessage(limit: 60) + (index.map { "[\($0)]" } ?? "") }
    if place != nil || id != nil {
      let name = id.map { "id " + $0.quotedForMessage() }
      places.append([place, name].compactMap { $0 }.joined(separator: ", "))
    }
    return (places + [reason.escapedForMessage()]).joined(separator: ": ")
  }
}
