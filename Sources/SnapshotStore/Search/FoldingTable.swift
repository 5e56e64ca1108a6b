import SnapshotSystem
import Synchronization

/// A cache of folded scalars, each computed when a search first needs it.
///
/// The process has one table, because folding never changes. It takes eight megabytes of address space. Only pages with
/// scalars that occur use memory: about 20 KB for European languages, 200 KB for Chinese.
final class FoldingTable: @unchecked Sendable {
  // Unchecked because of the pointer. It points to atomic numbers, which are never freed.
  static let shared = FoldingTable()

  /// An entry is zero if it is not known yet. Otherwise its highest byte is one more than the number of bytes, and the
  /// lower bytes hold the folded form; or the entry is `tooLong`.
  private let entries: UnsafeMutableBufferPointer<Atomic<UInt64>>
  private static let tooLong = UInt64.max

  private init() {
    // New pages are zero already. Initialising each entry would make all of them use memory.
    guard let memory = calloc(0x11_0000, MemoryLayout<Atomic<UInt64>>.stride) else { fatalError("out of memory") }
    let start = memory.bindMemory(to: Atomic<UInt64>.self, capacity: 0x11_0000)
    entries = UnsafeMutableBufferPointer(start: start, count: 0x11_0000)
  }

  /// Writes the folded form of a scalar and returns its number of bytes, at most four times that of the scalar. May
  /// write eight bytes.
  @inline(__always)
  func write(_ scalar: UInt32, to output: UnsafeMutableRawPointer) -> Int {
    var entry = entries[Int(scalar)].load(ordering: .relaxed)
    if entry == 0 { entry = learn(scalar) }
    if entry == Self.tooLong { return writeLong(scalar, to: output) }
    output.storeBytes(of: entry, as: UInt64.self)
    return Int(entry >> 56) - 1
  }

  /// A `String` has scalars only.
  private static func folded(_ number: UInt32) -> [UInt8] {
    SearchFolding.utf8(of: Unicode.Scalar(number) ?? "\u{FFFD}")
  }

  /// Two threads that compute the same entry store the same value.
  @inline(never)
  private func learn(_ number: UInt32) -> UInt64 {
    let bytes = Self.folded(number)
    var entry = Self.tooLong
    if bytes.count <= 7 {
      entry = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } | UInt64(bytes.count + 1) << 56
    }
    entries[Int(number)].store(entry, ordering: .relaxed)
    return entry
  }

  /// Only Hangul syllables of three letters, and few other scalars, take this path.
  @inline(never)
  private func writeLong(_ number: UInt32, to output: UnsafeMutableRawPointer) -> Int {
    let syllable = number &- 0xAC00
    if syllable < 11_172 {
      let letters = [0x1100 + syllable / 588, 0x1161 + syllable % 588 / 28, 0x11A7 + syllable % 28]
      for (position, letter) in letters.enumerated() {
        output.storeBytes(of: UInt8(0xE0 | letter >> 12), toByteOffset: 3 * position, as: UInt8.self)
        output.storeBytes(of: UInt8(0x80 | letter >> 6 & 0x3F), toByteOffset: 3 * position + 1, as: UInt8.self)
        output.storeBytes(of: UInt8(0x80 | letter & 0x3F), toByteOffset: 3 * position + 2, as: UInt8.self)
      }
      return 9
    }
    let bytes = Self.folded(number)
    output.copyMemory(from: bytes, byteCount: bytes.count)
    return bytes.count
  }
}
