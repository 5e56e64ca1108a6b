/// Bytes under construction. The memory doubles when it is full. New memory is not zeroed, and access is not checked.
struct ByteSink: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 4096) {
    self.capacity = max(64, capacity)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// The bytes written so far. Valid until the next change.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  /// Ends writing and returns all bytes.
  consuming func finish() -> ByteBlock {
    let block = ByteBlock(adopting: base, count: count)
    discard self
    return block
  }

  mutating func removeAll() { count = 0 }

  mutating func removeLast(_ number: Int = 1) { count -= number }

  /// Makes room for more bytes and returns the place of the first one. The caller reports with `advance` how many it
  /// wrote.
  @inline(__always)
  mutating func reserve(_ additional: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity - count < additional { grow(additional) }
    return base + count
  }

  @inline(__always)
  mutating func advance(_ written: Int) { count += written }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1).pointee = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length).update(from: text.utf8Start, count: length)
    count += length
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count).update(from: start, count: bytes.count)
    count += bytes.count
  }

  mutating func append(contentsOf text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  mutating func append(contentsOf bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  mutating func append(_ byte: UInt8, times: Int) {
    reserve(times).update(repeating: byte, count: times)
    count += times
  }

  /// Appends the bytes of a number, most significant first.
  @inline(__always)
  mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
    let place = UnsafeMutableRawPointer(reserve(MemoryLayout<Number>.size))
    place.storeBytes(of: number.bigEndian, as: Number.self)
    count += MemoryLayout<Number>.size
  }

  /// Appends a number in decimal digits.
  mutating func append(decimal number: UInt64) {
    if number < 10 { return append(0x30 + UInt8(number)) }
    var digits = Self.digits(in: number)
    let end = reserve(20) + digits
    count += digits
    var rest = number
    var place = end
    while digits > 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      place -= 1
      place.pointee = 0x30 + UInt8(truncatingIfNeeded: digit)
      rest = quotient
      digits -= 1
    }
  }

  mutating func append(decimal number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(decimal: number.magnitude)
  }

  private static func digits(in number: UInt64) -> Int {
    var count = 1
    var bound: UInt64 = 10
    while number >= bound {
      count += 1
      if count == 20 { break }
      bound *= 10
    }
    return count
  }

  private mutating func grow(_ additional: Int) {
    capacity = max(capacity * 2, count + additional)
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    new.update(from: base, count: count)
    base.deallocate()
    base = new
  }
}
