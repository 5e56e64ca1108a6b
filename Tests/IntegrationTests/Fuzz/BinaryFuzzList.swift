import Foundation

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// A binary property list in parts, so that it can be rebuilt in another way, wrong or right.
struct BinaryFuzzList {
  struct Object {
    /// The marker, a count that follows it, and the bytes of a scalar.
    var bytes: [UInt8]
    var references: [Int]
  }

  var objects: [Object]
  var top: Int

  /// Splits a well-formed list into its objects.
  init(_ bytes: [UInt8]) {
    func number(_ offset: Int, _ width: Int) -> Int { bytes[offset..<offset + width].reduce(0) { $0 << 8 | Int($1) } }
    let trailer = bytes.count - 32
    let (offsetWidth, referenceWidth) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    let table = number(trailer + 24, 8)
    top = number(trailer + 16, 8)
    objects = (0..<number(trailer + 8, 8)).map { index in
      let offset = number(table + index * offsetWidth, offsetWidth)
      let marker = bytes[offset]
      var (count, start) = (Int(marker & 15), offset + 1)
      if marker >= 0x40, count == 15 {
        let width = 1 << Int(bytes[start] & 15)
        count = number(start + 1, width)
        start += 1 + width
      }
      let (length, perElement) =
        switch marker >> 4 {
        case 1, 2, 3: (1 << Int(marker & 15), 0)
        case 4, 5: (count, 0)
        case 6: (2 * count, 0)
        case 0xA: (0, 1)
        case 0xD: (0, 2)
        default: (0, 0)
        }
      let references = (0..<count * perElement).map { number(start + $0 * referenceWidth, referenceWidth) }
      return Object(bytes: Array(bytes[offset..<start + length]), references: references)
    }
  }

  /// The list with numbers of the given widths.
  func bytes(offsetWidth: Int, referenceWidth: Int) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object.bytes
      for reference in object.references { bytes += BinaryList.bigEndian(UInt64(reference), width: referenceWidth) }
    }
    let table = bytes.count
    for offset in offsets { bytes += BinaryList.bigEndian(UInt64(offset), width: offsetWidth) }
    return bytes
      + BinaryList.trailer(
        offsetWidth: offsetWidth, referenceWidth: referenceWidth, count: UInt64(objects.count), top: UInt64(top),
        table: UInt64(table))
  }
}

extension SeededGenerator {
  /// A list with some changed objects, references, offsets or trailer fields.
  mutating func mutation(of list: BinaryFuzzList) -> [UInt8] {
    var list = list
    for _ in 0...pick([0, 0, 1, 2]) { change(&list) }
    let needed = list.objects.count < 256 ? 1 : 2
    let referenceWidth = chance(4) ? pick([needed, 2, 3, 4, 8]) : needed
    let offsetWidth = chance(4) ? pick([3, 4, 5, 8]) : 2
    var bytes = list.bytes(offsetWidth: offsetWidth, referenceWidth: referenceWidth)
    let trailer = bytes.count - 32
    let table = trailer - offsetWidth * list.objects.count
    switch Int.random(in: 0..<12, using: &self) {
    case 0:
      let index = trailer + Int.random(in: 0..<32, using: &self)
      bytes[index] = chance(2) ? pick([0, 1, 2, 3, 8, 9, 0x7F, 0x80, 0xFF]) : bytes[index] &+ 1
    case 1:
      // Two objects at one place, or one beside its place.
      let (a, b) = (offset(in: list), offset(in: list))
      for byte in 0..<offsetWidth { bytes[table + a * offsetWidth + byte] = bytes[table + b * offsetWidth + byte] }
    case 2:
      let entry = table + offset(in: list) * offsetWidth + offsetWidth - 1
      bytes[entry] = pick([bytes[entry] &+ 1, bytes[entry] &- 1, 0, 7, 8, 0xFF])
    default: break
    }
    return bytes
  }

  private mutating func offset(in list: BinaryFuzzList) -> Int { Int.random(in: list.objects.indices, using: &self) }

  private mutating func change(_ list: inout BinaryFuzzList) {
    let index = offset(in: list)
    let object = list.objects[index]
    switch Int.random(in: 0..<12, using: &self) {
    case 0: list.objects[index].bytes[0] = pick(Self.markers)
    case 1: list.objects[index].bytes[0] = object.bytes[0] & 0xF0 | UInt8.random(in: 0...15, using: &self)
    case 2:
      let byte = Int.random(in: object.bytes.indices, using: &self)
      list.objects[index].bytes[byte] = chance(2) ? UInt8(truncatingIfNeeded: next()) : object.bytes[byte] ^ 0x80
    case 3, 4:
      guard object.references.isEmpty else { return }
      list.objects[index].bytes = chance(4) ? scalar() : scalar(like: object.bytes[0])
    case 5, 6:
      let holders = list.objects.indices.filter { !list.objects[$0].references.isEmpty }
      guard let holder = holders.randomElement(using: &self) else { return }
      let position = Int.random(in: list.objects[holder].references.indices, using: &self)
      list.objects[holder].references[position] = chance(8) ? list.objects.count : offset(in: list)
    case 7:
      let holders = list.objects.indices.filter { list.objects[$0].references.count > 1 }
      guard let holder = holders.randomElement(using: &self) else { return }
      let positions = list.objects[holder].references.indices
      list.objects[holder].references.swapAt(
        Int.random(in: positions, using: &self), Int.random(in: positions, using: &self))
    case 8: list.top = chance(2) ? offset(in: list) : list.top
    case 9:
      // Objects in another order.
      let other = offset(in: list)
      list.objects.swapAt(index, other)
      func moved(_ reference: Int) -> Int { reference == index ? other : reference == other ? index : reference }
      for holder in list.objects.indices {
        list.objects[holder].references = list.objects[holder].references.map(moved)
      }
      list.top = moved(list.top)
    case 10:
      // A count that does not match the following bytes.
      guard object.bytes[0] >= 0x40 else { return }
      list.objects[index].bytes[0] |= 0x0F
      let width = Int.random(in: 0...3, using: &self)
      let right = UInt64(object.bytes[0] & 15)
      let count = pick([right, right, right, right + 1, 0, 1, 15, 255, UInt64(object.references.count)])
      list.objects[index].bytes.insert(
        contentsOf: [0x10 | UInt8(width)] + BinaryList.bigEndian(count, width: min(8, 1 << width)), at: 1)
    default:
      // One more member or element.
      guard object.references.count < 14, object.bytes[0] >= 0xA0 else { return }
      list.objects[index].bytes[0] &+= 1
      list.objects[index].references.insert(offset(in: list), at: 0)
      if object.bytes[0] >= 0xD0 { list.objects[index].references.append(offset(in: list)) }
    }
  }

  private static let markers: [UInt8] = [
    0x00, 0x08, 0x09, 0x0F, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x20, 0x21, 0x22, 0x23, 0x24, 0x33, 0x32, 0x40, 0x4F,
    0x50,
    0x51, 0x5F, 0x60, 0x61, 0x6F, 0x70, 0x80, 0xA0, 0xAF, 0xB0, 0xC0, 0xC1, 0xD0, 0xD1, 0xDF, 0xE0, 0xF0, 0xFF,
  ]

  /// The bytes of a new scalar of the same kind, if one is found soon.
  private mutating func scalar(like marker: UInt8) -> [UInt8] {
    for _ in 0..<20 {
      let new = scalar()
      if new[0] >> 4 == marker >> 4 { return new }
    }
    return scalar()
  }

  /// The bytes of a new scalar.
  private mutating func scalar() -> [UInt8] {
    switch Int.random(in: 0..<10, using: &self) {
    case 0: return [pick([0x00, 0x08, 0x09])]
    case 1:
      let width = Int.random(in: 0...3, using: &self)
      return [0x10 | UInt8(width)] + BinaryList.bigEndian(chance(2) ? next() : integer(), width: 1 << width)
    case 2:
      return [0x14] + BinaryList.bigEndian(pick([0, 0, 1, .max]), width: 8) + BinaryList.bigEndian(integer(), width: 8)
    case 3: return [0x22] + BinaryList.bigEndian(UInt64(float().bitPattern), width: 4)
    case 4: return [0x23] + BinaryList.bigEndian(double().bitPattern, width: 8)
    case 5: return [0x33] + BinaryList.bigEndian(dateSeconds().bitPattern, width: 8)
    case 6:
      let payload = Array(data().prefix(14))
      return [0x40 | UInt8(payload.count)] + payload
    case 7:
      let text = Array((chance(2) ? pick(Self.dateTexts) : pick(Self.numberTexts)).utf8.prefix(14))
      return [0x50 | UInt8(text.count)] + text
    case 8:
      let units = Array(text(upTo: 2).utf16.prefix(14))
      return [0x60 | UInt8(units.count)] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    default:
      let text = Array(pick(["$null", "$$null", "", "NaN", "Infinity", "red", "1.5", "AA==", "id", "text"]).utf8)
      return [0x50 | UInt8(text.count)] + text
    }
  }
}
