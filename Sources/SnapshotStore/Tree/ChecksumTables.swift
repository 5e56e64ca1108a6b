/// The arithmetic of the CRC: remainders of polynomials over GF(2). The highest bit is the highest power of x.
///
/// It processes sixteen bytes at a time. Source: M. Kounavis and F. Berry, "Novel Table Lookup-Based Algorithms for
/// High-Performance CRC Generation", 2008. Two runs go side by side, because one run waits for its own result at every
/// step.
struct ChecksumTables: Sendable {
  static let shared = ChecksumTables()

  private static let polynomial: UInt32 = 0x04C1_1DB7

  /// `steps[k * 256 + byte]` is the remainder of a byte with k zero bytes after it.
  private let steps: [UInt32]
  /// `powers[k * 256 + i]` is the remainder of x to the power 8 · i · 256^k.
  private let powers: [UInt32]

  /// Every process that reads or writes a file makes the tables.
  private init() {
    var steps = (0..<256).map { Self.product(UInt32($0) << 24, 1 << 8) }
    for index in 256..<4096 {
      let before = steps[index - 256]
      steps.append(before << 8 ^ steps[Int(before >> 24)])
    }
    self.steps = steps
    var powers: [UInt32] = []
    powers.reserveCapacity(8 * 256)
    var base: UInt32 = 1 << 8
    for _ in 0..<8 {
      var power: UInt32 = 1
      for _ in 0..<256 {
        powers.append(power)
        power = Self.product(power, base)
      }
      base = power
    }
    self.powers = powers
  }

  func append(_ byte: UInt8, to crc: UInt32) -> UInt32 {
    crc << 8 ^ steps[Int(UInt8(truncatingIfNeeded: crc >> 24) ^ byte)]
  }

  /// The remainder after `count` more zero bytes.
  func shifted(_ crc: UInt32, byBytes count: Int) -> UInt32 {
    var result = crc
    var rest = count
    var table = 0
    while rest > 0 {
      let digit = rest & 0xFF
      if digit > 0 { result = Self.product(result, powers[table + digit]) }
      rest >>= 8
      table += 256
    }
    return result
  }

  /// The product of two remainders.
  ///
  /// A debug build takes twenty times as long for a loop over a range, and for shifts that check their width.
  private static func product(_ a: UInt32, _ b: UInt32) -> UInt32 {
    var result: UInt32 = 0
    var rest = b
    var bits = 32
    while bits > 0 {
      result = result &<< 1 ^ (result &>> 31) &* polynomial
      result ^= (rest &>> 31) &* a
      rest = rest &<< 1
      bits -= 1
    }
    return result
  }

  /// The remainder of some bytes.
  func remainder(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    steps.withUnsafeBufferPointer { steps in
      guard let table = steps.baseAddress, let start = bytes.baseAddress else { return 0 }
      let half = bytes.count / 32 * 16
      var (first, second): (UInt32, UInt32) = (0, 0)
      var offset = 0
      while offset < half {
        first = Self.step(start + offset, first, table)
        second = Self.step(start + half + offset, second, table)
        offset += 16
      }
      var crc = shifted(first, byBytes: half) ^ second
      for index in 2 * half..<bytes.count { crc = append(bytes[index], to: crc) }
      return crc
    }
  }

  /// Processes sixteen bytes.
  @inline(__always)
  private static func step(
    _ bytes: UnsafeRawPointer, _ crc: UInt32, _ table: UnsafePointer<UInt32>
  ) -> UInt32 {
    let high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) ^ UInt64(crc) << 32
    let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    return eight(high, table + 8 * 256) ^ eight(low, table)
  }

  /// The remainder of eight bytes, given as a number. Uses the tables from `table` on.
  @inline(__always)
  private static func eight(_ word: UInt64, _ table: UnsafePointer<UInt32>) -> UInt32 {
    let a = table[Int(word & 0xFF)] ^ table[256 + Int(word &>> 8 & 0xFF)]
    let b = table[512 + Int(word &>> 16 & 0xFF)] ^ table[768 + Int(word &>> 24 & 0xFF)]
    let c = table[1024 + Int(word &>> 32 & 0xFF)] ^ table[1280 + Int(word &>> 40 & 0xFF)]
    let d = table[1536 + Int(word &>> 48 & 0xFF)] ^ table[1792 + Int(word &>> 56)]
    return a ^ b ^ c ^ d
  }
}
