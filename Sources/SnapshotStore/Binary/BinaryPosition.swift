/// A position among the records of a table in a binary list, for reading them directly.
///
/// The objects of a record are read directly only if they lie in the order in which they would have been written, each
/// behind the end of the one before, and the record behind all of its values. So no object is read twice and no two
/// overlap, and what is read is never more than the file. Truth values and keys may be shared. What is read is also
/// counted, as `BinaryObjects` does it.
struct BinaryPosition {
  private(set) var objectCount = 0
  private(set) var offsetTable = 0
  private(set) var offsetWidth = 4
  private(set) var referenceWidth = 4
  /// Where the references to the records are.
  private(set) var records = 0
  /// How much may still be read, as `BinaryObjects` counts it.
  var budget = 0
  /// Where the last object ends that is not shared.
  var end = 0

  // The record at hand.
  var record = 0
  var recordEnd = 0
  var keys = 0
  var values = 0
  var count = 0
  /// How many of its members have been read.
  var next = 0
  var cost = 0
  private(set) var endBefore = 0

  /// Keys that were met before, by the low bits of their numbers.
  private var knownKeys: [Key] = []

  private struct Key {
    var object = -1
    var start = 0
    var count = 0
  }

  private static let knownKeyCount = 64

  /// For a reader of another format.
  init() {}

  init(_ layout: BinaryLayout, records: Int) {
    objectCount = layout.objectCount
    offsetTable = layout.offsetTable
    offsetWidth = layout.offsetWidth
    referenceWidth = layout.referenceWidth
    self.records = records
    knownKeys = Array(repeating: Key(), count: Self.knownKeyCount)
  }

  // MARK: Objects

  /// The place of an object's marker; nil if that is not among the objects.
  func offset(of object: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let offset = Self.integer(bytes, at: offsetTable + object * offsetWidth, width: offsetWidth)
    guard offset >= 8, offset < UInt64(offsetTable) else { return nil }
    return Int(offset)
  }

  /// The object that a reference at a place, which is known to be inside of an object, refers to.
  func reference(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Int? {
    let reference = Self.integer(bytes, at: place, width: referenceWidth)
    return reference < UInt64(objectCount) ? Int(reference) : nil
  }

  /// The count in or after a marker, and where the elements start, which are known to lie among the objects; nil if they
  /// do not.
  func extent(
    at offset: Int, elementWidth: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> (count: Int, start: Int)? {
    try? BinaryLayout.extent(bytes, at: offset, elementWidth: elementWidth, end: offsetTable)
  }

  /// Where a container ends; nil if the object is none.
  func end(ofContainer object: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let offset = offset(of: object, in: bytes) else { return nil }
    let perElement = bytes[offset] & 0xF0 == 0xA0 ? 1 : bytes[offset] & 0xF0 == 0xD0 ? 2 : 0
    guard perElement > 0, let (count, start) = extent(at: offset, elementWidth: perElement * referenceWidth, in: bytes)
    else { return nil }
    return start + count * perElement * referenceWidth
  }

  /// The bytes after an offset as a number, most significant first. They are known to be inside of the file.
  @inline(__always)
  static func integer(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, width: Int) -> UInt64 {
    if width == 4 {
      let raw = UnsafeRawBufferPointer(bytes)
      return UInt64(UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    return BinaryLayout.integer(bytes, at: offset, width: width)
  }

  // MARK: Records

  /// Goes to the members of a record; false if it is not a dictionary where one would have been written.
  mutating func begin(_ index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    endBefore = end
    guard let object = reference(bytes, at: records + index * referenceWidth),
      let offset = offset(of: object, in: bytes), offset >= end, bytes[offset] & 0xF0 == 0xD0,
      let (count, start) = extent(at: offset, elementWidth: 2 * referenceWidth, in: bytes)
    else { return false }
    record = offset
    recordEnd = start + 2 * count * referenceWidth
    keys = start
    values = start + count * referenceWidth
    self.count = count
    next = 0
    cost = 1
    return true
  }

  /// Whether all members have been read, and the budget allows for them. If so, it is charged.
  mutating func endRecord() -> Bool {
    guard next == count, cost <= budget else { return false }
    budget -= cost
    end = recordEnd
    return true
  }

  /// Goes back to the end of the record before.
  mutating func abandon() { end = endBefore }

  /// Whether the next member has this key.
  mutating func isNext(_ key: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard next < count, let object = reference(bytes, at: keys + next * referenceWidth) else { return false }
    let slot = object & (Self.knownKeyCount - 1)
    if knownKeys[slot].object != object {
      guard let offset = offset(of: object, in: bytes), bytes[offset] & 0xF0 == 0x50,
        let (count, start) = extent(at: offset, elementWidth: 1, in: bytes)
      else { return false }
      knownKeys[slot] = Key(object: object, start: start, count: count)
    }
    // Long keys cost, and so are left to `BinaryObjects`.
    let known = knownKeys[slot]
    return known.count == key.utf8CodeUnitCount && known.count < 64 && key.isASCII
      && ByteText.isNext(key, bytes, at: known.start)
  }

  /// The place of the next member's value.
  mutating func value(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let object = reference(bytes, at: values + next * referenceWidth) else { return nil }
    next += 1
    cost += 1
    return offset(of: object, in: bytes)
  }
}
