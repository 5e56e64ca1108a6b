import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The limits on texts and counts hold in every format, with and without direct coding, and errors name the place.
@Suite struct LimitTests {
  /// Attachments beside a note with one long text. The second form of it is not read directly.
  private static func notebook(text: Int, attachments: Int = 0) throws -> Notebook {
    var notebook = Notebook.empty()
    for number in 0..<attachments {
      try notebook.add(Attachment(id: "\(number)", mimeType: "a/b", height: 0, width: 0))
    }
    try notebook.addNote(text: "short")
    try notebook.addNote(text: String(repeating: "é", count: text / 2))
    return notebook
  }

  private func error(_ bytes: [UInt8], _ limits: ReadLimits, threads: Int = 1) -> SnapshotError? {
    do {
      _ = try SnapshotFile.decode(Notebook.self, from: bytes, options: ReadOptions(limits: limits, threads: threads))
      return nil
    } catch {
      return error as? SnapshotError
    }
  }

  @Test func textsThatAreTooLong() {
    each(FileFormat.allCases, [2_000, 500]) { (format: FileFormat, size: Int) throws in
      let bytes = try encoded(Self.notebook(text: size), format)
      #expect(error(bytes, ReadLimits(textSize: size)) == nil)
      // Below 1,024 nothing is read directly.
      let refused = try #require(error(bytes, ReadLimits(textSize: size - 1)))
      #expect(refused.code == .limitExceeded)
      #expect(refused.message == "the text is longer than the limit of \(size - 1) bytes")
      #expect(refused.dataPath == "notes[1]" || format == .ndjson, "\(refused)")
      #expect(refused.position.map { $0.offset > 100 } == true)
    }
  }

  @Test func tablesWithTooManyRecords() {
    each(FileFormat.allCases, [300, 20]) { (format: FileFormat, count: Int) throws in
      for threads in [1, 2] { try tablesWithTooManyRecords(format, count, threads) }
    }
  }

  private func tablesWithTooManyRecords(_ format: FileFormat, _ count: Int, _ threads: Int) throws {
    let bytes = try encoded(Self.notebook(text: 10, attachments: count), format)
    var limits = ReadLimits(elementCount: count)
    limits.partSize = 512
    #expect(error(bytes, limits, threads: threads) == nil)
    limits.elementCount = count - 1
    let refused = try #require(error(bytes, limits, threads: threads))
    #expect(refused.code == .limitExceeded)
    #expect(refused.message == "more than \(count - 1) elements, which is the limit")
    #expect(refused.position != nil)
    // A binary list states the number before its records are read.
    if format != .binary { #expect(refused.dataPath == "attachments[\(count - 1)]") }
  }

  @Test func arraysWithTooManyElements() {
    each(FileFormat.allCases, [300, 20]) { (format: FileFormat, count: Int) throws in
      var notebook = try Self.notebook(text: 10)
      var note = Note(id: 5, text: "", creationDate: .day(1))
      note.setTags((0..<count).map { "\($0)" }, at: .day(1))
      try notebook.upsert(checked: note)
      let bytes = try encoded(notebook, format)
      #expect(error(bytes, ReadLimits(elementCount: count)) == nil)
      let refused = try #require(error(bytes, ReadLimits(elementCount: count - 1)))
      #expect(refused.code == .limitExceeded && refused.message.contains("more than \(count - 1) elements"))
      #expect(refused.position.map { $0.offset > 100 } == true)
    }
  }

  /// Records without direct coding, with dictionaries and data.
  @Test func otherRecords() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var shelf = Shelf()
      var generator = SeededGenerator(seed: 1)
      try shelf.items.insert(Awkward(id: 1, random: &generator))
      let bytes = try SnapshotFile.encode(shelf, as: format)
      for limits in [ReadLimits(textSize: 3), ReadLimits(elementCount: 3)] {
        let refused = #expect(throws: SnapshotError.self) {
          try SnapshotFile.decode(Shelf.self, from: bytes, options: ReadOptions(limits: limits))
        }
        #expect(refused?.code == .limitExceeded && refused?.position != nil, "\(String(describing: refused))")
      }
    }
  }

  @Test func dataThatIsTooLong() throws {
    var list = BinaryList()
    let data = list.add(BinaryList.marker(0x40, count: 50) + Array(repeating: 0, count: 50))
    let bytes = list.document(data)
    let refused = error(bytes, ReadLimits(textSize: 49))
    #expect(refused?.message == "the data is longer than the limit of 49 bytes")
    #expect(error(bytes, ReadLimits(textSize: 50))?.code != .limitExceeded)
  }

  /// Salvage loses the record beyond a limit, and no other.
  @Test func salvageKeepsToTheLimits() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = try encoded(Self.notebook(text: 2_000), format)
      let salvaged = try Salvaged<Notebook>(of: bytes, limits: ReadLimits(textSize: 1_999))
      #expect(salvaged.value.notes.count == 1)
      #expect(salvaged.losses.map(\.code).contains(.limitExceeded))
      #expect(salvaged.losses.allSatisfy { $0.excerpt.utf8.count <= SalvageLoss.excerptLimit + 8 })
    }
  }
}

extension Notebook {
  /// Adds a note with the tags that it names.
  fileprivate mutating func upsert(checked note: Note) throws {
    for tag in note.tags { self.tag(named: tag) }
    try upsert(note)
  }
}
