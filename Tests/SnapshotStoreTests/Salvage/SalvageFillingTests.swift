import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The lost records of a damaged file come from an older version, for any model.
struct SalvageFillingTests {
  struct Singer: Record {
    let id: Int
    var name = ""
    var email = ""
    static let byEmail = Index<Singer, String>("email", unique: true) { $0.email }
    static let indexes = Indexes(byEmail)
  }

  struct Voice: Codable, Equatable, Sendable {
    var name = "alto"
    var volume = 1
  }

  /// A model without hooks.
  struct Choir: Model {
    var singers = Table<Singer>()
    var voice = Voice()
    var motto = ""
    static let schema = Schema<Choir>(
      "choir", version: 1,
      Field("singers", \.singers),
      Field("voice", \.voice),
      Field("motto", \.motto))

    init() {}
    init(_ names: [String], voice: Voice = Voice(), motto: String = "") throws {
      for (id, name) in names.enumerated() { try singers.insert(Singer(id: id, name: name, email: name)) }
      (self.voice, self.motto) = (voice, motto)
    }
  }

  /// A model that remembers removed members.
  struct Club: RepairingModel {
    var members = Table<Singer>()
    var left = Table<Left>()
    struct Left: Record { let id: Int }
    static let schema = Schema<Club>("club", version: 1, Field("members", \.members), Field("left", \.left))

    mutating func removeDeleted(addedTo salvaged: Club) { members.remove(salvaged.left.map(\.id)) }

    mutating func repair() -> [Violation] {
      let both = members.map(\.id).filter { left.contains($0) }
      left.remove(both)
      return both.map { Violation(place: "left \($0)", message: "is here") }
    }
  }

  /// The bytes of a content with a piece replaced.
  private static func damaged<Root: Model>(
    _ content: SnapshotContent<Root>, _ piece: String, _ other: String, as format: FileFormat = .json
  ) throws -> [UInt8] {
    let text = String(decoding: try SnapshotFile.encode(content, as: format), as: UTF8.self)
    #expect(text.contains(piece))
    return Array(text.replacing(piece, with: other).utf8)
  }

  private static func lines(_ taken: [RecordDifference]) -> [String] {
    taken.map { "\($0.change) \($0.table) \($0.id)" }
  }

  @Test(arguments: [FileFormat.json, .ndjson, .xml])
  func onlyWhatIsLostIsTaken(_ format: FileFormat) throws {
    let older = try Choir(["Ada", "Bob", "Cem"], voice: Voice(name: "bass", volume: 7), motto: "old")
    var newer = older
    // These are the values of a new model. A merge without a base would treat them as unchanged.
    (newer.voice, newer.motto) = (Voice(name: "alto", volume: 2), "")
    try newer.singers.update(0) { $0.name = "" }
    try newer.singers.insert(Singer(id: 3, name: "Dee", email: "Dee"))
    let damage = format == .xml ? "<integer>2</integer>" : "\"id\":2"
    let salvaged = try Salvaged<Choir>(of: Self.damaged(SnapshotContent(newer), damage, "\u{1}", as: format))
    // In XML the value with a 2 is lost too.
    #expect(salvaged.value.singers.map(\.id) == [0, 1, 3])
    let filled = try salvaged.filled(from: SnapshotContent(older))
    var expected = newer
    if format == .xml { expected.voice = older.voice }
    #expect(filled.content.value.isStoredLike(expected))
    #expect(Self.lines(filled.taken) == ["inserted singers 2"] + (format == .xml ? ["updated voice "] : []))
    #expect(filled.repaired == [] && filled.generation == nil)
    #expect(filled.content.value.allViolations() == [])
  }

  @Test func aLostValueIsTakenAndAnotherIsNot() throws {
    let older = try Choir(["Ada"], voice: Voice(name: "bass", volume: 7), motto: "old")
    let newer = try Choir(["Ada"], voice: Voice(name: "tenor", volume: 1), motto: "")
    let salvaged = try Salvaged<Choir>(of: Self.damaged(SnapshotContent(newer), "\"tenor\"", "\"ten\u{1}or\""))
    let filled = try salvaged.filled(from: SnapshotContent(older))
    #expect(filled.content.value.voice == older.voice && filled.content.value.motto == "")
    #expect(Self.lines(filled.taken) == ["updated voice "])
  }

  /// Only a checksum is wrong: a missing record may have been deleted.
  @Test func nothingIsTakenWhereNothingIsLost() throws {
    let older = try Choir(["Ada", "Bob"])
    let salvaged = try Salvaged<Choir>(of: Self.damaged(SnapshotContent(try Choir(["Ada"])), "\"Ada\"", "\"Eda\""))
    #expect(salvaged.checksum == .mismatch)
    let filled = try salvaged.filled(from: SnapshotContent(older))
    #expect(filled.content.value.singers.map(\.name) == ["Eda"] && filled.taken.isEmpty)
    let whole = try Salvaged<Choir>(of: SnapshotFile.encode(try Choir(["Ada"]), as: .binary))
    #expect(try whole.filled(from: SnapshotContent(older)).content.value.singers.count == 1)
  }

  @Test func aRecordThatDoesNotFitIsNamed() throws {
    let older = try Choir(["Ada", "Bob", "Cem"])
    var newer = older
    newer.singers.remove([1, 2])
    try newer.singers.update(0) { $0.email = "Bob" }
    try newer.singers.insert(Singer(id: 5, name: "lost", email: "lost"))
    let salvaged = try Salvaged<Choir>(of: Self.damaged(SnapshotContent(newer), "\"lost\"", "\u{1}"))
    let filled = try salvaged.filled(from: SnapshotContent(older))
    #expect(filled.content.value.singers.map(\.id) == [0, 2] && Self.lines(filled.taken) == ["inserted singers 2"])
    #expect(
      filled.repaired.map(\.description) == [
        "singers 1: not taken from the older version, because 0 has its key in the unique index email"
      ])
    #expect(filled.content.value.allViolations() == [])
  }

  @Test func theModelKeepsOutWhatWasDeleted() throws {
    var older = Club()
    for id in 0..<4 { try older.members.insert(Singer(id: id, name: "singer \(id)", email: "\(id)")) }
    var newer = older
    newer.members.remove([1])
    try newer.left.insert(Club.Left(id: 1))
    let salvaged = try Salvaged<Club>(of: Self.damaged(SnapshotContent(newer), "\"singer 2\"", "\u{1}"))
    #expect(salvaged.value.members.map(\.id) == [0, 3])
    let filled = try salvaged.filled(from: SnapshotContent(older))
    #expect(filled.content.value.isStoredLike(newer))
    #expect(Self.lines(filled.taken) == ["inserted members 2"] && filled.repaired == [])
  }

  /// A file of which nothing is lost may break the rules of its model. Its value is the one that was saved.
  @Test func onlyAFileWithLossesIsRepaired() throws {
    var club = Club()
    for id in 0..<3 { try club.members.insert(Singer(id: id, name: "singer \(id)", email: "\(id)")) }
    try club.left.insert(Club.Left(id: 1))
    let folder = try TemporaryFolder()
    let url = folder.url("club.json")
    let saved = try SnapshotFile.encode(SnapshotContent(club), as: .json)
    let whole = try Salvaged<Club>(of: saved).filled(fromGenerationsOf: url)
    #expect(whole.content.value.isStoredLike(club) && whole.repaired == [])
    let damaged = try Self.damaged(SnapshotContent(club), "\"singer 2\"", "\u{1}")
    let filled = try Salvaged<Club>(of: damaged).filled(fromGenerationsOf: url)
    #expect(filled.content.value.left.isEmpty && filled.content.value.members.map(\.id) == [0, 1])
    #expect(filled.repaired.map(\.description) == ["left 1: is here"])
  }

  /// Unknown keys come with their records; a salvaged record gets none.
  @Test func whatTheSchemaDoesNotKnowComesAlong() throws {
    func content(_ tail: String) throws -> SnapshotContent<Choir> {
      let singers = ["Ada", "Bob"].enumerated().map { id, name in
        "{\"id\":\(id),\"email\":\"\(name)\",\"name\":\"\(name)\",\"x\":\"\(name) \(tail)\"}"
      }
      let json = """
        {"snapshot":{"schema":"choir","version":1},"singers":[\(singers.joined(separator: ","))],
        "voice":{"name":"alto","volume":1},"motto":"","rooms":[{"id":1}\(tail == "old" ? ",{\"id\":2}" : "")]}
        """
      return try SnapshotFile.decodeContent(from: Array(json.utf8))
    }
    let salvaged = try Salvaged<Choir>(of: Self.damaged(try content("new"), "\"Bob\"", "\u{1}"))
    let filled = try salvaged.filled(from: try content("old"))
    let text = String(decoding: try SnapshotFile.encode(filled.content, as: .json), as: UTF8.self)
    #expect(text.contains("\"Ada new\"") && text.contains("\"Bob old\"") && !text.contains("\"Ada old\""))
    #expect(Self.lines(filled.taken) == ["inserted singers 1", "inserted rooms 2"])
  }

  @Test func theNewestReadableGenerationIsTaken() throws {
    let folder = try TemporaryFolder()
    let url = folder.url("choir.json")
    let kept = folder.url(".choir.json.generations")
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    let newer = try Choir(["Ada", "Bob"])
    let bytes = try Self.damaged(SnapshotContent(newer), "\"Bob\"", "\u{1}")
    let salvaged = try Salvaged<Choir>(of: bytes)
    let alone = try salvaged.filled(fromGenerationsOf: url)
    #expect(alone.generation == nil && alone.content.value.singers.count == 1 && alone.taken.isEmpty)
    for (name, names) in [("000001", ["Ada", "Bib"]), ("000002", ["Ada", "Bob"])] {
      let old = try SnapshotFile.encode(Choir(names), as: .json)
      try Data(old).write(to: kept.appending(path: "\(name)_2026-11-21T10.00.00Z.json"))
    }
    try Data(bytes).write(to: kept.appending(path: "000003_2026-11-21T10.00.00Z.json"))
    let filled = try salvaged.filled(fromGenerationsOf: url)
    #expect(filled.generation?.number == 2 && filled.content.value.isStoredLike(newer))
  }
}
