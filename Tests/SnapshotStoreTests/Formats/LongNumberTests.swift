import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Numbers of other programs, with more digits than a `Double` needs or keeps.
@Suite struct LongNumberTests {
  /// What C writes with `%.17g`, `plutil` for an ordinary `Double`, and JavaScript for a large one.
  static let sayNoMore = [
    "65.613616999999977", "0.10000000000000001", "3.1415926535897931", "0.30000000000000004", "3.0000000000000004e-1",
    "0.300000000000000040", "-0.30000000000000004E+0", "1234567890.1234567", "1000000000000000000.0",
    "0.1000000000000000000000000000", "0.1000000000000000055511151231257827", "1.7976931348623157e308",
    "4.9406564584124654e-324", "2.2250738585072014e-308", "12345678901234567000.0", "1e22", "5e-324",
  ]

  /// Each says more than its nearest `Double`, or has none.
  static let sayMore = [
    "0.1234567890123456789", "0.30000000000000001", "1.00000000000000000001", "9007199254740993.0", "3e-324", "1e400",
    "-1e-400", "-9223372036854775809", "12345678901234567890.0",
    "0.30000000000000000000000000000000000000000000000000000000000000000000000000001", "1e99999999999999999",
  ]

  /// Integers beyond 64 bits, as JavaScript writes a `Double`.
  static let longIntegers = ["18446744073709551616", "100000000000000000000000", "123456789012345680000"]

  private static func json(_ number: String, hasSingle: Bool = false) -> [UInt8] {
    let single = hasSingle ? #","single":\#(number)"# : ""
    return Array(
      #"{"snapshot":{"schema":"numbers","version":1},"numbers":[\#n{"id":1,"value":\#(number)}\#n]\#(single)}"#.utf8)
  }

  @Test func aNumberThatSaysNoMoreIsADouble() {
    each(Self.sayNoMore) { (text: String) throws in
      guard case .real(let number)? = NumberText.content(text, isInteger: false) else {
        return #expect(Bool(false), "\(text)")
      }
      #expect(number.bitPattern == Double(text)?.bitPattern)
      #expect(try SnapshotFile.decode(Numbers.self, from: Self.json(text)).numbers[1]?.value == number)
    }
  }

  /// All doubles as C writes them: with 17 digits, and with more.
  @Test func everyDoubleInMoreDigits() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      for _ in 0..<2_000 {
        let number = Double(bitPattern: random.next())
        guard number.isFinite else { continue }
        for digits in [16, 17, 20, 40] {
          let text = String(format: "%.\(digits - 1)e", number)
          guard Double(text) == number else { continue }
          guard case .real(let read)? = NumberText.content(text, isInteger: false) else {
            return #expect(Bool(false), "seed \(seed): \(text)")
          }
          #expect(read == number)
          // With its last digit changed, it is another number.
          let other = text.replacing("e", with: "1e")
          guard case .decimal(let kept)? = NumberText.content(other, isInteger: false), digits == 40 || digits == 20
          else { continue }
          #expect(kept == other)
        }
      }
    }
  }

  /// Without its types a file keeps them, in each format and from each to each.
  @Test func aNumberThatSaysMoreKeepsItsDigits() {
    each(Self.sayMore + Self.longIntegers) { (text: String) throws in
      let content = try SnapshotFile.decodeContent(UntypedModel.self, from: Self.json(text, hasSingle: true))
      let value = try #require(content[value: "single"])
      #expect(value.kind == .decimal && value.integer == nil && value.text == nil)
      for format in FileFormat.allCases {
        let bytes = try SnapshotFile.encode(content, as: format)
        let read = try SnapshotFile.decodeContent(UntypedModel.self, from: bytes)
        #expect(try SnapshotFile.encode(read, as: format) == bytes)
        let back = try SnapshotFile.encode(read, as: .json)
        #expect(String(decoding: back, as: UTF8.self).contains("\"value\":\(text)}"), "\(format)")
        #expect(String(decoding: back, as: UTF8.self).contains("\"single\":\(text)}"), "\(format)")
        #expect(try ModelDifference(from: content, to: read).isEmpty)
      }
    }
  }

  /// A reader with the type says which number it cannot keep, and where. Elsewhere in the file they are kept.
  @Test func aTypeThatWouldLoseDigits() {
    each(Self.sayMore) { (text: String) throws in
      let shown = text.prefix(50)
      expectRefusal(of: Self.json(text), as: Numbers.self, .invalidValue, containing: "a Double cannot keep the number")
      expectRefusal(of: Self.json(text), as: Numbers.self, .invalidValue, containing: "\(shown)")
      expectRefusal(of: Self.json(text), as: Decimals.self, .invalidValue, containing: "must be text")
      expectRefusal(of: Self.json(text), as: Texts.self, .invalidValue, containing: "expected text")
    }
    // So it is with an integer for a `Double`.
    for (text, isKept) in Self.longIntegers.map({ ($0, true) }) + [
      ("9007199254740993", false), ("9007199254740992", true), ("12345678901234567890", false),
      ("12345678901234567000", true), ("1152921504606846976", true), ("-9223372036854775808", true),
    ] {
      let read = try? SnapshotFile.decode(Numbers.self, from: Self.json(text)).numbers[1]?.value
      #expect(read == (isKept ? Double(text) : nil), "\(text)")
    }
  }

  @Test func unknownKeysKeepTheirDigits() {
    each(Self.sayMore) { (text: String) throws in
      let test = StoreUnderTest()
      test.bytes = Self.json(text, hasSingle: true)
      let store = try test.open(Bare.self, .manual)
      try store.write { try $0.numbers.insert(Bare.Number(id: 2)) }
      try store.closeAndWait()
      let saved = String(decoding: try #require(test.bytes), as: UTF8.self)
      #expect(saved.contains("\"value\":\(text)}") && saved.contains("\"single\":\(text)}"), "\(saved)")
    }
  }

  /// As XML they may be spelled otherwise.
  @Test func spellingsOfXML() {
    each([
      ("<real>+00.1234567890123456789</real>", "0.1234567890123456789"),
      ("<real>.12345678901234567891</real>", "0.12345678901234567891"),
      ("<real>12345678901234567891.</real>", "12345678901234567891.0"),
      ("<real>12345678901234567891E+2</real>", "12345678901234567891e+2"),
      ("<real>-12345678901234567891</real>", "-12345678901234567891"),
      ("<integer>+18446744073709551616</integer>", "18446744073709551616"),
      ("<integer>0x206</integer>", "518"), ("<integer>-0x10</integer>", "-16"),
      ("<integer>0xFFFFFFFFFFFFFFFF</integer>", "18446744073709551615"),
      ("<integer>-0</integer>", "0"), ("<integer>0X0</integer>", "0"),
    ]) { (element: String, json: String) throws in
      let document = try UntypedDocument(reading: Array("<plist><array>\(element)</array></plist>".utf8))
      let value = try #require(document.root.array?.first)
      #expect(value.item.json == json)
    }
    for wrong in ["0x", "0x1G", "-", "0x1FFFFFFFFFFFFFFFF", "-0x8000000000000001", "1.0", "0x\u{FF11}"] {
      #expect(throws: SnapshotError.self, "\(wrong)") {
        try UntypedDocument(reading: Array("<plist><array><integer>\(wrong)</integer></array></plist>".utf8))
      }
    }
  }

  @Test func theExponentHasALimit() {
    for text in ["1e100000000000000000", "1e-9223372036854775808", "12e9223372036854775807", "1e99999999999999999999"] {
      expectRefusal(of: Self.json(text), as: Numbers.self, .invalidValue, containing: "out of range")
    }
  }

  /// A text that looks like the stand-in of a binary list is only text.
  @Test func textsLikeNumbers() throws {
    for text in ["decimal:0.1234567890123456789", "decimal:1", "decimal:", "decimal:0.1234567890123456789 "] {
      var value = Texts()
      try value.numbers.insert(Texts.Number(id: 1, value: text))
      let bytes = try SnapshotFile.encode(value, as: .binary)
      #expect(try SnapshotFile.decode(Texts.self, from: bytes).numbers[1]?.value == text)
      let untyped = try SnapshotFile.decodeContent(UntypedModel.self, from: bytes)
      #expect(untyped[table: "numbers"]?.values[0].record?["value"]?.kind == .text)
    }
  }

  @Test func theOrderIsExact() {
    let ascending = [
      "-1e400", "-0.1234567890123456790", "-0.1234567890123456789", "1e-400", "3e-324", "0.12345678901234567889",
      "1e400", "1e401",
    ]
    let digits = ascending.map { DecimalDigits($0) }
    for (a, b) in zip(digits, digits.dropFirst()) { #expect(a.flatMap { a in b.map { a < $0 } } == true) }
    #expect(DecimalDigits("0.10e1") == DecimalDigits("1"))
    #expect(DecimalDigits("-0.0") == DecimalDigits("0"))
    #expect(DecimalDigits(0.1) == DecimalDigits("0.1000000000000000055511151231257827021181583404541015625"))
    #expect(DecimalDigits(Double.leastNonzeroMagnitude)?.digits.count == 751)
    #expect(DecimalDigits(Double.leastNormalMagnitude.nextUp)?.digits.count == 767)
  }

  struct Numbers: Model {
    struct Number: Record {
      let id: Int
      var value: Double
    }
    var numbers = Table<Number>()
    static let schema = Schema<Numbers>("numbers", version: 1, Field("numbers", \.numbers))
  }

  struct Decimals: Model {
    struct Number: Record {
      let id: Int
      var value: Decimal
    }
    var numbers = Table<Number>()
    static let schema = Schema<Decimals>("numbers", version: 1, Field("numbers", \.numbers))
  }

  struct Texts: Model {
    struct Number: Record {
      let id: Int
      var value: String
    }
    var numbers = Table<Number>()
    static let schema = Schema<Texts>("numbers", version: 1, Field("numbers", \.numbers))
  }

  struct Bare: Model {
    struct Number: Record { let id: Int }
    var numbers = Table<Number>()
    static let schema = Schema<Bare>("numbers", version: 1, Field("numbers", \.numbers))
  }
}
