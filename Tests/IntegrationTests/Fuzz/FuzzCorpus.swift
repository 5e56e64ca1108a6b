import Foundation

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The well-formed files from which mutations are made.
enum FuzzCorpus {
  /// Our own files without their checksums, the fixtures, and files of Foundation's encoders. They are the same for a
  /// seed in every process, except for the order of Foundation's binary dictionaries.
  static func make(_ format: FileFormat, seed: UInt64) throws -> [FuzzSeed] {
    var generator = SeededGenerator(seed: seed)
    var seeds: [FuzzSeed] = []
    func add(_ name: String, _ bytes: [UInt8], isWide: Bool) throws {
      seeds.append(FuzzSeed(name, format, try Crafted.withoutChecksum(bytes, format), isWide: isWide))
    }
    func add(_ name: String, _ notebook: Notebook) throws {
      try add(name, try SnapshotFile.encode(notebook, as: format), isWide: false)
    }
    try add("tiny", try Notebook.tiny())
    try add("plain", Array(try Data(contentsOf: Fixture.all[0].url(format))), isWide: false)
    for number in 0..<3 { try add("random \(number)", try Notebook(nasty: &generator, format)) }
    for number in 0..<4 {
      var model = WideModel()
      for id in 0...(number % 2) { try model.items.insert(Wide(id: Int64(id), random: &generator, format)) }
      try add("wide \(number)", try SnapshotFile.encode(model, as: format), isWide: true)
    }
    for number in 0..<3 where format != .ndjson {
      var model = WideModel()
      try model.items.insert(Wide(id: 7, random: &generator, isPlain: true, format))
      let file = FoundationAgreementTests.File(
        snapshot: .init(schema: "wide", version: 1), items: Array(model.items))
      let bytes = try foundationBytes(file, format, number)
      seeds.append(FuzzSeed("of Foundation \(number)", format, bytes, isWide: true))
    }
    return seeds
  }

  private static func foundationBytes(_ file: some Encodable, _ format: FileFormat, _ number: Int) throws -> [UInt8] {
    if format == .json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = number == 0 ? [.sortedKeys] : [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      encoder.dateEncodingStrategy = .iso8601
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
      return Array(try encoder.encode(file))
    }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format == .xml ? .xml : .binary
    return Array(try encoder.encode(file))
  }
}

extension Notebook {
  /// A few notes with awkward texts and dates; some dates are missing.
  fileprivate init(nasty generator: inout SeededGenerator, _ format: FileFormat) throws {
    func date(_ generator: inout SeededGenerator) -> Date { generator.date(format) }
    self.init()
    for id in 1...Int64.random(in: 1...3, using: &generator) {
      var note = Note(id: id, text: generator.text(), creationDate: date(&generator))
      note.setTags([generator.text(upTo: 2), "a"], at: date(&generator))
      note.setSortDate(date(&generator), at: date(&generator))
      note.setArchived(generator.chance(2), at: date(&generator))
      if generator.chance(2) { note.textModificationDate = nil }
      if generator.chance(3) { note.attachmentsModificationDate = nil }
      try notes.insert(note)
      try deletedNotes.insert(DeletedNote(id: 100 + id, deletionDate: generator.chance(2) ? nil : date(&generator)))
      try attachments.insert(
        Attachment(
          id: "\(id)" + generator.text(), mimeType: generator.text(upTo: 2), height: generator.integer(), width: 0))
    }
    if let name = TagName("tag " + generator.text()) {
      try tags.insert(SnapshotNotebook.Tag(name, nameModificationDate: generator.chance(2) ? nil : date(&generator)))
    }
  }
}

extension Wide {
  /// - Parameter isPlain: whether Foundation's encoders can write all of it in a form that the library reads.
  fileprivate init(id: Int64, random generator: inout SeededGenerator, isPlain: Bool = false, _ format: FileFormat) {
    func text(_ generator: inout SeededGenerator) -> String {
      isPlain ? generator.pick(["a", "é😀", "<&>\"'\\/", "tab\tline\n", "", "null"]) : generator.text()
    }
    func date(_ generator: inout SeededGenerator) -> Date {
      isPlain ? Date(timeIntervalSinceReferenceDate: Double(generator.integer(Int32.self))) : generator.date(format)
    }
    func double(_ generator: inout SeededGenerator) -> Double {
      isPlain ? Double.random(in: -1e6...1e6, using: &generator) : generator.double()
    }
    self.init(id: id)
    self.text = text(&generator)
    optionalText = generator.chance(2) ? nil : text(&generator)
    truth = generator.chance(2)
    integers = Integers(random: &generator)
    float = isPlain ? 0.1 : generator.float()
    self.double = double(&generator)
    doubles = generator.list { double(&$0) }
    self.date = date(&generator)
    optionalDate = generator.chance(2) ? nil : date(&generator)
    data = Data(generator.data().prefix(20))
    uuid = generator.uuid()
    url = isPlain && format != .json ? nil : URL(string: "https://example.org/a?b=c%20#d")
    decimal = isPlain ? (format == .json ? 12.75 : nil) : generator.decimal()
    gaps = generator.list { $0.chance(2) ? nil : text(&$0) }
    rows = generator.list { $0.list { $0.integer() } }
    numberByText = ["k": 1]
    textByNumber = [generator.integer(): text(&generator)]
    numberByUUID = [generator.uuid(): generator.integer()]
    few = [generator.integer()]
    part = generator.pick([
      .nothing, .square(3), .sized(width: -1, height: nil),
      .pair(.sized(width: 1, height: 2), .pair(.nothing, .square(0))),
    ])
    color = generator.pick(Color.allCases)
    level = generator.chance(2) ? nil : generator.pick(Level.allCases)
    inner =
      generator.chance(2) ? nil : Inner(on: true, counts: [1, nil], deeper: [Inner(on: false, counts: [], deeper: [])])
  }
}

extension SeededGenerator {
  /// A date; for XML rarely one that Foundation reads on another calendar.
  fileprivate mutating func date(_ format: FileFormat) -> Date {
    if format != .xml || chance(8) { return date() }
    return Date(timeIntervalSinceReferenceDate: Double(integer(Int32.self)) + pick([0, 0, 0.25, 0.1]))
  }
}
