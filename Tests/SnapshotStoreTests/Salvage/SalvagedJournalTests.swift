import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// What a salvage says of a damaged journal, and what it keeps of it.
struct SalvagedJournalTests {
  private let folder: TemporaryFolder
  private var journal: JournalUnderTest<SalvageFillingTests.Club>

  init() throws {
    folder = try TemporaryFolder()
    var club = SalvageFillingTests.Club()
    for id in 0..<2 { try club.members.insert(.init(id: id, name: "singer \(id)", email: "\(id)")) }
    journal = try JournalUnderTest(club)
    try journal.change { try $0.members.insert(.init(id: 2, name: "singer 2", email: "2")) }
    // The repair of the model takes this back.
    try journal.change { try $0.left.insert(.init(id: 1)) }
  }

  private func salvaged(_ lines: [String]) throws -> Salvaged<SalvageFillingTests.Club> {
    try Data(journal.file).write(to: folder.url("club.json"))
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: folder.url(".club.json.journal"))
    return try Salvaged(ofFileAt: folder.url("club.json"))
  }

  /// A person may read in it what was lost.
  @Test func aDamagedLineIsKept() throws {
    let damaged = journal.lines[1].replacing("singer 2", with: "singer X")
    let salvaged = try salvaged([journal.lines[0], damaged, journal.lines[2]])
    #expect(String(decoding: salvaged.unusedBytes, as: UTF8.self) == damaged + "\n")
    #expect(salvaged.losses.map(\.position?.line) == [2])
    #expect(salvaged.losses.map(\.excerpt) == [damaged])
  }

  @Test func aMissingFirstLineIsALossAtTheBeginning() throws {
    let salvaged = try salvaged(Array(journal.lines.dropFirst()))
    let loss = try #require(salvaged.losses.first)
    #expect(loss.reason == "the first line of the journal is missing")
    #expect(loss.position == SnapshotError.Position(offset: 0, line: 1, column: 1))
  }

  /// The value of a whole journal is the one that was saved, although it breaks the rules of its model.
  @Test func onlyAJournalWithLossesIsRepaired() throws {
    let whole = try salvaged(journal.lines)
    #expect(whole.isComplete && whole.value.isStoredLike(journal.value))
    #expect(whole.value.left.map(\.id) == [1])
    let damaged = journal.lines[1].replacing("singer 2", with: "singer X")
    let partial = try salvaged([journal.lines[0], damaged, journal.lines[2]])
    #expect(partial.value.left.isEmpty && partial.value.members.map(\.id) == [0, 1])
  }
}
