import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A file and its journal in memory: what a store would have on disk.
struct JournalUnderTest<Root: Model> {
  /// The content of the file.
  let base: SnapshotContent<Root>
  let file: [UInt8]
  /// The value after the last line.
  private(set) var value: Root
  private(set) var bytes: [UInt8]
  private(set) var end: JournalPosition
  /// The value after each line.
  private(set) var history: [Root] = []
  private var writer: JournalWriter

  static var date: Date { Date(timeIntervalSinceReferenceDate: 785_000_000) }
  static var options: DecodingOptions { DecodingOptions(unknownKeys: .keep) }

  init(_ base: SnapshotContent<Root>, format: FileFormat = .json) throws {
    self.base = base
    value = base.value
    file = try SnapshotFile.encode(base, as: format)
    writer = JournalWriter()
    let header = JournalWriter.header(
      JournalHeader(
        schema: Root.schema.name, version: Root.schema.version, base: Self.identity(of: file), date: Self.date))
    bytes = header.bytes
    end = header.end
  }

  static func identity(of file: [UInt8]) -> JournalBase {
    let checksum = (try? Document(file, limits: ReadLimits()))?.header.checksum
    return JournalBase(sum: checksum.map { .checksum($0) } ?? .digest(Checksum.cksum(file[...])), size: file.count)
  }

  /// Changes the value and appends the line. Returns false if nothing was changed.
  @discardableResult
  mutating func change(_ body: (inout Root) throws -> Void) throws -> Bool {
    var new = value
    try body(&new)
    let text = try writer.changes(
      from: value, to: new, unknown: base.unknown, after: end, date: Self.date, limit: .max)
    value = new
    guard let text else { return false }
    bytes += text.bytes
    end = text.end
    history.append(new)
    return true
  }

  mutating func fold(to base: JournalBase, isWhole: Bool = true) {
    let text = JournalWriter.fold(to: base, isWhole: isWhole, after: end, date: Self.date)
    bytes += text.bytes
    end = text.end
    history.append(value)
  }

  /// The content after a replay with types.
  func replayed(threads: Int = 1) throws -> SnapshotContent<Root> {
    try Self.replay(bytes, onto: try content(), threads: threads)
  }

  /// The content of the file, read with types.
  func content() throws -> SnapshotContent<Root> { try SnapshotFile.decodeContent(from: file) }

  /// The content after a replay without types, and then read with types.
  func replayedWithoutTypes() throws -> SnapshotContent<Root> {
    let untyped: SnapshotContent<UntypedModel> = try SnapshotFile.decodeContent(from: file)
    let journal = try Journal(bytes, limits: ReadLimits())
    let lines = try #require(journal.lines(since: Self.identity(of: file)))
    let replayed = try journal.replay(lines, onto: untyped, Self.options, idKeys: [:], limits: ReadLimits())
    return try SnapshotFile.decodeContent(from: try SnapshotFile.encode(replayed, as: .json))
  }

  static func replay(
    _ bytes: [UInt8], onto content: SnapshotContent<Root>, threads: Int = 1
  ) throws -> SnapshotContent<Root> {
    let journal = try Journal(bytes, limits: ReadLimits(), threads: threads)
    var options = options
    options.threads = threads
    return try journal.replay(journal.lines[...], onto: content, options, idKeys: [:], limits: ReadLimits())
  }

  /// Expects that every way of reading gives the value of memory, byte for byte.
  func expectReplays(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var expected = base
    expected.value = value
    let bytes = try SnapshotFile.encode(expected, as: .json)
    for threads in [1, 3] {
      let content = try replayed(threads: threads)
      #expect(try SnapshotFile.encode(content, as: .json) == bytes, sourceLocation: sourceLocation)
      let violations = content.value.allViolations()
      #expect(violations == [], sourceLocation: sourceLocation)
    }
    let untyped = try SnapshotFile.encode(replayedWithoutTypes(), as: .json)
    #expect(untyped == bytes, sourceLocation: sourceLocation)
  }

  /// The lines of the journal as text, without their line feeds.
  var lines: [String] { String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init) }
}

extension JournalUnderTest {
  init(_ value: Root, format: FileFormat = .json) throws { try self.init(SnapshotContent(value), format: format) }
}

/// A line with a right checksum.
func journalLine(_ content: String) -> [UInt8] {
  let bytes = Array(content.utf8)
  return bytes + Array(",\"sum\":\(Checksum.cksum(bytes[...]))}\n".utf8)
}

/// A journal with four lines: changes of a value and of two tables, and a mark.
func oddJournal() throws -> JournalUnderTest<OddModel> {
  var book = try JournalUnderTest(OddModel.sample())
  try book.change { $0.recent = ["\u{E9}\u{1F600}"] }
  try book.change { try $0.steps.update(Step.Key(owner: "Ada", number: 2)) { $0.text = "two" } }
  book.fold(to: JournalBase(sum: .checksum(12), size: 34))
  try book.change { $0.spots.remove(Spot.Place(x: 1, y: 2)) }
  return book
}

/// A journal, read strictly.
func readJournal(_ bytes: [UInt8], threads: Int = 1) throws -> Journal {
  try Journal(bytes, limits: ReadLimits(), threads: threads)
}
