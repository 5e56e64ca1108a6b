import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Without its type, every value in a file has the kind and the bits with which it was written. So a conversion that
/// knows no types gives the same bytes as the program with the types.
@Suite struct ExactConversionTests {
  // MARK: Items

  private static let dates: [Double] =
    SeededGenerator.edgeDates + SeededGenerator.specialDoubles + [
      1e300, -1e300, .leastNonzeroMagnitude, 8_589_934_592, 700_000_000.25, -0.125, 252_423_993_600.5,
    ]

  /// Texts of each exact form, and texts that are nearly of one.
  static let texts: [String] = [
    "", "2001-01-01T00:00:00Z", "2026-11-21T15:30:00Z", "2026-11-21T15:30:00.25Z", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.5Z", "2026-11-21T15:30:00.250Z", "2026-11-21T15:30:00.0Z", "2026-11-21T15:30:00+00:00",
    "2026-02-30T15:30:00Z", "0000-01-01T00:00:00Z", "2026-11-21", "2026-11-21T15:30:00.25z", "2001-01-01T00:00:00Z ",
    "2001-01-01T00:00:00Z+1e+300", "2001-01-01T00:00:00Z-1e+300", "2001-01-01T00:00:00Z+1e300",
    "2001-01-01T00:00:00Z+1.0", "2001-01-01T00:00:00Z-0.0", "2001-01-01T00:00:00Z+0.0", "2001-01-01T00:00:00Z+-0.0",
    "2001-01-01T00:00:00Z+Infinity", "2001-01-01T00:00:00Z-Infinity", "2001-01-01T00:00:00Z+NaN",
    "2001-01-01T00:00:00Z-NaN", "2001-01-01T00:00:00Z+NaN(0x7ff8000000000001)", "2001-01-01T00:00:00Z+",
    "2001-01-01T00:00:00Z+inf", "2001-01-01T00:00:00Z+0x1p99", "2001-01-01T00:00:00Z+252423993600.0",
    "2002-01-01T00:00:00Z+1e+300", "NaN", "Infinity", "-Infinity", "+Infinity", "nan", "NaN ", "-NaN", "inf",
    "NaN(0x7ff8000000000001)", "NaN(0x7FF8000000000001)", "NaN(0x07ff8000000000001)", "NaN(0x0)", "NaN()", "1", "-1",
    "1.0", "true", "null", "data:;base64,", "data:;base64,AAAA", "data:;base64,AA==", "data:;base64,AA",
    "data:;base64,AB==", "data:;base64,A A A A", "data:,", "data:text/plain;charset=utf-8;base64,AA==",
    "data:text/plain;charset=utf-8;base64,77++", "data:text/plain;charset=utf-8;base64,YQ==",
    "data:text/plain;charset=utf-8;base64,gA==", "data:text/plain;charset=utf-8;base64,", "AAAA", "$null", "$$null",
    "$null ", "$$$null", "\0", "a\0b", "\u{FFFE}", "\u{FFFF}\u{1}", "&#50;", "&amp;", "<a>", "\r\n\t", "\u{1F}", "d",
    "2", "N", "I", "-", "\u{37E}base64", "data:\u{37E}base64,AAAA", "\u{2028}", "é", "e\u{301}", "😀",
  ]

  private static let items: [Item] = {
    var items: [Item] = [Item(.null), Item(.bool(true)), Item(.bool(false))]
    for number in [Int64.min, -1, 0, 1, 255, 256, 65_536, 1 << 32, .max] { items.append(Item(.integer(number))) }
    items += [Item(.unsigned(1 << 63)), Item(.unsigned(.max))]
    items += SeededGenerator.specialDoubles.map { Item(.real($0)) }
    items += dates.map { Item(.date($0)) }
    items += texts.map { Item(.string($0)) }
    items += [[], [0], [0, 1, 2], Array(0...255), Array("Infinity".utf8)].map { Item(.data($0)) }
    items += [Item(.array([])), Item(.dictionary([]))]
    items += texts.map { Item(.dictionary([Item.Member(key: $0, value: Item(.array([Item(.string($0))])))])) }
    return items
  }()

  /// Each value alone, as the only property of a record without a type.
  @Test func everyItemComesBack() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let record = Item(
        .dictionary(Self.items.enumerated().map { Item.Member(key: "v\($0)", value: $1) }))
      let read = try Self.records(in: Self.encoded([record], as: format))
      #expect(read.count == 1)
      for (member, expected) in zip(read[0].allMembers ?? [], Self.items) {
        #expect(Item.areSame(member.value, expected), "\(format): \(member.value.content) for \(expected.content)")
      }
    }
  }

  @Test func theWholeFileAsOneValue() {
    each([FileFormat.json, .xml, .binary]) { (format: FileFormat) throws in
      let bytes = try Self.encoded(
        [Item(.dictionary([Item.Member(key: "v", value: Item(.array(Self.items)))]))], as: format)
      let (found, source) = try FileFormat.open(bytes)
      let root = try found.parts.root(source, limits: ReadLimits())
      let record = try #require(root["records"]?.elements?.first)
      #expect(Item.areSame(try #require(record["v"]), Item(.array(Self.items))))
    }
  }

  // MARK: Records of every shape

  /// Tables, values and arrays in turn.
  struct Everything: Model {
    var again = Table<Awkward>()
    var empty = Table<Counter>()
    var list: [String?] = []
    var none: [Int] = []
    var records: [Counter] = []
    var mode = ""
    var selected: Int??
    var when = Date(timeIntervalSinceReferenceDate: .nan)
    var zones: [String: Date] = [:]
    static let schema = Schema<Everything>(
      "exact", version: 1,
      Field("records", \.records),
      Field("when", \.when),
      Field("again", \.again),
      Field("none", \.none),
      Field("mode", \.mode),
      Field("empty", \.empty),
      Field("zones", \.zones),
      Field("list", \.list),
      Field("selected", \.selected))

    init() {}

    init(_ generator: inout SeededGenerator) throws {
      func text(_ generator: inout SeededGenerator) -> String {
        generator.chance(2) ? generator.pick(ExactConversionTests.texts) : generator.text()
      }
      for _ in 0..<5 {
        var record = Awkward(id: generator.integer(), random: &generator)
        record.text = text(&generator)
        record.textsWithGaps += generator.list { text(&$0) }
        for _ in 0..<3 { record.gapsByText[text(&generator)] = text(&generator) }
        record.shape = .label(text: text(&generator), size: nil)
        try again.upsert(record)
      }
      list = generator.list { $0.chance(3) ? nil : text(&$0) }
      records = generator.list { Counter(id: $0.integer(), value: $0.integer()) }
      mode = text(&generator)
      selected = generator.pick([nil, .some(nil), 5])
      when = generator.date()
      for _ in 0..<3 { zones[text(&generator)] = generator.date() }
    }
  }

  @Test func theItemsOfRecordsComeBack() {
    each(FileFormat.allCases, SeededGenerator.seeds(8)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let value = try Everything(&generator)
      let reading = try Self.read(try SnapshotFile.encode(value, as: format))
      let records = try value.again.map { try ItemEncoder.item(forRecord: $0) }
      #expect(Item.areSame(Item(.array(reading.tables["again"] ?? [])), Item(.array(records))), "seed \(seed)")
      #expect(reading.tables["empty"]?.isEmpty == true)
      #expect(
        Item.areSame(try #require(reading.values["when"]), Item(.date(value.when.timeIntervalSinceReferenceDate))))
      #expect(Item.areSame(try #require(reading.values["mode"]), Item(.string(value.mode))))
    }
  }

  /// All twelve pairs of formats, and a third.
  @Test func conversionNeedsNoTypes() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let value = try Everything(&generator)
      let written = try FileFormat.allCases.map { ($0, try SnapshotFile.encode(value, as: $0)) }
      let typed = Dictionary(uniqueKeysWithValues: written)
      for (first, bytes) in written {
        let content = try SnapshotFile.decodeContent(UntypedModel.self, from: bytes)
        for second in FileFormat.allCases where second != first {
          let converted = try SnapshotFile.encode(content, as: second)
          #expect(converted == typed[second], "seed \(seed): \(first) to \(second)")
          let again = try SnapshotFile.decodeContent(UntypedModel.self, from: converted)
          for third in FileFormat.allCases {
            let last = try SnapshotFile.encode(again, as: third)
            #expect(last == typed[third], "seed \(seed): \(first) to \(second) to \(third)")
          }
          let back = try SnapshotFile.decode(Everything.self, from: converted)
          #expect(try SnapshotFile.encode(back, as: first) == bytes)
          #expect(back.allViolations() == [])
        }
      }
    }
  }

  // MARK: Helpers

  private static func encoded(_ records: [Item], as format: FileFormat) throws -> [UInt8] {
    var content = SnapshotContent<UntypedModel>(schema: "exact", version: 1)
    content.unknown.set([UntypedTable(name: "records", items: records)])
    return try SnapshotFile.encode(content, as: format)
  }

  private static func records(in bytes: [UInt8]) throws -> [Item] { try read(bytes).tables["records"] ?? [] }

  private static func read(_ bytes: [UInt8]) throws -> UntypedReading {
    var reading = UntypedReading()
    try Document(bytes, limits: ReadLimits()).reader.readTables(&reading)
    return reading
  }
}

/// Everything in a document, without types.
private struct UntypedReading: DocumentVisitor {
  private(set) var tables: [String: [Item]] = [:]
  private(set) var values: [String: Item] = [:]

  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    var items = tables[name] ?? []
    while let item = try records.next() { items.append(item) }
    tables[name] = items
  }

  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError) { values[name] = try read() }
}
