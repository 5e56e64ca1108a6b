/// The objects of a binary list, or of a part of one, under construction. It has their numbers and their places. It
/// also has the objects that are written once and shared: keys and truth values.
struct BinaryObjectList {
  /// The number of the next object.
  private(set) var next: UInt32
  /// The offsets of the objects, from the start of this part.
  private(set) var offsets: [Int] = []
  private(set) var shared: BinarySharedObjects
  /// The numbers of keys by the address of their text in the program. An address is found faster than a text.
  private var slots: [Slot] = []

  private struct Slot {
    var text: UnsafePointer<UInt8>?
    var length = 0
    var number: UInt32 = 0
  }

  /// A power of two. At most half of the slots are in use.
  private static let slotCount = 128
  private var takenSlots = 0

  /// - Parameters:
  ///   - next: the number of the first object.
  ///   - shared: the shared objects before this list.
  init(next: UInt32, shared: BinarySharedObjects) {
    self.next = next
    self.shared = shared
  }

  /// An empty list for the objects after these.
  var continued: BinaryObjectList { BinaryObjectList(next: next, shared: shared) }

  /// Skips objects that were counted and will be written elsewhere.
  mutating func skip(_ count: BinaryObjectCount) { count.advance(&next, &shared) }

  /// Whether both lists, which were written here as a whole, have the same numbers and places.
  func isSame(as other: BinaryObjectList) -> Bool {
    next == other.next && offsets == other.offsets && shared == other.shared
  }

  /// Writes a value with all its parts, and returns its number.
  mutating func write(_ item: Item, to sink: inout ByteSink) -> UInt32 {
    switch item.content {
    case .null: return write(text: "$null", to: &sink)
    case .bool(let value): return write(value, to: &sink)
    case .integer(let value): return write(value, to: &sink)
    case .unsigned(let value):
      let number = begin(0x14, to: &sink)
      sink.append(bigEndian: 0 as UInt64)
      sink.append(bigEndian: value)
      return number
    case .real(let value): return write(value, to: &sink)
    case .decimal(let text): return write(text: StandIn.text(decimal: text), to: &sink)
    case .string(let text): return write(text, to: &sink)
    case .date(let seconds): return write(date: seconds, to: &sink)
    case .data(let data):
      let number = begin(0x40, count: data.count, to: &sink)
      sink.append(contentsOf: data)
      return number
    case .array(let items):
      var elements: [UInt32] = []
      for item in items { elements.append(write(item, to: &sink)) }
      return write(array: elements, to: &sink)
    case .dictionary(let members):
      var keys: [UInt32] = []
      var values: [UInt32] = []
      for member in members {
        keys.append(write(key: member.key.text, to: &sink))
        values.append(write(member.value, to: &sink))
      }
      return write(keys: keys, values: values, to: &sink)
    }
  }

  mutating func write(key: String, to sink: inout ByteSink) -> UInt32 {
    if let number = shared.keys[ExactText(key)] { return number }
    let number = write(text: key, to: &sink)
    shared.keys[ExactText(key)] = number
    return number
  }

  mutating func write(key: StaticString, to sink: inout ByteSink) -> UInt32 {
    if slots.isEmpty { slots = Array(repeating: Slot(), count: Self.slotCount) }
    let length = key.utf8CodeUnitCount
    let place = UInt(bitPattern: key.utf8Start)
    var index = Int(truncatingIfNeeded: place >> 4 ^ place >> 10) & (Self.slotCount - 1)
    while let text = slots[index].text {
      if text == key.utf8Start, slots[index].length == length { return slots[index].number }
      index = (index + 1) & (Self.slotCount - 1)
    }
    let number = write(key: key.description, to: &sink)
    if takenSlots < Self.slotCount / 2 {
      slots[index] = Slot(text: key.utf8Start, length: length, number: number)
      takenSlots += 1
    }
    return number
  }

  mutating func write(_ truth: Bool, to sink: inout ByteSink) -> UInt32 {
    if let number = shared.number(of: truth) { return number }
    let number = begin(truth ? 0x09 : 0x08, to: &sink)
    shared.set(number, for: truth)
    return number
  }

  /// Writes an integer. From 0 up it takes one, two or four bytes if it fits. All other integers take eight.
  mutating func write(_ integer: Int64, to sink: inout ByteSink) -> UInt32 {
    let number: UInt32
    switch integer {
    case 0...0xFF:
      number = begin(0x10, to: &sink)
      sink.append(UInt8(integer))
    case 0...0xFFFF:
      number = begin(0x11, to: &sink)
      sink.append(bigEndian: UInt16(integer))
    case 0...0xFFFF_FFFF:
      number = begin(0x12, to: &sink)
      sink.append(bigEndian: UInt32(integer))
    default:
      number = begin(0x13, to: &sink)
      sink.append(bigEndian: integer)
    }
    return number
  }

  mutating func write(_ real: Double, to sink: inout ByteSink) -> UInt32 {
    let number = begin(0x23, to: &sink)
    sink.append(bigEndian: real.bitPattern)
    return number
  }

  /// Writes a date. It becomes text if other tools could not read it as a date.
  mutating func write(date seconds: Double, to sink: inout ByteSink) -> UInt32 {
    guard TextDate.isInCalendar(seconds) else { return write(text: StandIn.text(farDate: seconds), to: &sink) }
    let number = begin(0x33, to: &sink)
    sink.append(bigEndian: seconds.bitPattern)
    return number
  }

  /// Writes a text as a value. A text that reads like null gets a prefix. One that could be mistaken for a stand-in
  /// becomes UTF-16.
  mutating func write(_ text: String, to sink: inout ByteSink) -> UInt32 {
    var text = text
    let (isNullLike, isStandIn) = text.withUTF8 {
      (ByteText.isNullLike($0), StandIn.content(of: $0, among: BinaryFormat.standIns) != nil)
    }
    return write(text: isNullLike ? "$" + text : text, isUTF16: isStandIn, to: &sink)
  }

  private mutating func write(text: String, isUTF16: Bool = false, to sink: inout ByteSink) -> UInt32 {
    var text = text
    return text.withUTF8 { utf8 in
      if !isUTF16, ByteText.isASCII(utf8) {
        let number = begin(0x50, count: utf8.count, to: &sink)
        sink.append(utf8)
        return number
      }
      let count = UTF16Text.unitCount(of: utf8)
      let number = begin(0x60, count: count, to: &sink)
      UTF16Text.write(utf8, to: sink.reserve(2 * count))
      sink.advance(2 * count)
      return number
    }
  }

  /// Writes texts one after another, and their array.
  mutating func write(texts: [String], to sink: inout ByteSink) -> UInt32 {
    let first = next
    for text in texts { _ = write(text, to: &sink) }
    let number = begin(0xA0, count: texts.count, to: &sink)
    for index in 0..<UInt32(texts.count) { sink.append(bigEndian: first + index) }
    return number
  }

  mutating func write(array elements: [UInt32], to sink: inout ByteSink) -> UInt32 {
    let number = begin(0xA0, count: elements.count, to: &sink)
    for element in elements { sink.append(bigEndian: element) }
    return number
  }

  mutating func write(keys: [UInt32], values: [UInt32], to sink: inout ByteSink) -> UInt32 {
    let number = begin(0xD0, count: keys.count, to: &sink)
    for key in keys { sink.append(bigEndian: key) }
    for value in values { sink.append(bigEndian: value) }
    return number
  }

  private mutating func begin(_ marker: UInt8, to sink: inout ByteSink) -> UInt32 {
    offsets.append(sink.count)
    sink.append(marker)
    next += 1
    return next - 1
  }

  /// Begins an object. A count of 15 or more follows the marker as an integer.
  private mutating func begin(_ marker: UInt8, count: Int, to sink: inout ByteSink) -> UInt32 {
    if count < 15 { return begin(marker | UInt8(count), to: &sink) }
    let number = begin(marker | 0x0F, to: &sink)
    switch count {
    case ...0xFF:
      sink.append(0x10)
      sink.append(UInt8(count))
    case ...0xFFFF:
      sink.append(0x11)
      sink.append(bigEndian: UInt16(count))
    case ...0xFFFF_FFFF:
      sink.append(0x12)
      sink.append(bigEndian: UInt32(count))
    default:
      sink.append(0x13)
      sink.append(bigEndian: UInt64(count))
    }
    return number
  }
}

/// The numbers of the objects that a binary list contains only once.
struct BinarySharedObjects: Equatable {
  var keys: [ExactText: UInt32] = [:]
  private var yes: UInt32?
  private var no: UInt32?

  func number(of truth: Bool) -> UInt32? { truth ? yes : no }

  mutating func set(_ number: UInt32, for truth: Bool) {
    if truth { yes = number } else { no = number }
  }
}
