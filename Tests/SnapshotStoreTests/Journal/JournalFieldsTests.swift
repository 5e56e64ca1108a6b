import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Every field of a model is compared, wherever it is stored.
struct JournalFieldsTests {
  /// Tables and values in the model itself, in a struct in it, in a part, and computed ones.
  struct Places: Model {
    struct Inner: Sendable {
      var deep = Table<Counter>()
      var marked = false
    }

    var plain = Table<Counter>()
    var inner = Inner()
    var part = Counters()
    var samples = Table<Sample>()
    var theme = ""
    private var hidden: Table<Counter>?
    private var seconds = 0

    var optional: Table<Counter> {
      get { hidden ?? Table() }
      set { hidden = newValue.isEmpty ? nil : newValue }
    }

    var minutes: Int {
      get { seconds / 60 }
      set { seconds = newValue * 60 }
    }

    static let schema = Schema<Places>(
      "places", version: 1,
      Field("plain", \.plain),
      Field("deep", \.inner.deep),
      Field("optional", \.optional),
      Field(part: \.part, prefix: "part."),
      Field("samples", \.samples),
      Field("theme", \.theme),
      Field("marked", \.inner.marked),
      Field("minutes", \.minutes))
  }

  private typealias Change = @Sendable (inout Places, Int) throws -> Void

  private static let changes: [(name: String, change: Change)] = [
    ("plain", { try $0.plain.upsert(Counter(id: 1, value: $1)) }),
    ("deep", { try $0.inner.deep.upsert(Counter(id: 1, value: $1)) }),
    ("optional", { try $0.optional.upsert(Counter(id: 1, value: $1)) }),
    ("part.right", { try $0.part.right.upsert(Counter(id: 1, value: $1)) }),
    (
      "samples",
      {
        var random = SeededGenerator(seed: UInt64($1))
        try $0.samples.upsert(Sample(id: 1, isTame: true, &random))
      }
    ),
    ("theme", { $0.theme = "\($1)" }),
    ("marked", { $0.inner.marked = $1 == 1 }),
    ("minutes", { $0.minutes = $1 }),
  ]

  @Test func eachFieldIsWrittenAlone() throws {
    for (name, change) in Self.changes {
      var book = try JournalUnderTest(Places())
      // Often, because later lines are written in another way than the first ones.
      for number in 1...6 {
        #expect(try book.change { try change(&$0, number) } == (name != "marked" || number < 3))
        guard name != "marked" || number < 3 else { continue }
        let line = try #require(book.lines.last)
        for (other, _) in Self.changes {
          #expect(line.contains("\"\(other)\":") == (other == name), "\(other) in \(line)")
        }
      }
      try book.expectReplays()
    }
  }

  /// The tables are other objects in memory, with records that are written the same.
  @Test func whatChangedAndChangedBackIsNoLine() throws {
    var book = try JournalUnderTest(Places())
    for (_, change) in Self.changes { try book.change { try change(&$0, 1) } }
    for (name, change) in Self.changes {
      let lines = book.lines.count
      #expect(
        try !book.change {
          try change(&$0, 2)
          try change(&$0, 1)
        }, "\(name)")
      #expect(book.lines.count == lines)
    }
    // Beside another change too.
    try book.change { places in
      for (_, change) in Self.changes {
        try change(&places, 2)
        try change(&places, 1)
      }
      places.theme = "dark"
    }
    #expect(try #require(book.lines.last).contains("\"set\":{\"theme\":\"dark\"}"))
    #expect(try !#require(book.lines.last).contains("put"))
    try book.expectReplays()
  }

  /// Removed, replaced and inserted records, with the first of which the way of writing is proven.
  @Test func linesOfDirectRecordsAreThoseOfOthers() {
    each(SeededGenerator.seeds(6)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var book = try JournalUnderTest(SampleModel(30, isTame: false, &random))
      for _ in 0..<20 {
        let (before, end) = (book.value, book.end)
        try book.change { model in
          for _ in 0..<random.pick([1, 1, 1, 5]) {
            let id = Int64.random(in: 0..<40, using: &random)
            if random.chance(3) { model.items.remove(id) }
            if random.chance(2) { try model.items.upsert(Sample(id: id, isTame: random.chance(2), &random)) }
          }
        }
        // A writer that has learned nothing yet.
        var new = JournalWriter()
        let line = try new.changes(
          from: before, to: book.value, unknown: UnknownContent(), after: end, date: JournalUnderTest<SampleModel>.date,
          limit: .max)
        #expect(line.map { book.bytes.suffix($0.bytes.count).elementsEqual($0.bytes) } ?? (book.end == end))
      }
      try book.expectReplays()
    }
  }
}
