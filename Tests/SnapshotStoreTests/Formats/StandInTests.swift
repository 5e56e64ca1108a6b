import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Texts that stand for values that a format lacks, in files of other programs. Such a program need not know how a real
/// text of this form is spelled, and loses nothing nevertheless.
@Suite struct StandInTests {

  /// A file of one record, in which every text is plain.
  private static func json(_ text: String) throws -> [UInt8] {
    let quoted = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self).dropFirst().dropLast()
    return Array(
      #"{"snapshot":{"schema":"entries","version":1},"entries":[\#n{"id":1,"text":\#(quoted),"texts":[\#(quoted)]}\#n]}"#
        .utf8)
  }

  struct Direct: DirectRecord {
    let id: Int
    var text: String
    var texts: [String]

    init(id: Int, text: String) { (self.id, self.text, texts) = (id, text, [text]) }
    init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
      id = try reader.read("id")
      text = try reader.read("text")
      texts = try reader.read("texts")
    }
    func write(to writer: inout RecordWriter) {
      writer.write("id", id)
      writer.write("text", text)
      writer.write("texts", texts)
    }
  }

  struct General: Record {
    let id: Int
    var text: String
    var texts: [String]
  }

  struct Fast: Model {
    var entries = Table<Direct>()
    static let schema = Schema<Fast>("entries", version: 1, Field("entries", \.entries))
  }

  struct Slow: Model {
    var entries = Table<General>()
    static let schema = Schema<Slow>("entries", version: 1, Field("entries", \.entries))
  }

  /// Another program writes a text without the escape: the text stays, also by way of other formats without types.
  @Test func aTextWithoutItsEscapeStaysAText() {
    each(ExactConversionTests.texts) { (text: String) throws in
      let bytes = try Self.json(text)
      let fast = try SnapshotFile.decode(Fast.self, from: bytes)
      #expect(
        fast.entries[1].map { [ExactText($0.text)] + $0.texts.map { ExactText($0) } } == [
          ExactText(text), ExactText(text),
        ])
      let canonical = try SnapshotFile.encode(fast, as: .json)
      let slow = try SnapshotFile.decode(Slow.self, from: bytes)
      #expect(try SnapshotFile.encode(slow, as: .json) == canonical)
      let content = try SnapshotFile.decodeContent(UntypedModel.self, from: bytes)
      for format in FileFormat.allCases {
        let converted = try SnapshotFile.encode(content, as: format)
        #expect(try SnapshotFile.encode(SnapshotFile.decode(Fast.self, from: converted), as: .json) == canonical)
        #expect(try SnapshotFile.encode(SnapshotFile.decode(Slow.self, from: converted), as: .json) == canonical)
      }
    }
  }

  @Test func theFirstCharacterTellsTheTwoApart() throws {
    var model = Fast()
    try model.entries.insert(Direct(id: 1, text: "2026-11-21T15:30:00.5Z"))
    let json = String(decoding: try SnapshotFile.encode(model, as: .json), as: UTF8.self)
    #expect(json.contains(##"{"id":1,"text":"\u0032026-11-21T15:30:00.5Z","texts":["\u0032026-11-21T15:30:00.5Z"]}"##))
    let xml = String(decoding: try SnapshotFile.encode(model, as: .xml), as: UTF8.self)
    #expect(xml.contains("<string>&#50;026-11-21T15:30:00.5Z</string>"))
    // A date of whole seconds has an element of its own in XML, so a text needs no escape.
    try model.entries.upsert(Direct(id: 1, text: "2026-11-21T15:30:00Z"))
    #expect(
      String(decoding: try SnapshotFile.encode(model, as: .xml), as: UTF8.self)
        .contains("<string>2026-11-21T15:30:00Z</string>"))
  }

  struct Values: Model {
    struct Entry: Record {
      let id: Int
      var date: Date?
      var data: Data?
      var number: Double?
      var url: URL?
      var decimal: Decimal?
    }
    var entries = Table<Entry>()
    static let schema = Schema<Values>("entries", version: 1, Field("entries", \.entries))
  }

  private static func entry(_ members: String) throws -> Values.Entry? {
    let text = #"{"snapshot":{"schema":"entries","version":1},"entries":[{"id":1,\#(members)}]}"#
    return try SnapshotFile.decode(Values.self, from: Array(text.utf8)).entries[1]
  }

  /// What people write by hand: dates with offsets, seconds of dates without a text, plain base64; and values whose
  /// texts another program has escaped.
  @Test func otherSpellingsOfValuesAreRead() throws {
    func seconds(_ text: String) throws -> Double? {
      try Self.entry(#""date":\#(text)"#)?.date?.timeIntervalSinceReferenceDate
    }
    #expect(try seconds(#""2001-01-01T02:00:00.50+02:00""#) == 0.5)
    #expect(try seconds(##""\u0032001-01-01T00:00:01Z""##) == 1)
    #expect(try seconds(##""\u0032001-01-01T00:00:00Z+1e+300""##) == 1e300)
    #expect(try seconds("1e300") == 1e300 && seconds("-0.0")?.sign == .minus)
    #expect(try seconds(#""NaN""#)?.isNaN == true && seconds(##""\u004eaN""##)?.isNaN == true)
    #expect(try seconds(#""Infinity""#) == .infinity)
    #expect(throws: SnapshotError.self) { try seconds("1.0") }
    func data(_ text: String) throws -> Data? { try Self.entry(#""data":\#(text)"#)?.data }
    #expect(try data(#""AAEC""#) == Data([0, 1, 2]) && data(#""data:;base64,AAEC""#) == Data([0, 1, 2]))
    #expect(try data(##""\u0064ata:;base64,AAEC""##) == Data([0, 1, 2]))
    #expect(try data(#""Infinity""#) == Data(base64Encoded: "Infinity"))
    #expect(throws: SnapshotError.self) { try data(#""data:;base64,AAE""#) }
    #expect(throws: SnapshotError.self) { try data(#""2001-01-01T00:00:00Z""#) }
    #expect(try Self.entry(##""number":"\u002dInfinity""##)?.number == -.infinity)
    #expect(try Self.entry(#""url":"data:;base64,AAEC""#)?.url?.absoluteString == "data:;base64,AAEC")
    #expect(try Self.entry(#""decimal":"NaN""#)?.decimal?.isNaN == true)
  }
}
