/// Makes binary property lists object by object, valid ones and others.
struct BinaryList {
  var objects: [[UInt8]] = []
  var referenceWidth = 4
  var offsetWidth = 4

  /// Adds an object by its bytes and returns its number.
  mutating func add(_ bytes: [UInt8]) -> Int {
    objects.append(bytes)
    return objects.count - 1
  }

  mutating func text(_ text: String) -> Int { add(Self.marker(0x50, count: text.utf8.count) + Array(text.utf8)) }

  mutating func integer(_ number: UInt8) -> Int { add([0x10, number]) }

  mutating func array(_ elements: [Int]) -> Int {
    add(Self.marker(0xA0, count: elements.count) + references(elements))
  }

  mutating func dictionary(_ members: [(key: Int, value: Int)]) -> Int {
    add(Self.marker(0xD0, count: members.count) + references(members.map(\.key) + members.map(\.value)))
  }

  /// The header of a notebook, without a checksum.
  mutating func header() -> Int {
    dictionary([(text("schema"), text("notebook")), (text("version"), integer(1))])
  }

  /// A document of a header and one table whose value is the given object.
  mutating func document(notes: Int) -> [UInt8] {
    let top = dictionary([(text("snapshot"), header()), (text("notes"), notes)])
    return bytes(top: top)
  }

  /// A document with one note that has the given object as a member.
  mutating func document(member: String = "text", _ value: Int) -> [UInt8] {
    let note = dictionary([(text(member), value)])
    return document(notes: array([note]))
  }

  /// The file, with the given object at its top.
  func bytes(top: Int) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { Self.append(UInt64(offset), width: offsetWidth, to: &bytes) }
    return bytes
      + Self.trailer(
        offsetWidth: offsetWidth, referenceWidth: referenceWidth, count: UInt64(objects.count), top: UInt64(top),
        table: UInt64(table))
  }

  static func trailer(offsetWidth: Int, referenceWidth: Int, count: UInt64, top: UInt64, table: UInt64) -> [UInt8] {
    [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)] + bigEndian(count, width: 8)
      + bigEndian(top, width: 8)
      + bigEndian(table, width: 8)
  }

  static func bigEndian(_ value: UInt64, width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, width: width, to: &bytes)
    return bytes
  }

  /// The lists of some tests have millions of references, and a debug build takes its time for closures.
  private static func append(_ value: UInt64, width: Int, to bytes: inout [UInt8]) {
    var shift = UInt64(8 * width)
    while shift > 0 {
      shift -= 8
      bytes.append(UInt8(truncatingIfNeeded: value &>> shift))
    }
  }

  /// A marker with a count, which may be false.
  static func marker(_ marker: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [marker | UInt8(count)] : [marker | 0x0F, 0x12] + bigEndian(UInt64(count), width: 4)
  }

  func references(_ numbers: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * referenceWidth)
    for number in numbers { Self.append(UInt64(number), width: referenceWidth, to: &bytes) }
    return bytes
  }
}
