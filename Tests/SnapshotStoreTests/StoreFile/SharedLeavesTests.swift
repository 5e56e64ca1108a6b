import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Three tables of one type, so that one can be made from another without a copy of its leaves.
private struct Desk: Model {
  var drafts = Table<Counter>()
  var published = Table<Counter>()
  var archive = Table<Counter>()

  static let schema = Schema<Desk>(
    "desk", version: 1,
    Field("drafts", \.drafts),
    Field("published", \.published),
    Field("archive", \.archive))
}

/// A save takes leaves over from the old file. The same leaf has other bytes in another table: each line of NDJSON
/// names the table. Each table also has unknown keys of its own.
@Suite struct SharedLeavesTests {
  /// A file whose tables have records with the same ids and different unknown keys, and the library's view of it.
  private static func world(_ format: FileFormat, count: Int) throws -> (StoreUnderTest, UnknownContent) {
    func records(_ key: String, _ value: String) -> String {
      (0..<count).map { "{\"id\":\($0),\"value\":\($0)" + ($0 % 7 == 3 ? ",\"\(key)\":\(value)}" : "}") }
        .joined(separator: ",\n")
    }
    let json = """
      {"snapshot":{"schema":"desk","version":1},
      "drafts":[
      \(records("color", "\"red\""))
      ],
      "published":[
      \(records("rank", "5"))
      ],
      "archive":[],
      "later":[
      {"id":1}
      ]}

      """
    let document = try Document(Array(json.utf8), limits: ReadLimits())
    let decoded = try SnapshotCoder.decode(Desk.self, from: document, DecodingOptions(unknownKeys: .keep))
    let test = StoreUnderTest()
    test.bytes = try Self.full(decoded.root, format, decoded.unknown)
    return (test, decoded.unknown)
  }

  /// All bytes, newly encoded.
  private static func full(_ desk: Desk, _ format: FileFormat, _ unknown: UnknownContent) throws -> [UInt8]? {
    try SnapshotEncoding(of: desk, as: format, unknown: unknown, threads: 1).bytes.array()
  }

  private static func change(_ desk: inout Desk, _ generator: inout SeededGenerator) throws {
    let tables: [WritableKeyPath<Desk, Table<Counter>>] = [\.drafts, \.published, \.archive]
    let (one, other) = (tables.randomElement(using: &generator)!, tables.randomElement(using: &generator)!)
    let id = Int.random(in: -20...220, using: &generator)
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: desk[keyPath: one] = desk[keyPath: other]
    case 1: (desk[keyPath: one], desk[keyPath: other]) = (desk[keyPath: other], desk[keyPath: one])
    case 2: desk[keyPath: one] = Table()
    case 3: (desk[keyPath: one], desk[keyPath: other]) = (desk[keyPath: other], Table())
    case 4: desk[keyPath: one].remove(id..<id + 60)
    case 5: for id in id..<id + 40 { try desk[keyPath: one].upsert(Counter(id: id, value: 0)) }
    default: try desk[keyPath: one].upsert(Counter(id: id, value: Int.random(in: 0..<1_000, using: &generator)))
    }
  }

  @Test func everySaveHasTheBytesOfAFullOne() {
    each(FileFormat.allCases, SeededGenerator.seeds(3)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let (test, unknown) = try Self.world(format, count: 150)
      let store = try test.open(Desk.self, .manual)
      for step in 0..<Proofs.pick(full: 25, quick: 10) {
        try store.write { desk in
          for _ in 0..<Int.random(in: 1...3, using: &generator) { try Self.change(&desk, &generator) }
        }
        try store.flushAndWait()
        let desk = store.snapshot().value
        #expect(try test.bytes == Self.full(desk, format, unknown), "seed \(seed), step \(step)")
        let document = try Document(try #require(test.bytes), limits: ReadLimits())
        let again = try SnapshotCoder.decode(Desk.self, from: document, DecodingOptions(unknownKeys: .keep)).root
        #expect(again.isStoredLike(desk), "seed \(seed), step \(step)")
        #expect(desk.allViolations() == [])
      }
      try store.closeAndWait()
    }
  }

  @Test func aTableThatMovesIsSavedUnderItsNewName() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let test = StoreUnderTest()
      let store = try test.open(Desk.self, .manual, format: format)
      try store.write { desk in for id in 0..<200 { try desk.drafts.upsert(Counter(id: id, value: id)) } }
      try store.flushAndWait()
      try store.write { desk in (desk.published, desk.drafts) = (desk.drafts, Table()) }
      try store.flushAndWait()
      #expect(try test.stored(Desk.self).published.count == 200)
      #expect(try test.stored(Desk.self).drafts.isEmpty)
      try store.write { desk in desk.drafts = desk.published }
      try store.closeAndWait()
      #expect(try test.stored(Desk.self).drafts.count == 200)
      #expect(try test.stored(Desk.self).allViolations() == [])
    }
  }

  // The records of a copied table get the unknown keys of their present table, not of the original one.
  @Test func unknownKeysStayWithTheirTable() throws {
    let (test, _) = try Self.world(.json, count: 5)
    let store = try test.open(Desk.self, .manual)
    try store.write { try $0.archive.upsert(Counter(id: 1, value: 1)) }
    try store.flushAndWait()
    try store.write { $0.published = $0.drafts }
    try store.closeAndWait()
    let text = String(decoding: try #require(test.bytes), as: UTF8.self)
    let published = try #require(text.range(of: "\"published\""))
    #expect(text[published.lowerBound...].contains("{\"id\":3,\"value\":3,\"rank\":5}"))
    #expect(!text[published.lowerBound...].contains("red"))
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Bytes written under other circumstances are not reused: with other unknown content, or in another format.
  @Test func leavesAreForTheirFormatAndUnknownContent() throws {
    let (test, unknown) = try Self.world(.json, count: 20)
    let desk = try SnapshotCoder.decode(
      Desk.self, from: Document(try #require(test.bytes), limits: ReadLimits()), DecodingOptions(unknownKeys: .keep)
    ).root
    let first = try SnapshotEncoding(of: desk, as: .json, known: EncodedLeaves(), unknown: unknown, threads: 1)
    func reuses(_ format: FileFormat, _ unknown: UnknownContent) throws -> Bool {
      let next = try SnapshotEncoding(of: desk, as: format, known: first.leaves, unknown: unknown, threads: 1)
      #expect(try next.checksum == SnapshotEncoding(of: desk, as: format, unknown: unknown, threads: 1).checksum)
      return next.bytes.hasOldPieces
    }
    #expect(try reuses(.json, unknown))
    #expect(try !reuses(.json, UnknownContent()))
    #expect(try !reuses(.ndjson, unknown))
  }

  /// The check of debug builds works: it finds a leaf that is taken for another.
  @Test func aLeafThatIsTakenForAnotherTraps() async {
    #if DEBUG
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        var desk = Desk()
        try desk.drafts.insert(Counter(id: 1, value: 1))
        try desk.published.insert(Counter(id: 2, value: 2))
        let first = try SnapshotEncoding(of: desk, as: .json, known: EncodedLeaves(), threads: 1)
        var nodes: [ObjectIdentifier] = []
        for table in [desk.drafts, desk.published] {
          table.forEachLeaf { leaf, _ in nodes.append(ObjectIdentifier(leaf)) }
        }
        var wrong = first.leaves
        wrong.add(try #require(first.leaves.leaves(of: "published")[nodes[1]]), nodes[0], of: "drafts")
        _ = try SnapshotEncoding(of: desk, as: .json, known: wrong, threads: 1)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("the bytes differ from a full save"))
    #endif
  }
}
