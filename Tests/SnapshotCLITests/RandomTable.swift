import Foundation
import SnapshotStore

@testable import TestSupport

/// A table of random records without types: values of every kind, and keys of every kind of text.
struct RandomTable {
  let records: [UntypedRecord]
  /// The keys beside `id`.
  let keys: [String]

  private static let oddKeys = [
    "plain", "é", "e\u{301}", "", "a b", "x.y", "not", "\u{1}", "=key", "日本", "\"", "a,b", "-1", "k\u{202E}",
  ]
  private static let oddTexts = [
    "", " ", "12", "012", "1.10", "true", "null", "[1]", "{}", "\"12\"", "NaN", "-Infinity", "2026-11-21T15:30:00Z",
    "2001-01-01T00:00:00Z+1e+300", "data:;base64,AAEC", "decimal:0.1234567890123456789", "$null", "=1+1", "'=1", "''@a",
    "'@home' is a song", "\t=1", "@x", "-1", "+1", "a,b;c", "a\"b", "line\nfeed", "line\r\nfeed", "\0", "\u{FEFF}x",
    "é",
    "e\u{301}", "\u{2028}", "😀", "\u{FF1D}1", "1e5", "１",
  ]

  init(_ count: Int, _ random: inout SeededGenerator) {
    let keys = Self.oddKeys.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
    let kinds = keys.map { _ in
      let first = Int.random(in: 0..<10, using: &random)
      // Most columns have values of one kind.
      return Int.random(in: 0..<4, using: &random) > 0 ? first...first : 0...9
    }
    self.keys = keys
    records = (0..<count).map { id in
      var record = UntypedRecord(uniqueKeysWithValues: [("id", UntypedValue(id))])
      for (key, kinds) in zip(keys, kinds) where Int.random(in: 0..<8, using: &random) > 0 {
        record[key] = Self.value(Int.random(in: kinds, using: &random), 2, &random)
      }
      return record
    }
  }

  /// The file, as the library writes its records.
  var file: String {
    let header = #"{"snapshot":{"schema":"random","version":1},"# + "\n\"p\":[\n"
    return header + records.map { Self.json(UntypedValue($0)) }.joined(separator: ",\n") + "\n]}\n"
  }

  static func json(_ value: UntypedValue) -> String {
    var sink = JSONSink()
    sink.append(value)
    return String(decoding: sink.finish(), as: UTF8.self)
  }

  // MARK: Values

  private static func value(_ kind: Int, _ depth: Int, _ random: inout SeededGenerator) -> UntypedValue {
    switch kind {
    case 0: integer(&random)
    case 1: UntypedValue(double(&random))
    case 2: decimal(&random)
    case 3, 4: UntypedValue(text(&random))
    case 5: UntypedValue(Date(timeIntervalSinceReferenceDate: seconds(&random)))
    case 6:
      UntypedValue(data: (0..<Int.random(in: 0..<6, using: &random)).map { _ in .random(in: 0...255, using: &random) })
    case 7: Bool.random(using: &random) ? .null : UntypedValue(Bool.random(using: &random))
    case 8:
      UntypedValue(
        (0..<Int.random(in: 0..<3, using: &random)).map { _ in
          value(Int.random(in: 0...(depth > 0 ? 9 : 7), using: &random), depth - 1, &random)
        })
    default:
      UntypedValue(
        UntypedRecord(
          uniqueKeysWithValues: oddKeys.filter { _ in Int.random(in: 0..<8, using: &random) == 0 }.map {
            ($0, value(Int.random(in: 0...(depth > 0 ? 9 : 7), using: &random), depth - 1, &random))
          }))
    }
  }

  private static func integer(_ random: inout SeededGenerator) -> UntypedValue {
    let bits = UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 0..<64, using: &random)
    return parsed(Bool.random(using: &random) ? "\(bits)" : "\(Int64(truncatingIfNeeded: bits))")
  }

  private static func double(_ random: inout SeededGenerator) -> Double {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: Double.random(in: -1...1, using: &random)
    case 1: Double(Int.random(in: -1_000...1_000, using: &random)) / 10
    case 2:
      [0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 1e22, .greatestFiniteMagnitude][
        Int.random(in: 0..<8, using: &random)]
    default: Double(bitPattern: random.next())
    }
  }

  private static func decimal(_ random: inout SeededGenerator) -> UntypedValue {
    let digits = (0..<Int.random(in: 18...40, using: &random)).map { _ in "\(Int.random(in: 1...9, using: &random))" }
      .joined()
    let sign = Bool.random(using: &random) ? "-" : ""
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return parsed("\(sign)\(digits)9999")
    case 1: return parsed("\(sign)0.\(digits)")
    default: return parsed("\(sign)\(digits.prefix(1)).\(digits)e\(Int.random(in: -500...500, using: &random))")
    }
  }

  private static func seconds(_ random: inout SeededGenerator) -> Double {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: Double(Int.random(in: -60_000_000_000...200_000_000_000, using: &random))
    case 1: Double.random(in: -1e9...1e9, using: &random)
    case 2: Double(Int.random(in: -1_000...1_000, using: &random)) / 8
    default: double(&random)
    }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    if Int.random(in: 0..<3, using: &random) > 0 { return oddTexts[Int.random(in: 0..<oddTexts.count, using: &random)] }
    let ranges: [ClosedRange<UInt32>] = [0...0x7F, 0x80...0x7FF, 0x800...0xFFFF, 0x1_0000...0x10_FFFF]
    let scalars = (0..<Int.random(in: 0..<8, using: &random)).compactMap { _ in
      Unicode.Scalar(UInt32.random(in: ranges[Int.random(in: 0..<4, using: &random)], using: &random))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func parsed(_ json: String) -> UntypedValue {
    let document = try? UntypedDocument(reading: Array("[\(json)]".utf8))
    return document?.root.array?.first ?? .null
  }
}
