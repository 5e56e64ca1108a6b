/// The checksum in a file: the CRC that the POSIX tool `cksum` prints for everything after the checksum itself.
///
/// A CRC finds every change of up to 32 consecutive bits and every pair of changed bits; other damage passes once in
/// four billion. It guards against accidents, not against forgery. It is the CRC of POSIX.1-2017, `cksum`: polynomial
/// 0x04C11DB7, most significant bit first, the length appended, the result inverted.
enum Checksum {
  static func cksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var crc: UInt32 = 0
    bytes.withUnsafeBytes { buffer in
      table.withUnsafeBufferPointer { table in
        for byte in buffer { crc = (crc << 8) ^ table[Int(UInt8(truncatingIfNeeded: crc >> 24) ^ byte)] }
      }
    }
    var length = bytes.count
    while length > 0 {
      crc = (crc << 8) ^ table[Int(UInt8(truncatingIfNeeded: crc >> 24) ^ UInt8(truncatingIfNeeded: length))]
      length >>= 8
    }
    return ~crc
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { crc, _ in crc & 0x8000_0000 == 0 ? crc << 1 : (crc << 1) ^ 0x04C1_1DB7 }
  }
}

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
  /// The first bytes of a file, up to and including its checksum. The checksum covers all that follows, and these bytes
  /// are fixed, so no bit of a file is unguarded.
  ///
  /// With `tail`, the rest of a file is `-n +2` in JSON and NDJSON, `-n +9` in XML, and `-c +14` in a binary list.
  func prefix(checksum: UInt32) -> [UInt8] {
    switch self {
    case .json: Array("{\"snapshot\":{\"checksum\":\(checksum),\n".utf8)
    case .ndjson: Array("{\"snapshot\":{\"checksum\":\(checksum)}}\n".utf8)
    case .xml: Array((XMLWriter.prologue + "\t\t<integer>\(checksum)</integer>\n").utf8)
    case .binary: Array("bplist00".utf8) + [0x12] + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) }
    }
  }

  /// Compares the checksum that a header states with the bytes. O(bytes).
  func verify(_ bytes: [UInt8], against checksum: UInt32?) -> ChecksumState {
    guard let checksum else { return .absent }
    let prefix = prefix(checksum: checksum)
    return bytes.starts(with: prefix) && Checksum.cksum(bytes[prefix.count...]) == checksum ? .ok : .mismatch
  }
}
