/// What the header of a file says. The rest of the file may be damaged.
///
/// ```swift
/// let header = try SnapshotHeader(of: SnapshotFile.readBytes(at: url))
/// print(header.schema, header.version)            // dashboard 1
/// ```
public struct SnapshotHeader: Equatable, Sendable {
  /// The format, as recognised by the content.
  public let format: FileFormat
  /// The name of the schema.
  public let schema: String
  /// The version of the schema.
  public let version: Int

  /// Reads the header of a file.
  ///
  /// The tables are not read. Text is checked to be UTF-8, which takes some milliseconds for 100 MB. So the cost is
  /// O(bytes), and O(tables) in a binary list. If another program has written the header behind the tables, they are
  /// read too.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - limits: the limits for size and depth.
  /// - Throws: ``SnapshotError`` if the header cannot be read.
  public init(of bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws {
    let begun = try FileFormat.recognize(bytes)
    let whole = try? SourceText(bytes, isText: begun.isText, threads: Parallel.defaultThreads)
    let source = whole ?? begun.parts.salvageSource(of: bytes)
    format = begun.refined(by: source)
    let header = try DocumentHeader(reading: format, source, limits)
    schema = header.schema
    version = header.version
  }
}

/// The checksum in the header, and whether it fits.
extension SnapshotHeader {
  /// Whether a file's checksum matches its content.
  public enum ChecksumState: String, Sendable {
    /// The checksum matches.
    case ok
    /// There is no checksum, as in files that other tools wrote.
    case absent
    /// The checksum does not match: the file was edited, or is damaged.
    case mismatch
  }
}

extension FileFormat {
  /// The first bytes of a file, up to and including its checksum. The checksum covers everything after them.
  ///
  /// In `tail`, the rest of a file is `-n +2` in JSON and NDJSON, `-n +9` in XML, and `-c +14` in a binary list.
  func prefix(checksum: UInt32) -> [UInt8] { parts.prefix(checksum: checksum) }

  /// Compares the checksum in a header with the bytes. O(bytes).
  func verify(_ bytes: [UInt8], against checksum: UInt32?, threads: Int = 1) -> SnapshotHeader.ChecksumState {
    guard let checksum else { return .absent }
    let prefix = prefix(checksum: checksum)
    return bytes.starts(with: prefix) && Checksum.cksum(bytes[prefix.count...], threads: threads) == checksum
      ? .ok : .mismatch
  }
}
