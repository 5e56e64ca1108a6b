import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Records that both sides changed, merged property by property.
struct PropertyMergeTests {
  /// Two properties in a group with a date, a list with a date, a property by itself, and a date of the whole.
  struct Card: Record {
    let id: Int
    var front = "f"
    var back = "b"
    var sidesDate: Date?
    var words: [String] = []
    var wordsDate: Date?
    var box: Int?
    var changed = Date(timeIntervalSinceReferenceDate: 0)

    static let mergeRules: [MergeRule] = [
      .together(["front", "back"], modified: "sidesDate"), .elements("words", modified: "wordsDate"),
      .modified("changed"),
    ]
  }

  struct Cards: Model {
    var cards = Table<Card>()
    static let schema = Schema<Cards>("cards", version: 1, Field("cards", \.cards))

    init() {}

    init(_ cards: [Card]) throws {
      for card in cards { try self.cards.insert(card) }
    }
  }

  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  private static func merge(
    _ policy: MergePolicy = .ours, _ ours: (inout Card) -> Void, _ theirs: (inout Card) -> Void
  ) throws -> (card: Card, conflicts: [MergeConflict]) {
    let base = Card(id: 1, words: ["a", "b", "c"])
    var (mine, other) = (base, base)
    ours(&mine)
    theirs(&other)
    let result = try Cards.merging(base: Cards([base]), ours: Cards([mine]), theirs: Cards([other]), policy: policy)
    #expect(result.value.allViolations() == [])
    return (try #require(result.value.cards[1]), result.conflicts)
  }

  @Test func differentPropertiesAreBothKept() throws {
    let (card, conflicts) = try Self.merge {
      $0.box = 5
      $0.changed = Self.date(2)
    } _: {
      $0.front = "theirs"
      $0.sidesDate = Self.date(1)
      $0.changed = Self.date(1)
    }
    #expect(card.box == 5 && card.front == "theirs" && card.sidesDate == Self.date(1) && card.changed == Self.date(2))
    #expect(conflicts == [])
  }

  @Test func aPropertyThatWasTakenAwayStaysAway() throws {
    var base = Card(id: 1)
    base.box = 1
    var (ours, theirs) = (base, base)
    ours.back = "ours"
    theirs.box = nil
    let result = try Cards.merging(base: Cards([base]), ours: Cards([ours]), theirs: Cards([theirs]))
    #expect(result.value.cards[1]?.box == nil && result.value.cards[1]?.back == "ours")
  }

  @Test func whatGoesTogetherComesFromOneSide() throws {
    for (policy, front, back) in [(MergePolicy.ours, "ours", "b"), (.theirs, "f", "theirs"), (.fail, "ours", "b")] {
      let (card, conflicts) = try Self.merge(policy) {
        $0.front = "ours"
        $0.sidesDate = Self.date(1)
      } _: {
        $0.back = "theirs"
        $0.sidesDate = Self.date(2)
      }
      #expect(card.front == front && card.back == back)
      #expect(card.sidesDate == Self.date(front == "ours" ? 1 : 2))
      #expect(conflicts.map(\.properties) == [["front", "back"]])
      #expect(conflicts.map(\.resolution) == [front == "ours" ? .tookOurs : .tookTheirs])
    }
  }

  // The date of the property counts, else that of the record; a missing date is never later.
  @Test func theNewestWins() {
    each([
      (1, 2, "theirs"), (2, 1, "ours"), (1, 1, "ours"), (nil, 1, "theirs"), (1, nil, "ours"), (nil, nil, "ours"),
    ]) { (ours: Double?, theirs: Double?, winner: String) throws in
      let (card, _) = try Self.merge(.newest) {
        $0.front = "ours"
        $0.sidesDate = ours.map(Self.date)
        $0.changed = Self.date(9)
      } _: {
        $0.front = "theirs"
        $0.sidesDate = theirs.map(Self.date)
      }
      #expect(card.front == winner)
      let (other, _) = try Self.merge(.newest) {
        $0.box = 1
        $0.changed = Self.date(ours ?? 0)
      } _: {
        $0.box = 2
        $0.changed = Self.date(theirs ?? 0)
      }
      #expect(other.box == (theirs ?? 0 > ours ?? 0 ? 2 : 1))
    }
  }

  @Test func elementsComeAndGoOnBothSides() throws {
    let (card, conflicts) = try Self.merge {
      $0.words = ["c", "b", "ours"]
      $0.wordsDate = Self.date(1)
    } _: {
      $0.words = ["a", "theirs", "c"]
      $0.wordsDate = Self.date(2)
    }
    #expect(card.words == ["c", "ours", "theirs"] && card.wordsDate == Self.date(2) && conflicts == [])
  }

  @Test func aFunctionDecides() throws {
    let policy = MergePolicy.resolve { conflict in
      guard let ours = conflict.ours as? Card, let theirs = conflict.theirs as? Card else { return .theirs }
      #expect((conflict.base as? Card)?.front == "f" && conflict.table == "cards")
      return conflict.properties == ["box"] ? (ours.box ?? 0 > theirs.box ?? 0 ? .ours : .theirs) : .theirs
    }
    let (card, conflicts) = try Self.merge(policy) {
      $0.box = 3
      $0.back = "ours"
    } _: {
      $0.box = 2
      $0.back = "theirs"
    }
    #expect(card.box == 3 && card.back == "theirs")
    #expect(conflicts.map(\.resolution) == [.tookOurs, .tookTheirs])
    // The function is also asked about a record that one side removed; no other policy drops it.
    for policy in [policy, .theirs, .newest] {
      let (base, changed) = (Card(id: 1), Card(id: 1, back: "ours"))
      let result = try Cards.merging(base: Cards([base]), ours: Cards([changed]), theirs: Cards(), policy: policy)
      if case .resolve = policy {
        #expect(result.value.cards.isEmpty && result.conflicts.map(\.resolution) == [.removed])
      } else {
        #expect(result.value.cards[1] == changed && result.conflicts.map(\.resolution) == [.keptOurChange])
      }
    }
  }

  // Both have added it: the later one is taken by any policy. Without dates each property is a conflict.
  @Test func aRecordThatBothAddedGoesByItsDate() throws {
    let (ours, theirs) = (Card(id: 1, front: "x", box: 1), Card(id: 1, back: "y", box: 2, changed: Self.date(1)))
    for policy in [MergePolicy.ours, .theirs, .newest, .fail] {
      let result = try Cards.merging(base: Cards(), ours: Cards([ours]), theirs: Cards([theirs]), policy: policy)
      #expect(result.value.cards[1] == theirs && result.conflicts == [])
    }
    var undated = theirs
    undated.changed = ours.changed
    for (policy, winner) in [(MergePolicy.ours, ours), (.theirs, undated), (.newest, ours), (.fail, ours)] {
      let result = try Cards.merging(base: Cards(), ours: Cards([ours]), theirs: Cards([undated]), policy: policy)
      #expect(result.value.cards[1] == winner)
      #expect(Set(result.conflicts.flatMap(\.properties)) == ["front", "back", "box"])
    }
  }

  /// Its parts must fit each other, and a merge cannot know that.
  struct Span: Record {
    let id: Int
    var from: Int
    var to: Int

    init(id: Int, from: Int, to: Int) { (self.id, self.from, self.to) = (id, from, to) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      from = try container.decode(Int.self, forKey: .from)
      to = try container.decode(Int.self, forKey: .to)
      if from > to { throw DecodingError.dataCorruptedError(forKey: .to, in: container, debugDescription: "backwards") }
    }
  }

  struct Spans: Model {
    var spans = Table<Span>()
    static let schema = Schema<Spans>("spans", version: 1, Field("spans", \.spans))
  }

  @Test func whatIsNoRecordIsNotMade() throws {
    var values = [Spans(), Spans(), Spans()]
    for (index, span) in [(1, 9), (8, 9), (1, 2)].enumerated() {
      try values[index].spans.insert(Span(id: 1, from: span.0, to: span.1))
    }
    let result = Spans.merging(base: values[0], ours: values[1], theirs: values[2])
    #expect(result.value.spans[1] == Span(id: 1, from: 8, to: 9))
    #expect(result.conflicts == [MergeConflict(table: "spans", id: "1", resolution: .tookOurs)])
  }

  // Every property against the rule for one, applied by hand. Nothing depends on the other records.
  @Test func manyRecords() {
    each(1...20 as ClosedRange<UInt64>) { (seed: UInt64) throws in
      struct Wide: Record {
        let id: Int
        var a = 0
        var b = 0
        var c: Int? = 0
      }
      struct Wides: Model {
        var wides = Table<Wide>()
        static var schema: Schema<Wides> { Schema("wides", version: 1, Field("wides", \.wides)) }
      }
      var random = SeededGenerator(seed: seed)
      var base = Wides()
      for id in 0..<50 { try base.wides.insert(Wide(id: id)) }
      func edited() throws -> Wides {
        var value = base
        for id in 0..<50 {
          try value.wides.update(id) { wide in
            if Bool.random(using: &random) { wide.a = Int.random(in: 0...2, using: &random) }
            if Bool.random(using: &random) { wide.b = Int.random(in: 0...2, using: &random) }
            if Bool.random(using: &random) { wide.c = [nil, 1, 2].randomElement(using: &random) ?? nil }
          }
        }
        return value
      }
      let (ours, theirs) = (try edited(), try edited())
      let isOurs = Bool.random(using: &random)
      let result = Wides.merging(base: base, ours: ours, theirs: theirs, policy: isOurs ? .ours : .theirs)
      var conflicts: [Int: [String]] = [:]
      func expected<T: Equatable>(_ id: Int, _ name: String, _ path: KeyPath<Wide, T>) throws -> T {
        let values = try [base, ours, theirs].map { try #require($0.wides[id])[keyPath: path] }
        if values[1] == values[0] || values[1] == values[2] { return values[2] }
        if values[2] == values[0] { return values[1] }
        conflicts[id, default: []].append(name)
        return values[isOurs ? 1 : 2]
      }
      for id in 0..<50 {
        let wide = try Wide(id: id, a: expected(id, "a", \.a), b: expected(id, "b", \.b), c: expected(id, "c", \.c))
        #expect(result.value.wides[id] == wide, "seed \(seed), record \(id)")
      }
      #expect(Dictionary(uniqueKeysWithValues: result.conflicts.map { (Int($0.id) ?? -1, $0.properties) }) == conflicts)
    }
  }

  @Test func aNoteKeepsBothSides() throws {
    var base = Notebook(sources: NotebookSources(now: { Self.date(0) }, nextNoteID: sequentialNoteIDs()))
    for name in ["a", "b", "ours", "theirs"] { _ = base.tag(named: name) }
    let id = try base.addNote(text: "old", tags: ["a", "b"]).id
    var (ours, theirs) = (base, base)
    ours.sources.now = { Self.date(10) }
    try ours.setText("ours", of: id)
    try ours.setTags(["a", "b", "ours"], of: id)
    theirs.sources.now = { Self.date(20) }
    try theirs.setArchived(true, of: id)
    try theirs.setTags(["a", "b", "theirs"], of: id)
    let result = Notebook.merging(base: base, ours: ours, theirs: theirs, policy: .fail)
    let note = try #require(result.value.notes[id])
    #expect(note.text == "ours" && note.archived && note.tags == ["a", "b", "ours", "theirs"])
    #expect(note.modificationDate == Self.date(20) && note.textModificationDate == Self.date(10))
    #expect(note.tagsModificationDate == Self.date(20))
    #expect(result.conflicts == [] && result.repaired == [] && result.value.allViolations() == [])
  }
}
