import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Written values are read back bit by bit, in every format.
@Suite struct RoundTripTests {
  @Test func everyShapeAndValueComesBack() {
    each(FileFormat.allCases, SeededGenerator.seeds(6)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let shelf = try Shelf(random: &generator, count: 25)
      let encoded = try SnapshotFile.encode(shelf, as: format)
      let decoded = try SnapshotFile.decode(Shelf.self, from: encoded)
      expectExactly(decoded.allRecords, shelf.allRecords)
      #expect(try SnapshotFile.encode(decoded, as: format) == encoded)
      #expect(decoded.allViolations() == [])
    }
  }

  /// A file is recognised by its content, so the value may go through all formats in turn.
  @Test func aValueSurvivesATourOfAllFormats() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let shelf = try Shelf(random: &generator, count: 10)
      var value = shelf
      for format in FileFormat.allCases + FileFormat.allCases.reversed() {
        value = try SnapshotFile.decode(from: try SnapshotFile.encode(value, as: format))
      }
      expectExactly(value.allRecords, shelf.allRecords)
    }
  }

  @Test func everySpecialNumberComesBackAsNumberAndAsDate() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var record = Awkward(id: 1)
      record.matrix = [SeededGenerator.specialDoubles]
      let seconds = SeededGenerator.specialDoubles + SeededGenerator.edgeDates
      record.dates = seconds.map(Date.init(timeIntervalSinceReferenceDate:))
      try expectRoundTrip(of: [record], format)
    }
  }

  /// Every scalar value below U+10000 and some above, in texts of one and as keys.
  @Test func everyCharacterComesBack() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let codes = (Array(0...0xFFFF) + Array(stride(from: 0x10000, through: 0x10FFFF, by: 0x0FFF)))
      let scalars = Proofs.share(of: codes.compactMap { Unicode.Scalar(UInt32($0)) }, oneIn: 24)
      var record = Awkward(id: 1)
      record.textsWithGaps = scalars.map { String($0) } + SeededGenerator.textPieces
      for text in SeededGenerator.textPieces { record.numberByText[text] = text.utf8.count }
      try expectRoundTrip(of: [record], format)
    }
  }

  /// Swift holds `é` and `e` with an accent to be one key. A writer that shares keys must not share these.
  @Test func keysKeepTheirNormalisationInEveryRecord() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let records = ["\u{E9}", "e\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}"].enumerated().map { index, key in
        var record = Awkward(id: Int64(index))
        record.numberByText = [key: index]
        return record
      }
      try expectRoundTrip(of: records, format)
    }
  }

  /// The widths of counts and of references change at these sizes.
  @Test func everyLengthComesBack() {
    each(FileFormat.allCases, Proofs.share(of: [0, 1, 14, 15, 16, 255, 256, 65_535, 65_536], oneIn: 3)) {
      (format: FileFormat, count: Int) throws in
      var record = Awkward(id: 1)
      record.text = String(repeating: "x", count: count)
      record.optionalText = String(repeating: "é", count: count)
      record.data = Data(repeating: 7, count: count)
      record.bytes = Array(repeating: 7, count: min(count, 1000))
      for number in 0..<min(count, 300) { record.textByNumber[number] = "" }
      try expectRoundTrip(of: [record], format)
    }
  }

  /// A conversion between `Float` and `Double` may make a signalling NaN a quiet one.
  @Test func aSignallingFloatStaysOne() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var record = Awkward(id: 1)
      record.float = Float(bitPattern: 0x7FA0_0001)
      try expectRoundTrip(of: [record], format)
    }
  }

  @Test func decimalsOfEverySizeComeBack() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var record = Awkward(id: 1)
      record.decimals = [
        .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, .pi, .nan, 0,
        Decimal(string: "99999999999999999999999999999999999999")!, Decimal(string: "-1e-127")!,
        Decimal(string: "1e127")!,
      ]
      try expectRoundTrip(of: [record], format)
    }
  }

  @Test func anEmptyModelComesBack() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = try SnapshotFile.encode(Notebook(), as: format)
      let notebook = try SnapshotFile.decode(Notebook.self, from: bytes)
      expectExactly(notebook.allRecords, Notebook().allRecords)
      #expect(try SnapshotFile.encode(notebook, as: format) == bytes)
    }
  }

  private func expectRoundTrip(
    of records: [Awkward], _ format: FileFormat, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var shelf = Shelf()
    for record in records { try shelf.items.insert(record) }
    let bytes = try SnapshotFile.encode(shelf, as: format)
    let decoded = try SnapshotFile.decode(Shelf.self, from: bytes)
    expectExactly(decoded.allRecords, shelf.allRecords, sourceLocation: sourceLocation)
    #expect(try SnapshotFile.encode(decoded, as: format) == bytes, sourceLocation: sourceLocation)
  }
}
