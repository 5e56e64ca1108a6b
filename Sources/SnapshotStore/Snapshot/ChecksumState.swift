/// Whether a file's checksum is that of its content.
public enum ChecksumState: String, Sendable {
  /// It is there and right.
  case ok
  /// There is none, as in files that other tools wrote.
  case absent
  /// It is there and wrong: the file was edited, or is damaged.
  case mismatch
}

extension FileFormat {
  /// The first bytes of a file, up to and including its checksum, which covers all that follows.
  ///
  /// With `tail`, the rest of a file is `-n +2` in JSON and NDJSON, `-n +9` in XML, and `-c +14` in a binary list.
  func prefix(checksum: UInt32) -> [UInt8] { parts.prefix(checksum: checksum) }

  /// Compares the checksum that a header states with the bytes. O(bytes).
  func verify(_ bytes: [UInt8], against checksum: UInt32?, threads: Int = 1) -> ChecksumState {
    guard let checksum else { return .absent }
    let prefix = prefix(checksum: checksum)
    return bytes.starts(with: prefix) && Checksum.cksum(bytes[prefix.count...], threads: threads) == checksum
      ? .ok : .mismatch
  }
}
