import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Small binary lists that name large objects very often. The work of salvage is in proportion to the file.
@Suite(.timeLimit(.minutes(30))) struct SalvageBombTests {
  /// Very many entries in the table of offsets for one large dictionary, whose keys are one long text.
  @Test func oneDictionaryManyTimes() throws {
    var list = BinaryList()
    let (key, value) = (list.text(String(repeating: "k", count: 20_000)), list.text("x"))
    let large = list.dictionary(Array(repeating: (key, value), count: 5_000))
    var bytes = list.bytes(top: large)
    // The top is no dictionary, so all objects are read.
    bytes.replaceSubrange(bytes.count - 16..<bytes.count - 8, with: BinaryList.bigEndian(UInt64(value), width: 8))
    #expect(throws: SnapshotError.self) { try Salvaged<Notebook>(of: bytes) }
  }

  /// Very many tables that are one large array of one broken record.
  @Test func oneArrayManyTimes() throws {
    var list = BinaryList()
    let (key, value) = (list.text(String(repeating: "k", count: 2_000)), list.text("x"))
    let broken = list.dictionary(Array(repeating: (key, value), count: 500))
    let array = list.array(Array(repeating: broken, count: 5_000))
    let names = (0..<2_000).map { (list.text("table \($0)"), array) }
    let top = list.dictionary([(list.text("snapshot"), list.header())] + names + [(list.text("notes"), array)])
    let salvaged = try? Salvaged<Notebook>(of: list.bytes(top: top))
    #expect(salvaged?.value.notes.isEmpty != false)
    #expect(salvaged.map { $0.losses.count <= SalvageLoss.listLimit } != false)
  }
}
