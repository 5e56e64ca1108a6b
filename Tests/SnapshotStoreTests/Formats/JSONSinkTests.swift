import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A sink writes JSON that gives the same values when read.
struct JSONSinkTests {
  private func value(_ random: inout SeededGenerator, depth: Int) -> UntypedValue {
    switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &random) {
    case 0: UntypedValue(Int64(bitPattern: random.next()))
    case 1: UntypedValue(Bool.random(using: &random))
    case 2: UntypedValue(Double.random(in: -1e9...1e9, using: &random))
    case 3: UntypedValue(text(&random))
    case 4: .null
    case 5: UntypedValue((0..<Int.random(in: 0...4, using: &random)).map { _ in value(&random, depth: depth + 1) })
    default:
      UntypedValue(
        (0..<Int.random(in: 0...4, using: &random)).reduce(into: UntypedRecord()) { record, number in
          record["\(number)" + text(&random)] = value(&random, depth: depth + 1)
        })
    }
  }

  private func text(_ random: inout SeededGenerator) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "\"", "\\", "/", "\n", "\0", "\u{7F}", "\u{85}", "\u{2028}", "é", "\u{1F600}",
    ]
    let drawn = (0..<Int.random(in: 0...9, using: &random)).compactMap { _ in scalars.randomElement(using: &random) }
    return String(String.UnicodeScalarView(drawn))
  }

  @Test func readsBackEqual() {
    each(SeededGenerator.seeds(5)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      for _ in 0..<100 {
        let (first, second, string) = (value(&random, depth: 1), value(&random, depth: 1), text(&random))
        let number = Int64(bitPattern: random.next())
        var json = JSONSink(capacity: 1)
        json.beginArray()
        json.append(first)
        if Bool.random(using: &random) { json.breakLine() }
        json.beginObject()
        json.key("text")
        json.append(string)
        json.key("value")
        if Bool.random(using: &random) { json.breakLine() }
        json.append(second)
        json.endObject()
        json.append(number)
        json.append(true)
        if Bool.random(using: &random) { json.breakLine() }
        json.endArray()
        let read = try UntypedDocument(reading: json.finish()).root
        let expected: UntypedValue = [
          first, UntypedValue(["text": UntypedValue(string), "value": second]), UntypedValue(number), true,
        ]
        #expect(UntypedDocumentTests.shown(read) == UntypedDocumentTests.shown(expected))
      }
    }
  }

  @Test func bytes() {
    var json = JSONSink()
    json.append("\"\\/\n\t\r\0\u{1F}\u{7F}\u{85}\u{2028}\u{2029}é")
    json.breakLine()
    json.beginObject()
    json.endObject()
    json.breakLine()
    let expected =
      #""\"\\/\n\t\r\u0000\u001f\u007f\u0085\u2028\u2029é""# + "\n{}\n"
    #expect(String(decoding: json.finish(), as: UTF8.self).lowercased() == expected)
  }

  @Test func dates() {
    var json = JSONSink()
    json.beginArray()
    var taken: [Bool] = []
    for seconds in [0.5, .nan, -0.0, 1e300, 1] {
      taken.append(json.append(textOf: Date(timeIntervalSinceReferenceDate: seconds)))
    }
    json.endArray()
    #expect(taken == [true, false, false, false, true])
    #expect(String(decoding: json.finish(), as: UTF8.self) == #"["2001-01-01T00:00:00.5Z","2001-01-01T00:00:01Z"]"#)
  }
}
