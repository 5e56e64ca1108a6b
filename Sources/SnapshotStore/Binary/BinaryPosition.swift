/// A position among the records of a table in a binary list, for direct reading.
///
/// The objects of a record are read directly only if they lie in the order in which this library writes them. Each
/// object lies behind the end of the one before, and the record behind all of its values. So no object is read twice,
/// no two overlap, and no more than the file is read. Truth values and keys may be shared. Costs are counted as in
/// `BinaryObjects`.
struct BinaryPosition {
  private(set) var objectCount = 0
  private(set) var offsetTable = 0
  private(set) var offsetWidth = 4
  private(set) var referenceWidth = 4
  /// The offset of the references to the records.
  private(set) var records = 0
  /// The remaining cost, as `BinaryObjects` counts it.
  var budget = 0
  /// The end of the last object that is not shared.
  var end = 0

  // The current record.
  var record = 0
  var recordEnd = 0
  var keys = 0
  var values = 0
  var count = 0
  /// The number of its members that have been read.
  var next = 0
  var cost = 0
  private(set) var endBefore = 0

  /// A cache of keys, by the low bits of their object numbers.
  private var knownKeys: [Key] = []

  private struct Key {
    var object = -1
    var start = 0
    var count = 0
  }

  private static let knownKeyCount = 64

  /// An unused position, for readers of other formats.
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

  /// The offset of an object's marker; nil if it lies outside the objects.
  func offset(of object: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let offset = Self.integer(bytes, at: offsetTable + object * offsetWidth, width: offsetWidth)
    guard offset >= 8, offset < UInt64(offsetTable) else { return nil }
    return Int(offset)
  }

  /// The object of a reference. The caller has checked that the reference is inside an object.
  func reference(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Int? {
    let reference = Self.integer(bytes, at: place, width: referenceWidth)
    return reference < UInt64(objectCount) ? Int(reference) : nil
  }

  /// The count in or after a marker, and the start of the elements. Nil if the elements do not lie among the objects.
  func extent(
    at offset: Int, elementWidth: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> (count: Int, start: Int)? {
    try? BinaryLayout.extent(bytes, at: offset, elementWidth: elementWidth, end: offsetTable)
  }

  /// The end of a container; nil if the object is not a container.
  func end(ofContainer object: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let offset = offset(of: object, in: bytes) else { return nil }
    let perElement = bytes[offset] & 0xF0 == 0xA0 ? 1 : bytes[offset] & 0xF0 == 0xD0 ? 2 : 0
    guard perElement > 0, let (count, start) = extent(at: offset, elementWidth: perElement * referenceWidth, in: bytes)
    else { return nil }
    return start + count * perElement * referenceWidth
  }

  /// The bytes from an offset on as a number, most significant byte first. The caller has checked that they are in the
  /// file.
  @inline(__always)
  static func integer(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, width: Int) -> UInt64 {
    if width == 4 {
      let raw = UnsafeRawBufferPointer(bytes)
      return UInt64(UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    return BinaryLayout.integer(bytes, at: offset, width: width)
  }

  // MARK: Records

  /// Moves to the members of a record. False if there is no dictionary at the place where this library would write it.
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

  /// Whether all members have been read and the budget is sufficient. If so, charges the budget.
  mutating func endRecord() -> Bool {
    guard next == count, cost <= budget else { return false }
    budget -= cost
    end = recordEnd
    return true
  }

  /// Moves back to the end of the previous record.
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
    // Long keys have a cost, so `BinaryObjects` reads them.
    let known = knownKeys[slot]
    return known.count == key.utf8CodeUnitCount && known.count < 64 && key.isASCII
      && ByteText.isNext(key, bytes, at: known.start)
  }

  /// The offset of the next member's value.
  mutating func value(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let object = reference(bytes, at: values + next * referenceWidth) else { return nil }
    next += 1
    cost += 1
    return offset(of: object, in: bytes)
  }
}
