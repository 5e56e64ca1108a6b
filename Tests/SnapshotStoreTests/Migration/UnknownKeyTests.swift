import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Keys and tables that the schema does not know stay with their records, and are written again.
struct UnknownKeyTests {
  /// Two records with more keys than a counter has, an unknown table, and an empty one.
  private static let json = """
    {"snapshot":{"schema":"counters","version":1},
    "left":[
    {"id":1,"value":1,"color":"red","alpha":[1,{"x":null}]},
    {"id":2,"value":2},
    {"id":3,"value":3,"color":1.5}
    ],
    "zebra":[
    {"b":1,"a":2},
    7
    ],
    "middle":[],
    "right":[]}

    """

  private static let saved = """
    "left":[
    {"id":1,"value":1,"alpha":[1,{"x":null}],"color":"red"},
    {"id":2,"value":9},
    {"id":3,"value":3,"color":1.5}
    ],
    "right":[],
    "middle":[],
    "zebra":[
    {"b":1,"a":2},
    7
    ]}

    """

  private static func world(_ text: String = json) -> StoreUnderTest {
    let test = StoreUnderTest()
    test.bytes = Array(text.utf8)
    return test
  }

  private static func body(_ test: StoreUnderTest) throws -> String {
    let text = String(decoding: try #require(test.bytes), as: UTF8.self)
    return text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).dropFirst(2).joined()
  }

  @Test func theyAreKeptThroughSaves() throws {
    let test = Self.world()
    let store = try test.open(Counters.self, .manual)
    #expect(
      store.openReport?.unknownKeys.map(\.description) == [
        "left.alpha, in 1 record", "left.color, in 2 records", "the table middle, with 0 records",
        "the table zebra, with 2 records",
      ])
    try store.write { try $0.set(2, to: 9) }
    try store.flushAndWait()
    #expect(try Self.body(test) == Self.saved)
    // Bytes that are in the file already are copied from it, and are the same.
    try store.write { try $0.right.upsert(Counter(id: 1, value: 1)) }
    try store.flushAndWait()
    try store.write { $0.right.remove(1) }
    try store.closeAndWait()
    #expect(try Self.body(test) == Self.saved)
    #expect(try SnapshotSummary(of: try #require(test.bytes)).checksum == .ok)
    let again = try test.open(Counters.self, .manual)
    #expect(again.openReport?.unknownKeys.count == 4)
    try again.closeAndWait()
  }

  @Test func theyGoAndComeBackWithTheirRecord() throws {
    let test = Self.world()
    let store = try test.open(Counters.self, .manual)
    let before = store.snapshot().value
    try store.write { $0.left.remove(1) }
    try store.flushAndWait()
    #expect(try !Self.body(test).contains("red"))
    // An undo.
    try store.write { $0.left = before.left }
    try store.flushAndWait()
    #expect(try Self.body(test) == Self.saved.replacing("\"value\":9", with: "\"value\":2"))
    try store.write { $0.left.remove(1) }
    try store.closeAndWait()
    let again = try test.open(Counters.self, .manual)
    try again.write { try $0.set(1, to: 5) }
    try again.closeAndWait()
    #expect(try Self.body(test).contains("{\"id\":1,\"value\":5},\n"))
  }

  // Many records, several leaves and parts, in every format: records with unknown keys are written beside others.
  @Test func everyFormatKeepsThem() {
    each(SeededGenerator.seeds(4), Proofs.share(of: FileFormat.allCases, oneIn: 2)) {
      (seed: UInt64, format: FileFormat) throws in
      var random = SeededGenerator(seed: seed)
      var wide = WideSamples()
      for id in 0..<Int.random(in: 0...400, using: &random) {
        let color = Int.random(in: 0...3, using: &random) == 0 ? "c\(id)" : nil
        try wide.samples.insert(WideSample(Sample(id: Int64(id)), color: color))
        if color != nil { try wide.extra.insert(Counter(id: id, value: id)) }
      }
      var expected = wide
      let test = StoreUnderTest()
      test.bytes = try SnapshotFile.encode(wide, as: format)
      for round in 0..<4 {
        let store = try test.open(NarrowSamples.self, .manual)
        for _ in 0..<round {
          let id = Int64.random(in: 0..<400, using: &random)
          guard let old = expected.samples[id] else { continue }
          if Bool.random(using: &random) {
            expected.samples.remove(id)
            try store.write { $0.samples.remove(id) }
          } else {
            var new = old
            new.sample.text += "!"
            try expected.samples.upsert(new)
            try store.write { try $0.samples.update(id) { $0.text += "!" } }
          }
          try store.flushAndWait()
        }
        try store.closeAndWait()
        let back = try SnapshotFile.decode(WideSamples.self, from: try #require(test.bytes))
        #expect(back.hasSameRecords(as: expected), "seed \(seed)")
        #expect(try SnapshotSummary(of: try #require(test.bytes)).checksum == .ok)
      }
    }
  }

  @Test func readingAloneRefusesOrLeavesOut() throws {
    let bytes = Array(Self.json.utf8)
    let error = #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Counters.self, from: bytes) }
    #expect(error?.code == .unknownKey)
    let value = try SnapshotFile.decode(Counters.self, from: bytes, options: ReadOptions(leavesOutUnknownKeys: true))
    #expect(value.left.map(\.value) == [1, 2, 3])
  }

  // MARK: Combined with the rest of the library

  @Test func othersWhoChangeTheFileDecideAboutThem() async throws {
    for policy in [ExternalChange.Policy.reload, .merge, .keepOurs] {
      let test = Self.world()
      var options = StoreOptions(policy: .manual)
      options.externalChanges = policy
      let store = try test.open(Counters.self, options)
      if policy == .merge { try store.write { try $0.set(2, to: 9) } }
      test.bytes = Array(Self.json.replacing("red", with: "green").utf8)
      _ = await store.checkFile()
      try store.write { try $0.set(2, to: 9) }
      try store.write { try $0.right.upsert(Counter(id: 1, value: 1)) }
      try store.closeAndWait()
      #expect(try Self.body(test).contains(policy == .keepOurs ? "red" : "green"))
      #expect(try Self.body(test).contains("zebra"))
    }
  }

  @Test func aGenerationBringsThemBack() throws {
    let test = Self.world()
    var options = StoreOptions(policy: .manual)
    options.recovery = .salvage
    options.generations = Generation.Policy(count: 3, interval: .zero)
    let store = try test.open(Counters.self, options)
    try store.write { try $0.set(2, to: 9) }
    try store.closeAndWait()
    test.bytes = Array("{".utf8)
    let recovered = try test.open(Counters.self, options)
    #expect(recovered.openReport?.unknownKeys.count == 4)
    try recovered.closeAndWait()
    #expect(try Self.body(test) == Self.saved.replacing("\"value\":9", with: "\"value\":2"))
    let generation = try #require(try test.generations.first)
    #expect(
      try SnapshotFile.restore(
        generation, as: Counters.self, at: test.path, limits: ReadLimits(), on: test.fileSystem,
        date: test.scheduler.date) == nil)
    #expect(test.bytes == Array(Self.json.utf8))
  }

  @Test func salvageKeepsThem() throws {
    let test = Self.world(Self.json.replacing("{\"id\":2,\"value\":2}", with: "{\"id\":2;\"value\":2}"))
    var options = StoreOptions(policy: .manual)
    options.recovery = .salvage
    let store = try test.open(Counters.self, options)
    #expect(store.openReport?.source == .salvage)
    try store.closeAndWait()
    #expect(try Self.body(test).contains("{\"id\":1,\"value\":1,\"alpha\":[1,{\"x\":null}],\"color\":\"red\"}"))
  }
}

// MARK: - One file, two programs

/// The properties that the newer program knows of a record.
struct WideSample: Record {
  var sample: Sample
  var color: String?

  var id: Int64 { sample.id }

  private enum Key: CodingKey { case color }

  init(_ sample: Sample, color: String?) {
    self.sample = sample
    self.color = color
  }

  init(from decoder: any Decoder) throws {
    sample = try Sample(from: decoder)
    color = try decoder.container(keyedBy: Key.self).decodeIfPresent(String.self, forKey: .color)
  }

  func encode(to encoder: any Encoder) throws {
    try sample.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(color, forKey: .color)
  }
}

/// The newer program.
struct WideSamples: Model {
  var samples = Table<WideSample>()
  var extra = Table<Counter>()
  static let schema = Schema<WideSamples>(
    "samples", version: 1,
    Field("samples", \.samples),
    Field("extra", \.extra))
}

/// The older one, with direct coding.
struct NarrowSamples: Model {
  var samples = Table<Sample>()
  static let schema = Schema<NarrowSamples>("samples", version: 1, Field("samples", \.samples))
}
