/// Converts between UTF-8 and the UTF-16 of binary lists, which is big-endian.
enum UTF16Text {
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  // MARK: To UTF-16

  /// The number of UTF-16 units for some valid UTF-8.
  static func unitCount(of utf8: UnsafeBufferPointer<UInt8>) -> Int {
    guard let base = utf8.baseAddress else { return 0 }
    let raw = UnsafeRawPointer(base)
    let ones: UInt64 = 0x0101_0101_0101_0101
    var count = 0
    var index = 0
    while index + 8 <= utf8.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // Of the bytes from 0x80 on, those that begin with 10 continue a character. Those that begin with 1111 begin a
      // character of two units.
      let rest = word >> 7 & ~word >> 6 & ones
      let long = word >> 7 & word >> 6 & word >> 5 & word >> 4 & ones
      count += 8 - rest.nonzeroBitCount + long.nonzeroBitCount
      index += 8
    }
    while index < utf8.count {
      count += (utf8[index] & 0xC0 == 0x80 ? 0 : 1) + (utf8[index] >= 0xF0 ? 1 : 0)
      index += 1
    }
    return count
  }

  /// Writes valid UTF-8 as UTF-16.
  static func write(_ utf8: UnsafeBufferPointer<UInt8>, to place: UnsafeMutablePointer<UInt8>) {
    guard let base = utf8.baseAddress else { return }
    let source = UnsafeRawPointer(base)
    var target = UnsafeMutableRawPointer(place)
    func put(_ unit: UInt32) {
      target.storeBytes(of: UInt16(truncatingIfNeeded: unit).bigEndian, as: UInt16.self)
      target += 2
    }
    var index = 0
    while index < utf8.count {
      while index + 8 <= utf8.count {
        let word = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        guard word & highs == 0 else { break }
        target.storeBytes(of: spread(word & 0xFFFF_FFFF).littleEndian, as: UInt64.self)
        target.storeBytes(of: spread(word >> 32).littleEndian, toByteOffset: 8, as: UInt64.self)
        target += 16
        index += 8
      }
      // Converts character by character up to the next word, which may be plain.
      let pause = min(utf8.count, index + 8)
      while index < pause {
        let first = UInt32(utf8[index])
        if first < 0x80 {
          put(first)
          index += 1
        } else if first < 0xE0 {
          put((first & 0x1F) << 6 | UInt32(utf8[index + 1] & 0x3F))
          index += 2
        } else if first < 0xF0 {
          put((first & 0x0F) << 12 | UInt32(utf8[index + 1] & 0x3F) << 6 | UInt32(utf8[index + 2] & 0x3F))
          index += 3
        } else {
          let high = (first & 0x07) << 18 | UInt32(utf8[index + 1] & 0x3F) << 12
          let scalar = (high | UInt32(utf8[index + 2] & 0x3F) << 6 | UInt32(utf8[index + 3] & 0x3F)) - 0x10000
          put(0xD800 | scalar >> 10)
          put(0xDC00 | scalar & 0x3FF)
          index += 4
        }
      }
    }
  }

  /// Spreads four bytes to four big-endian units.
  @inline(__always)
  private static func spread(_ bytes: UInt64) -> UInt64 {
    let pairs = (bytes | bytes << 16) & 0x0000_FFFF_0000_FFFF
    return ((pairs | pairs << 8) & 0x00FF_00FF_00FF_00FF) << 8
  }

  // MARK: From UTF-16

  /// The text of some units; nil if one of them is half of a surrogate pair.
  ///
  /// - Parameter units: two bytes for each unit.
  static func text(of units: UnsafeRawBufferPointer) -> String? {
    guard let capacity = utf8Count(of: units) else { return nil }
    return String(unsafeUninitializedCapacity: capacity) { place in
      guard let target = place.baseAddress, let source = units.baseAddress else { return 0 }
      var written = 0
      var index = 0
      while index < units.count {
        while index + 8 <= units.count {
          let word = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: index, as: UInt64.self))
          guard word & plain == 0 else { break }
          let pairs = (word | word >> 8) & 0x0000_FFFF_0000_FFFF
          let bytes = UInt32(truncatingIfNeeded: pairs | pairs >> 16)
          UnsafeMutableRawPointer(target + written).storeBytes(of: bytes.bigEndian, as: UInt32.self)
          written += 4
          index += 8
        }
        let pause = min(units.count, index + 8)
        while index < pause {
          let unit = self.unit(units, at: index)
          index += 2
          if unit & 0xF800 == 0xD800 {
            // The other half is known to follow.
            let scalar = 0x10000 + ((unit & 0x3FF) << 10 | self.unit(units, at: index) & 0x3FF)
            index += 2
            target[written] = 0xF0 | UInt8(scalar >> 18)
            target[written + 1] = 0x80 | UInt8(scalar >> 12 & 0x3F)
            target[written + 2] = 0x80 | UInt8(scalar >> 6 & 0x3F)
            target[written + 3] = 0x80 | UInt8(scalar & 0x3F)
            written += 4
          } else if unit >= 0x800 {
            target[written] = 0xE0 | UInt8(unit >> 12)
            target[written + 1] = 0x80 | UInt8(unit >> 6 & 0x3F)
            target[written + 2] = 0x80 | UInt8(unit & 0x3F)
            written += 3
          } else if unit >= 0x80 {
            target[written] = 0xC0 | UInt8(unit >> 6)
            target[written + 1] = 0x80 | UInt8(unit & 0x3F)
            written += 2
          } else {
            target[written] = UInt8(unit)
            written += 1
          }
        }
      }
      return written
    }
  }

  /// The bits that are zero in every ASCII unit.
  private static let plain: UInt64 = 0xFF80_FF80_FF80_FF80

  @inline(__always)
  private static func unit(_ units: UnsafeRawBufferPointer, at index: Int) -> UInt32 {
    UInt32(UInt16(bigEndian: units.loadUnaligned(fromByteOffset: index, as: UInt16.self)))
  }

  /// The number of UTF-8 bytes for some units; nil if one of them is half of a surrogate pair.
  private static func utf8Count(of units: UnsafeRawBufferPointer) -> Int? {
    guard let source = units.baseAddress, units.count % 2 == 0 else { return units.count == 0 ? 0 : nil }
    var count = 0
    var index = 0
    while index < units.count {
      while index + 8 <= units.count {
        let word = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        guard word & plain == 0 else { break }
        count += 4
        index += 8
      }
      let pause = min(units.count, index + 8)
      while index < pause {
        let unit = self.unit(units, at: index)
        index += 2
        switch unit {
        case ..<0x80: count += 1
        case ..<0x800: count += 2
        case 0xD800..<0xDC00:
          guard index + 2 <= units.count, self.unit(units, at: index) & 0xFC00 == 0xDC00 else { return nil }
          index += 2
          count += 4
        case 0xDC00..<0xE000: return nil
        default: count += 3
        }
      }
    }
    return count
  }
}
