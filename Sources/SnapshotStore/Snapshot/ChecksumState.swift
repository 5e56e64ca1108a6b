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
