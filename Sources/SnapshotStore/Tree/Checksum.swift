/// The checksum in a file: the CRC that the POSIX tool `cksum` prints for everything after the checksum itself.
///
/// A CRC finds every change of up to 32 consecutive bits and every pair of changed bits. Other damage passes undetected
/// once in four billion. It protects against accidents, not against forgery. POSIX.1-2017 (`cksum`) defines it:
/// polynomial 0x04C11DB7, most significant bit first, the length appended, the result inverted.
///
/// Parts of a content can be summed separately, on several threads or at different times, and then joined. A CRC is a
/// remainder of polynomials: appending bytes multiplies the earlier remainder by a power of x.
struct Checksum: Equatable, Sendable {
  /// The remainder of the bytes, before their number is appended.
  private var remainder: UInt32 = 0
  /// The number of bytes summed.
  private(set) var count = 0

  /// The checksum of no bytes.
  init() {}

  /// The checksum of some bytes. O(bytes).
  init(_ bytes: UnsafeRawBufferPointer) {
    remainder = ChecksumTables.shared.remainder(of: bytes)
    count = bytes.count
  }

  /// The number that `cksum` prints.
  var value: UInt32 {
    let tables = ChecksumTables.shared
    var result = remainder
    var length = count
    while length > 0 {
      result = tables.append(UInt8(truncatingIfNeeded: length), to: result)
      length >>= 8
    }
    return ~result
  }

  /// Appends a checksum: the result is the checksum of these bytes followed by those of `next`. O(1).
  mutating func append(_ next: Checksum) {
    remainder = ChecksumTables.shared.shifted(remainder, byBytes: next.count) ^ next.remainder
    count += next.count
  }
}

extension Checksum {
  /// The number that `cksum` prints for some bytes. Uses several threads if there are many bytes. O(bytes).
  static func cksum(_ bytes: ArraySlice<UInt8>, threads: Int = 1) -> UInt32 {
    bytes.withUnsafeBytes { bytes in
      Parallel.map(over: bytes.count, atLeast: 1 << 20, threads: threads) { range in
        Checksum(UnsafeRawBufferPointer(rebasing: bytes[range]))
      }.reduce(into: Checksum()) { $0.append($1) }.value
    }
  }
}
