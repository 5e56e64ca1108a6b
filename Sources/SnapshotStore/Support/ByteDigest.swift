/// A digest of 64 bits. Equal digests mean that this process has seen these bytes before.
///
/// It is keyed with a random number that is drawn when the process starts and never stored. So nobody can prepare other
/// bytes with the same digest. It costs one multiplication per sixteen bytes and folds the halves of the product. The
/// construction follows wyhash (Wang Yi, 2019).
struct ByteDigest: Equatable, Sendable {
  private let value: UInt64

  /// The digest of some bytes. O(bytes).
  init(_ bytes: UnsafeRawBufferPointer) {
    value = Self.digest(bytes)
  }

  private static let key = (0..<4).map { _ in UInt64.random(in: .min ... .max) | 1 }

  private static func digest(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let start = bytes.baseAddress else { return 0 }
    let (a, b, c, d) = (key[0], key[1], key[2], key[3])
    var (first, second, third) = (d, d, d)
    var offset = 0
    while offset + 48 <= bytes.count {
      first = fold(word(start + offset) ^ a, word(start + offset + 8) ^ first)
      second = fold(word(start + offset + 16) ^ b, word(start + offset + 24) ^ second)
      third = fold(word(start + offset + 32) ^ c, word(start + offset + 40) ^ third)
      offset += 48
    }
    var result = first ^ second ^ third
    while offset < bytes.count {
      // The last bytes, filled up with zeros. `bytes.count` is mixed in below, so the padding is unambiguous.
      var (low, high): (UInt64, UInt64) = (0, 0)
      for index in offset..<min(bytes.count, offset + 8) { low = low << 8 | UInt64(bytes[index]) }
      for index in min(bytes.count, offset + 8)..<min(bytes.count, offset + 16) {
        high = high << 8 | UInt64(bytes[index])
      }
      result = fold(low ^ a, high ^ result)
      offset += 16
    }
    return fold(result ^ UInt64(bytes.count), b)
  }

  @inline(__always)
  private static func word(_ place: UnsafeRawPointer) -> UInt64 { place.loadUnaligned(as: UInt64.self) }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
