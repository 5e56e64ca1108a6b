/// The checksum in a file: the CRC that the POSIX tool `cksum` prints for everything after the checksum itself.
///
/// A CRC finds every change of up to 32 consecutive bits and every pair of changed bits; other damage passes once in
/// four billion. It guards against accidents, not against forgery. It is the CRC of POSIX.1-2017, `cksum`: polynomial
/// 0x04C11DB7, most significant bit first, the length appended, the result inverted.
///
/// Parts of a content can be summed apart, on several threads or at different times, and joined: a CRC is a remainder of
/// polynomials, and what comes later only multiplies what came before by a power of x.
struct Checksum: Equatable, Sendable {
  /// The remainder of the bytes, before their number is appended.
  private var remainder: UInt32 = 0
  /// How many bytes it is of.
  private(set) var count = 0

  /// The sum of no bytes.
  init() {}

  /// The sum of some bytes. O(bytes).
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

  /// Makes this the sum of its own bytes followed by those of `next`. O(1).
  mutating func append(_ next: Checksum) {
    remainder = ChecksumTables.shared.shifted(remainder, byBytes: next.count) ^ next.remainder
    count += next.count
  }
}

extension Checksum {
  /// The number that `cksum` prints for some bytes, summed on several threads if there are many. O(bytes).
  static func cksum(_ bytes: ArraySlice<UInt8>, threads: Int = 1) -> UInt32 {
    bytes.withUnsafeBytes { bytes in
      Parallel.map(over: bytes.count, atLeast: 1 << 20, threads: threads) { range in
        Checksum(UnsafeRawBufferPointer(rebasing: bytes[range]))
      }.reduce(into: Checksum()) { $0.append($1) }.value
    }
  }
}
