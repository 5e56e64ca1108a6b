import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Random changes come back from the journal bit by bit, with types and without.
@Suite struct JournalRoundTripTests {
  /// Indexes of every kind. Unique keys are exchanged within a line and across lines.
  @Test func tablesWithIndexes() {
    each(SeededGenerator.seeds(12)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var directory = Directory()
      directory.people.changeAtRandom(random.pick([0, 5, 300]), hasNaN: false, using: &random)
      var book = try JournalUnderTest(directory)
      for _ in 0..<10 {
        try book.change { directory in
          directory.people.changeAtRandom(random.pick([0, 1, 60]), hasNaN: false, using: &random)
          directory.people.exchangeEmails(using: &random)
          let word = random.pick(["a", "é", "e\u{301}", "\u{2028}", "NaN", "2001-01-01T00:00:00Z", "data:;base64,"])
          if random.chance(3) { directory.words.remove(word) }
          if random.chance(2) { try directory.words.upsert(Word(id: word, count: random.integer())) }
          if random.chance(3) { directory.readings.removeAll() }
          let id = random.pick([0, -0.0, 1, 0.1, .infinity])
          try directory.readings.upsert(Reading(id: id, value: random.integer()))
        }
      }
      try book.expectReplays()
    }
  }

  /// Ids under other keys or under none, and single values of every kind.
  @Test func oddModels() {
    each(SeededGenerator.seeds(12)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var book = try JournalUnderTest(
        random.chance(2) ? OddModel() : OddModel.sample(), format: random.pick(FileFormat.allCases))
      for _ in 0..<8 { try book.change { try $0.changeAtRandom(using: &random) } }
      try book.expectReplays()
    }
  }

  /// Records with every shape that `Codable` allows.
  @Test func awkwardRecords() {
    each(SeededGenerator.seeds(8)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var book = try JournalUnderTest(Shelf(random: &random, count: 5), format: random.pick(FileFormat.allCases))
      for _ in 0..<4 {
        try book.change { shelf in
          if let id = shelf.items.ids.randomElement(using: &random) { shelf.items.remove(id) }
          for id in [random.integer(), shelf.items.first?.id ?? 1] {
            try shelf.items.upsert(Awkward(id: id, random: &random))
          }
        }
      }
      try book.expectReplays()
    }
  }

  /// Records that read and write themselves, in short and in long lines.
  @Test func directRecords() {
    each(SeededGenerator.seeds(8)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var book = try JournalUnderTest(SampleModel(random.pick([0, 1, 200]), isTame: false, &random))
      for _ in 0..<6 {
        try book.change { model in
          for _ in 0..<random.pick([1, 2, 100]) {
            let id = Int64.random(in: 0..<300, using: &random)
            if random.chance(4) { model.items.remove(id) }
            try model.items.upsert(Sample(id: id, isTame: random.chance(2), &random))
          }
          if random.chance(2) { model.others.removeAll() }
        }
      }
      try book.expectReplays()
    }
  }

  /// Each line gives the value of its time.
  @Test func everyPrefixIsAValue() throws {
    var random = SeededGenerator(seed: 3)
    var book = try JournalUnderTest(OddModel.sample())
    for _ in 0..<6 { try book.change { try $0.changeAtRandom(using: &random) } }
    let journal = try Journal(book.bytes, limits: ReadLimits())
    for (count, value) in zip(1..., book.history) {
      let content = try journal.replay(
        journal.lines.prefix(count), onto: book.content(), JournalUnderTest<OddModel>.options, idKeys: [:],
        limits: ReadLimits())
      #expect(try SnapshotFile.encode(content, as: .json) == SnapshotFile.encode(value, as: .json))
    }
  }

  /// Unknown keys of records and single values, unknown tables and values, through several programs.
  @Test func unknownContent() throws {
    let text = #"""
      {"snapshot":{"schema":"directory","version":1,"values":["list"]},
      "words":[{"id":"a","width":1,"count":1,"color":"red"},{"id":"b","count":2,"size":{"x":[1.5]}}],
      "people":[],"readings":[],"more":[{"id":7}],"list":[1,2],"theme":{"dark":true}}
      """#
    let content: SnapshotContent<Directory> = try SnapshotFile.decodeContent(from: Array(text.utf8))
    var book = try JournalUnderTest(content)
    try book.change { try $0.words.update("a") { $0.count = 10 } }
    try book.change { try $0.words.insert(Word(id: "c")) }
    try book.change { $0.words.remove("b") }
    #expect(book.lines[1].contains(#""put":{"words":[{"id":"a","count":10,"color":"red","width":1}]}"#))
    try book.expectReplays()
    // A record that comes back has its keys again.
    try book.change { try $0.words.insert(Word(id: "b", count: 3)) }
    #expect(book.lines[4].contains(#"{"id":"b","count":3,"size":{"x":[1.5]}}"#))
    try book.expectReplays()
    try book.change { $0.words.remove("a") }
    #expect(try book.replayed().unknownKeys.map(\.description).contains("words.size, in 1 record"))
    #expect(try !book.replayed().unknownKeys.map(\.description).contains("words.color, in 1 record"))
  }

  /// A program that knows fewer tables keeps what a journal says of the others.
  @Test func tablesThatAreNotKnown() throws {
    struct Less: Model {
      var tokens = Table<Token>()
      static let schema = Schema<Less>("odd", version: 3, Field("tokens", \.tokens))
    }
    var random = SeededGenerator(seed: 5)
    var book = try JournalUnderTest(OddModel.sample())
    for _ in 0..<6 { try book.change { try $0.changeAtRandom(using: &random) } }
    let content: SnapshotContent<Less> = try SnapshotFile.decodeContent(from: book.file)
    let replayed = try JournalUnderTest<Less>.replay(book.bytes, onto: content)
    let again: OddModel = try SnapshotFile.decode(from: try SnapshotFile.encode(replayed, as: .xml))
    #expect(try SnapshotFile.encode(again, as: .json) == SnapshotFile.encode(book.value, as: .json))
    let journal = try Journal(book.bytes, limits: ReadLimits())
    let refused = expectRefusal(.unknownKey) {
      _ = try journal.replay(
        journal.lines[...], onto: content, DecodingOptions(unknownKeys: .refuse), idKeys: [:], limits: ReadLimits())
    }
    #expect(refused?.position?.line != nil)
  }
}

extension Table<Person> {
  /// Exchanges the unique keys of two records.
  fileprivate mutating func exchangeEmails(using random: inout SeededGenerator) {
    guard count > 1, random.chance(2), var one = shuffled(using: &random).first,
      var other = shuffled(using: &random).first, one.id != other.id
    else { return }
    (one.email, other.email) = (other.email, one.email)
    remove([one.id, other.id])
    _ = try? upsert(one)
    _ = try? upsert(other)
  }
}

extension OddModel {
  /// Changes some tables and values.
  mutating func changeAtRandom(using random: inout SeededGenerator) throws {
    for _ in 0..<random.pick([1, 1, 4]) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        var gadget = Gadget(Int.random(in: -3...9, using: &random))
        gadget.name = random.text()
        gadget.weight = random.double()
        gadget.made = random.date()
        gadget.picture = random.data()
        gadget.state = .broken([random.text(): .on(level: random.integer(), since: random.date())])
        try gadgets.upsert(gadget)
      case 1: if let id = gadgets.ids.randomElement(using: &random) { gadgets.remove(id) }
      case 2:
        let place = Spot.Place(x: Int.random(in: 1...3, using: &random), y: 1)
        try spots.upsert(Spot(id: place, label: random.text()))
      case 3: spots.removeAll()
      case 4: try tokens.upsert(Token(id: random.uuid(), owner: random.text()))
      case 5:
        let key = (owner: random.pick(["Ada", "Bo"]), number: Int.random(in: 1...3, using: &random))
        try steps.upsert(Step(owner: key.owner, number: key.number, text: random.text()))
      case 6: if let id = steps.ids.randomElement(using: &random) { steps.remove(id) }
      case 7: try legacy.upsert(Legacy(id: random.text(), old: random.integer()))
      case 8: recent = random.list { $0.text() }
      default:
        ratio = random.double()
        mode = random.pick([.off, .on(level: 1, since: random.date())])
      }
    }
  }
}
