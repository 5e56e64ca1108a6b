import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Code that works on words of eight bytes agrees with code that works byte by byte.
@Suite struct FastTextTests {
  // MARK: Dates

  @Test func datesAgreeWithTheGeneralWay() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) in
      var generator = SeededGenerator(seed: seed)
      var failures: [String] = []
      for index in 0..<20_000 {
        let seconds = Self.seconds(index, &generator)
        var sink = ByteSink()
        let isText = TextDate.append(seconds, to: &sink)
        let written = isText ? String(decoding: sink.bytes, as: UTF8.self) : nil
        if written != TextDate.text(seconds) { failures.append("\(seconds.bitPattern) is written \(written ?? "nil")") }
        guard let text = TextDate.text(seconds) else { continue }
        let fast = Array(text.utf8).withUnsafeBufferPointer { TextDate.seconds(fast: $0) }
        if let fast, fast.bitPattern != seconds.bitPattern { failures.append("\(text) is read as \(fast)") }
        // The fast way is for the common dates.
        if fast == nil, abs(seconds) > 0x1p23, abs(seconds) < 0x1p32 { failures.append("\(text) is not read") }
      }
      #expect(failures.prefix(3) == [])
    }
  }

  /// Every day of the years 1 to 9999 in the full form.
  @Test func daysBecomeDatesAndDatesDays() {
    var failures: [Int] = []
    for day in stride(from: 306, through: 3_652_364, by: Proofs.pick(full: 1, quick: 97)) {
      let (year, month, dayOfMonth) = TextDate.civil(fromShiftedDay: day)
      let isDay = (1...12).contains(month) && dayOfMonth >= 1 && dayOfMonth <= TextDate.daysInMonth(month, year)
      if !isDay || TextDate.shiftedDay(year, month, dayOfMonth) != day { failures.append(day) }
    }
    #expect(failures.prefix(3) == [])
    let isFirst = TextDate.civil(fromShiftedDay: 306) == (1, 1, 1)
    let isLast = TextDate.civil(fromShiftedDay: 3_652_364) == (9999, 12, 31)
    #expect(isFirst && isLast)
  }

  /// Seconds with few and with many digits, ties between decimal fractions, and the edges of the fast way.
  private static func seconds(_ index: Int, _ generator: inout SeededGenerator) -> Double {
    let sign: Double = Bool.random(using: &generator) ? 1 : -1
    switch index % 6 {
    case 0: return sign * Double.random(in: 0...0x1p34, using: &generator)
    case 1: return sign * (Double.random(in: 0...0x1p31, using: &generator) * 1000).rounded() / 1000
    case 2: return sign * (Double(UInt64.random(in: 1 << 28...1 << 40, using: &generator)) / 256)
    case 3: return sign * Double.random(in: 0x1p21...0x1p23, using: &generator)
    case 4: return sign * Double.random(in: 0x1p37...0x1p39, using: &generator).rounded()
    default: return sign * (pow(2, Double(Int.random(in: 10...36, using: &generator)))).nextUp
    }
  }

  @Test(arguments: SeededGenerator.seeds(2))
  func mangledDatesAreReadAsTheGeneralWayDoes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let characters = Array("0123456789-:TZ.+ e".utf8)
    for _ in 0..<20_000 {
      var text = Array("2026-02-28T23:59:59.1234567Z".utf8)
      if Bool.random(using: &generator) { text.removeSubrange(19..<27) }
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        text[Int.random(in: text.indices, using: &generator)] = characters.randomElement(using: &generator)!
      }
      guard let fast = text.withUnsafeBufferPointer({ TextDate.seconds(fast: $0) }) else { continue }
      let string = String(decoding: text, as: UTF8.self)
      #expect(TextDate.seconds(string)?.bitPattern == fast.bitPattern, "\(string)")
    }
  }

  // MARK: Searching

  @Test(arguments: SeededGenerator.seeds(2))
  func searchesFindTheFirst(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<4_000).map { _ -> UInt8 in
      // Mostly letters, so that words without a hit occur.
      generator.next() % 8 == 0 ? UInt8(truncatingIfNeeded: generator.next()) : 0x61
    }
    bytes.withUnsafeBufferPointer { bytes in
      for start in 0..<bytes.count {
        let plainJSON = bytes[start...].firstIndex { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 } ?? bytes.count
        #expect(ByteText.endOfPlainJSON(bytes, from: start) == plainJSON)
        let isMarked: (UInt8) -> Bool = { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 || [0x7F, 0xC2, 0xE2].contains($0) }
        let plainText = bytes[start...].firstIndex(where: isMarked) ?? bytes.count
        #expect(ByteText.endOfPlainText(bytes, from: start) == plainText)
      }
    }
  }

  @Test func runsAreComparedToTheLastByte() {
    let bytes = (0..<40).map { UInt8($0) }
    bytes.withUnsafeBufferPointer { a in
      for count in 0...40 {
        #expect(ByteText.equal(a.baseAddress!, a.baseAddress!, count))
        for index in 0..<count {
          var other = bytes
          other[index] ^= 0x80
          other.withUnsafeBufferPointer { #expect(!ByteText.equal(a.baseAddress!, $0.baseAddress!, count)) }
        }
      }
    }
  }

  @Test(arguments: [
    ("plain", "plain"), (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"\u0041\u00e9\u20AC"#, "Aé€"),
    (#"é\n😀\u007f"#, "é\n😀\u{7F}"), ("", ""),
  ])
  func commonEscapesAreUnescaped(_ escaped: String, _ text: String) {
    #expect(Array(escaped.utf8).withUnsafeBufferPointer(JSONEscapes.unescaped) == text)
  }

  // The scanner handles these: it knows their faults, or how they belong together.
  @Test func otherEscapesAreLeftAlone() {
    each([#"\ud83d\ude00"#, #"\ud83d"#, #"\u12"#, #"\u12G4"#, #"\x"#, #"\u"#]) { (escaped: String) in
      #expect(Array(escaped.utf8).withUnsafeBufferPointer(JSONEscapes.unescaped) == nil)
    }
  }

  // MARK: UTF-8 and sums, in parts

  @Test(arguments: [1, 3])
  func partsOfTextAreValidatedAsOneText(threads: Int) {
    // A thread gets at least a megabyte, so sequences of every length cross the ends of parts.
    for (filler, length) in Proofs.share(of: [("a", 1), ("é", 2), ("€", 3), ("😀", 4)], oneIn: 2) {
      for shift in 0..<2 {
        var bytes = Array(String(repeating: "x", count: shift).utf8)
        bytes += Array(String(repeating: filler, count: (7 << 20) / length / 3).utf8)
        #expect(UTF8Check.firstInvalidOffset(in: bytes, threads: threads) == nil)
        let offset = bytes.count / 2
        bytes[offset] = 0xFF
        let found = UTF8Check.firstInvalidOffset(in: bytes, threads: threads)
        #expect(
          found == bytes[..<offset].lastIndex { $0 & 0xC0 != 0x80 && $0 >= 0xC2 }.map {
            offset - $0 < length ? $0 : offset
          } ?? offset)
      }
    }
  }

  @Test func sumsOfPartsAreTheSumOfAll() {
    var generator = SeededGenerator(seed: 7)
    let bytes = (0..<100_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    bytes.withUnsafeBytes { bytes in
      let whole = Checksum(bytes)
      for _ in 0..<50 {
        let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &generator) }.sorted()
        var sum = Checksum()
        for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
          sum.append(Checksum(UnsafeRawBufferPointer(rebasing: bytes[start..<end])))
        }
        #expect(sum == whole)
        #expect(sum.value == whole.value)
      }
    }
    #expect(Checksum.cksum(bytes[...], threads: 4) == Checksum.cksum(bytes[...]))
  }

  @Test func sumsOfFewBytesAreRight() {
    each(0..<100) { (count: Int) in
      var generator = SeededGenerator(seed: UInt64(count))
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      // By the definition, one bit after another.
      var crc: UInt32 = 0
      var all = bytes
      var length = count
      while length > 0 {
        all.append(UInt8(length & 0xFF))
        length >>= 8
      }
      for byte in all {
        crc ^= UInt32(byte) << 24
        for _ in 0..<8 { crc = crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ 0x04C1_1DB7 }
      }
      #expect(Checksum.cksum(bytes[...]) == ~crc)
    }
  }

  @Test func aDigestTellsEveryByte() {
    for count in [1, 7, 8, 15, 16, 17, 47, 48, 49, 100] {
      let bytes = [UInt8](repeating: 0, count: count)
      let digest = bytes.withUnsafeBytes { ByteDigest($0) }
      for index in bytes.indices {
        var other = bytes
        other[index] = 1
        #expect(other.withUnsafeBytes { ByteDigest($0) } != digest)
      }
      #expect((bytes + [0]).withUnsafeBytes { ByteDigest($0) } != digest)
    }
  }

  @Test func decimals() {
    each([UInt64.min, 9, 10, 99, 12_345, UInt64(Int64.max), .max]) { (number: UInt64) in
      var sink = ByteSink(capacity: 1)
      sink.append(decimal: number)
      sink.append(decimal: Int64.min)
      #expect(String(decoding: sink.bytes, as: UTF8.self) == "\(number)\(Int64.min)")
    }
  }
}
