/// The objects of a binary property list whose end is lost. The end has the table of the objects' offsets.
///
/// This library and others write objects one after the other, in the order of their numbers. So salvage walks through
/// the objects from the first one on and makes a new table. It stops at an object that is cut off or of unknown type.
/// The width of a reference was stated at the end too. Each width is tried in turn, first the four bytes that this
/// library writes.
///
/// A damaged file may hold an object in every byte. So only one table at a time is in memory, with four bytes for each
/// object. A zero byte is a null, and other writers write one or a few. A power cut leaves a run of zeros, so a run
/// ends the list.
struct SalvagedObjects {
  private let bytes: [UInt8]
  private let referenceWidth: Int
  private var offsets: [UInt32] = []
  private var end = 8
  /// The dictionaries whose keys are references to texts, minus those whose keys are not. The list ends where this
  /// number is highest, because any bytes may follow the rest of it.
  private var score = 0

  /// The list with a new table of offsets; nil if it has no record. O(bytes).
  static func rebuilt(_ bytes: [UInt8]) -> SourceText? {
    guard bytes.starts(with: "bplist".utf8), bytes.count > 9, bytes.count < UInt32.max else {
      return nil
    }
    var best: (width: Int, score: Int)?
    for width in [4, 1, 2, 8] {
      let score = SalvagedObjects(bytes, referenceWidth: width).score
      if score > best?.score ?? 0 { best = (width, score) }
    }
    guard let best else { return nil }
    return SourceText(unchecked: SalvagedObjects(bytes, referenceWidth: best.width).list(), isText: false)
  }

  private init(_ bytes: [UInt8], referenceWidth: Int) {
    self.bytes = bytes
    self.referenceWidth = referenceWidth
    while end < bytes.count, let next = self.end(ofObjectAt: end) {
      offsets.append(UInt32(end))
      end = next
    }
    var balance = 0
    for offset in offsets where bytes[Int(offset)] & 0xF0 == 0xD0 {
      balance += hasKeys(Int(offset)) ? 1 : -1
      score = max(score, balance)
    }
  }

  private func end(ofObjectAt offset: Int) -> Int? {
    let low = bytes[offset] & 0x0F
    switch bytes[offset] & 0xF0 {
    case 0x00: return low == 8 || low == 9 || (low == 0 && !isHole(offset)) ? offset + 1 : nil
    case 0x10: return low <= 4 ? reach(offset + 1, 1, 1 << Int(low)) : nil
    case 0x20: return low == 2 || low == 3 ? reach(offset + 1, 1, 1 << Int(low)) : nil
    case 0x30: return low == 3 ? reach(offset + 1, 1, 8) : nil
    case 0x40, 0x50: return end(ofCountedAt: offset, 1)
    case 0x60: return end(ofCountedAt: offset, 2)
    case 0xA0: return end(ofCountedAt: offset, referenceWidth)
    case 0xD0: return end(ofCountedAt: offset, 2 * referenceWidth)
    default: return nil
    }
  }

  /// Whether more zeros follow than any program writes as nulls.
  private func isHole(_ offset: Int) -> Bool {
    bytes[offset...].prefix(Self.holeSize).allSatisfy { $0 == 0 }
  }
  private static let holeSize = 64

  private func end(ofCountedAt offset: Int, _ width: Int) -> Int? {
    extent(offset, width).map { $0.start + $0.count * width }
  }

  private func extent(_ offset: Int, _ width: Int) -> (count: Int, start: Int)? {
    try? BinaryLayout.extent(bytes, at: offset, elementWidth: width, end: bytes.count)
  }

  /// The end of some elements, if it is inside the file.
  private func reach(_ start: Int, _ width: Int, _ count: Int) -> Int? {
    start <= bytes.count && count <= (bytes.count - start) / width ? start + width * count : nil
  }

  /// Whether all keys of a dictionary are texts that were written before it.
  private func hasKeys(_ offset: Int) -> Bool {
    guard let (count, start) = extent(offset, 2 * referenceWidth), count > 0 else { return false }
    return (0..<count).allSatisfy { index in
      let key = BinaryLayout.integer(
        bytes, at: start + index * referenceWidth, width: referenceWidth)
      guard key < UInt64(offsets.count) else { return false }
      let marker = bytes[Int(offsets[Int(key)])] & 0xF0
      return marker == 0x50 || marker == 0x60
    }
  }

  /// The objects, a table of their offsets, and an end with the layout.
  private func list() -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(end + 4 * offsets.count + 32)
    result += bytes[..<end]
    func append(_ value: Int, _ width: Int) {
      for shift in stride(from: 8 * (width - 1), through: 0, by: -8) {
        result.append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
    for offset in offsets { append(Int(offset), 4) }
    result += [0, 0, 0, 0, 0, 0, 4, UInt8(referenceWidth)]
    append(offsets.count, 8)
    append(offsets.count - 1, 8)
    append(end, 8)
    return result
  }
}
