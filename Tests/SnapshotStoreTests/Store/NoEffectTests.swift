import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Transactions that have no effect make no revision, no save and no change set.
@Suite(.timeLimit(.minutes(30)))
struct NoEffectTests {
  /// What a program may do without a change.
  static let deeds: [@Sendable (inout Counters) throws -> Void] = [
    { _ in },
    { try $0.left.upsert(Counter(id: 7, value: 7)) },
    { try $0.left.update(7) { $0.value = 7 } },
    { counters in
      try counters.left.insert(Counter(id: 1_000, value: 1))
      counters.left.remove(1_000)
    },
    { counters in
      for id in counters.left.map(\.id) { try counters.left.upsert(Counter(id: id, value: id)) }
    },
    { counters in
      let all = Array(counters.left)
      counters.left.removeAll()
      try counters.left.upsert(contentsOf: all)
    },
    { counters in
      try counters.left.update(3) { $0.value = 99 }
      try counters.left.update(3) { $0.value = 3 }
    },
  ]

  // 600 records are several leaves, and an insertion divides one.
  @Test(arguments: deeds.indices) func nothingIsChanged(deed: Int) async throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .manual)
    try store.write { counters in for id in 0..<600 { try counters.set(id, to: id) } }
    try store.flushAndWait()
    let stream = store.changes
    try store.write(Self.deeds[deed])
    #expect(store.revision == 1 && store.durableRevision == 1)
    try store.write { try $0.set(1, to: 2) }
    #expect(store.revision == 2)
    try store.closeAndWait()
    #expect(await StoreChangesTests.collect(stream).map(\.revision) == [2])
    #expect(try test.stored(Counters.self).allViolations() == [])
  }

  // The first record that is another object is equal, and a later one is not.
  @Test(arguments: [0, 5, 320, 599]) func oneOfManyIsChanged(id: Int) throws {
    let store = Store(Counters())
    try store.write { counters in for id in 0..<600 { try counters.set(id, to: id) } }
    try store.write { counters in
      for other in 0..<600 { try counters.left.upsert(Counter(id: other, value: other == id ? -1 : other)) }
    }
    #expect(store.revision == 2 && store.read { $0.left[id]?.value } == -1)
    try store.write { try $0.left.upsert(Counter(id: id, value: -1)) }
    try store.write { $0.left.remove(id) }
    #expect(store.revision == 3 && store.read { $0.left.count } == 599)
  }

  /// A record whose `==` sees less than what is written.
  struct Word: Record {
    let id: Int
    var text: String
    static func == (a: Word, b: Word) -> Bool { a.id == b.id }
  }

  struct Words: Model {
    var words = Table<Word>()
    static let schema = Schema("words", version: 1, Field("words", \Words.words))
  }

  // What is written counts, and so does `==`: a save must not lose what it does not see.
  @Test func whatIsWrittenDifferentlyIsAChange() throws {
    let test = StoreUnderTest()
    let store = try test.open(Words.self, .manual)
    for (revision, text) in ["caf\u{e9}", "cafe\u{301}", "b"].enumerated() {
      try store.write { try $0.words.upsert(Word(id: 1, text: text)) }
      try store.write { try $0.words.upsert(Word(id: 1, text: text)) }
      #expect(store.revision == revision + 1)
      try store.flushAndWait()
      let stored = try #require(try test.stored(Words.self).words[1]?.text)
      #expect(Array(stored.unicodeScalars) == Array(text.unicodeScalars))
    }
  }

  @Test(arguments: SeededGenerator.seeds(20)) func aTransactionIsAChangeIfItsResultIs(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = Store(Counters())
    for _ in 0..<60 {
      let before = store.snapshot()
      try store.write { counters in
        for _ in 0..<Int.random(in: 0...40, using: &random) {
          let id = Int.random(in: 0..<200, using: &random)
          if Int.random(in: 0..<3, using: &random) == 0 {
            counters.left.remove(id)
          } else {
            try counters.set(id, to: Int.random(in: 0..<2, using: &random))
          }
        }
        if Bool.random(using: &random) {
          for record in counters.left where before.value.left[record.id] != record { counters.left.remove(record.id) }
          for record in before.value.left { try counters.left.upsert(record) }
        }
      }
      let after = store.snapshot()
      let isSame = before.value.left.elementsEqual(after.value.left)
      #expect((after.revision == before.revision) == isSame, "seed \(seed)")
    }
  }
}
