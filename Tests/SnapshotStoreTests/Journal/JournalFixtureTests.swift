import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A file with its journal, and what both hold together. `Scripts/check-vectors` reads them too, without the library.
///
/// `SNAPSHOT_WRITE_FIXTURES=1 swift test --filter JournalFixtureTests` writes them if they are missing.
@Suite struct JournalFixtureTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../fixtures/journal")

  private static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SNAPSHOT_WRITE_FIXTURES"] == "1"))
  func write() throws {
    if FileManager.default.fileExists(atPath: Self.folder.path) { return }
    var random = SeededGenerator(seed: 11)
    var book = try JournalUnderTest(OddModel.sample(), format: .xml)
    for _ in 0..<12 { try book.change { try $0.changeAtRandom(using: &random) } }
    book.fold(to: JournalBase(sum: .digest(4_294_967_295), size: 1 << 40))
    try book.change { $0.tokens.removeAll() }
    try book.change { try $0.tokens.insert(Token(id: random.uuid(), owner: "Ada")) }
    try book.expectReplays()
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    let after = try SnapshotFile.encode(book.value, as: .json)
    for (name, bytes) in [("base.plist", book.file), ("base.plist.journal", book.bytes), ("after.json", after)] {
      try Data(bytes).write(to: Self.folder.appending(path: name))
    }
  }

  @Test func theJournalLeadsToTheOtherFile() throws {
    let (base, after) = (try Self.bytes("base.plist"), try Self.bytes("after.json"))
    let journal = try Journal(try Self.bytes("base.plist.journal"), limits: ReadLimits())
    let document = try Document(base, limits: ReadLimits())
    let sum = try #require(document.header.checksum)
    let lines = try #require(journal.lines(since: JournalBase(sum: .checksum(sum), size: base.count)))
    #expect(lines.count > 10 && journal.lines.contains { $0.kind != .changes })
    let options = JournalUnderTest<OddModel>.options
    let typed = try journal.replay(
      lines, onto: SnapshotFile.decodeContent(OddModel.self, from: base), options, idKeys: [:], limits: ReadLimits())
    #expect(try SnapshotFile.encode(typed, as: .json) == after)
    let untyped = try journal.replay(
      lines, onto: SnapshotFile.decodeContent(UntypedModel.self, from: base), options, idKeys: [:],
      limits: ReadLimits())
    let again: OddModel = try SnapshotFile.decode(from: SnapshotFile.encode(untyped, as: .ndjson))
    #expect(try SnapshotFile.encode(again, as: .json) == after)
  }
}
