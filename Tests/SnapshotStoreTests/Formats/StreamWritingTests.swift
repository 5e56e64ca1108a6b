import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// `Codable` records that are written without items have the bytes that items give, or are left to items.
@Suite(.serialized) struct StreamWritingTests {
  @Test(arguments: SeededGenerator.seeds(4))
  func ordinaryRecords(seed: UInt64) throws {
    for record in OddRecord.random(40, seed: seed) {
      for form in [RecordForm.json, .xml] {
        let both = try Both(record, form)
        #expect(both.quick != nil && both.quick == both.strict, "\(record)")
      }
    }
  }

  /// Texts and numbers of every kind.
  @Test(arguments: SeededGenerator.seeds(4))
  func awkwardValues(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for id in 0..<Int64(Proofs.pick(full: 100, quick: 40)) {
      let sample = Sample(id: id, isTame: false, &generator)
      for form in [RecordForm.json, .xml] {
        let both = try Both(PlainSample(sample), form)
        #expect(both.quick != nil && both.quick == both.strict, "\(sample)")
      }
    }
  }

  /// Code that is allowed but rare. Its records may be left to items, or have the same bytes.
  @Test(arguments: OddCode.allCases.filter { $0 != .throwing })
  func oddCode(code: OddCode) throws {
    for form in [RecordForm.json, .xml] {
      let both = try Both(OddlyEncoded(code: code), form)
      #expect(both.quick == nil || both.quick == both.strict, "\(code)")
      #expect((both.quick == nil) == code.isLeft, "\(code)")
    }
  }

  /// A whole file of such records, with records of all kinds behind each other and on several threads.
  @Test(arguments: [FileFormat.json, .xml, .ndjson])
  func wholeFiles(format: FileFormat) throws {
    var model = OddCodeModel()
    let codes = OddCode.allCases.filter { $0 != .throwing && $0 != .kept }
    model.items = try Table(
      (0..<Proofs.pick(full: 900, quick: 540)).map { OddlyEncoded(id: $0, code: codes[$0 % codes.count]) })
    let bytes = try SnapshotFile.encode(model, as: format, threads: 1)
    #expect(try SnapshotFile.encode(model, as: format, threads: 3) == bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    for record in model.items.prefix(codes.count) {
      let strict = try Both(record, format == .xml ? .xml : .json).strict
      #expect(text.contains(strict), "\(record.code)")
    }
  }

  @Test func aRecordThatThrows() throws {
    var model = OddCodeModel()
    model.items = try Table([OddlyEncoded(id: 1, code: .plain), OddlyEncoded(id: 2, code: .throwing)])
    let error = #expect(throws: SnapshotError.self) { try SnapshotFile.encode(model, as: .json) }
    #expect(error?.dataPath == "items[1].inner")
    #expect(error?.code == .unencodable)
  }

  /// A container that was kept changes no record that is written later.
  @Test func aContainerThatIsKept() throws {
    var records = RecordWriter()
    var writing = StreamWriting(.json)
    #expect(!writing.append(OddlyEncoded(code: .kept), to: &records))
    let isWritten = writing.append(WriteInto(kept: OddCode.shelf.last), to: &records)
    #expect(isWritten)
    #expect(String(decoding: records.sink.bytes, as: UTF8.self).contains(#""a":1"#))
    #expect(!String(decoding: records.sink.bytes, as: UTF8.self).contains("late"))
    OddCode.shelf = []
  }

  /// A record ends in the bytes of all records. A container that was kept must not look for its keys there.
  @Test func nothingIsWrittenAfterItsRecord() {
    let stream = EncodingStream(.json)
    var sink = ByteSink()
    sink.append(UInt8(ascii: " "), times: 10_000)
    let isEncoded = stream.encode(OddlyEncoded(code: .plain), to: &sink)
    #expect(isEncoded)
    let (end, record) = (sink.count, 1)
    let isBegun = stream.beginMember(OddlyEncoded.Key.inner, of: record)
    #expect(!isBegun && sink.count == end)
  }
}

/// The bytes of the members of a record in both ways; nil for the quick way if it leaves the record.
private struct Both {
  let quick: String?
  let strict: String

  init(_ record: some Encodable, _ form: RecordForm) throws {
    let stream = EncodingStream(form)
    // Twice, because the memory is reused, and behind other bytes.
    var quickSink = ByteSink()
    let first = stream.encode(record, to: &quickSink) ? String(decoding: quickSink.bytes, as: UTF8.self) : nil
    let place = quickSink.count
    let isEncoded = stream.encode(record, to: &quickSink)
    quick = isEncoded ? String(decoding: quickSink.bytes[place...], as: UTF8.self) : nil
    #expect(first == quick)
    var sink = ByteSink()
    let item = try ItemEncoder.item(forRecord: record)
    if form == .json { JSONText.append(item, to: &sink) } else { XMLWriter.append(item, 2, &sink) }
    let text = String(decoding: sink.bytes, as: UTF8.self)
    let (start, end) = form == .json ? ("{", "}") : ("\t\t<dict>\n", "\t\t</dict>\n")
    strict = text.hasPrefix(start) ? String(text.dropFirst(start.count).dropLast(end.count)) : text
  }
}

private struct OddCodeModel: Model {
  var items = Table<OddlyEncoded>()
  static let schema = Schema<OddCodeModel>("odd-code", version: 1, Field("items", \.items))
}

/// Writes to a container of an earlier record.
private struct WriteInto: Encodable {
  let kept: KeyedEncodingContainer<OddlyEncoded.Key>?
  private enum Key: CodingKey { case a }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    var late = kept
    try late?.encode("late", forKey: .inner)
    try container.encode(1, forKey: .a)
  }
}
