import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// `Codable` records of all kinds that are read from the bytes of JSON give what the tree of items gives.
@Suite struct TapeReadingTests {
  /// Records as they are written are read from the bytes, so that the other tests test that way.
  @Test func ordinaryRecordsAreReadFromTheBytes() throws {
    let document = try Document(
      try SnapshotFile.encode(try OddItems(OddRecord.random(20, seed: 1)), as: .json), limits: ReadLimits())
    var counter = TapeCounter<OddRecord>(document)
    try document.reader.readTables(&counter)
    #expect(counter.count == 20)
  }

  @Test func damagedRecords() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let bytes = try SnapshotFile.encode(try OddItems(OddRecord.random(3, seed: seed)), as: .json)
      var sound = 0
      for number in 0..<Proofs.pick(full: 400, quick: 160) {
        if try expectSame(mutated(bytes, &generator), "seed \(seed), mutation \(number)") { sound += 1 }
      }
      #expect(sound > 0)
    }
  }

  @Test func oddForms() throws {
    let bytes = try SnapshotFile.encode(try OddItems(OddRecord.random(2, seed: 9)), as: .json)
    let text = String(decoding: bytes, as: UTF8.self)
    let changes = [
      (#""id":"#, #""x":{"y":1},"id":"#), (#""id":"#, #""counts":{},"id":"#), (#""id":"#, #""id":1,"id":"#),
      (#""scores":{"#, #""scores":{"01":0.5,"1":0.5,"#), (#""scores":{"#, #""scores":{"1":1e999,"#),
      (#""counts":{"#, #""counts":{"é":1,"é":2,"#), (#""set":["#, #""set":[7,7,"#), (#""set":["#, #""set":[7,7.0,"#),
      (#""twice":{"#, #""twice":{"c":1,"#),
      (#""shape":{"#, #""shape":{ "#),
      (#""text":""#, #""text":"\ud83d\ude00\u0041\/"#), (#""text":""#, #""text":"\ud83d"#),
      (#""text":""#, #""text":"\q"#),
      (#""ignored":null"#, #""ignored":"\q""#), (#""ignored":null"#, #""ignored":1e999"#),
      (#""ignored":null"#, #""ignored":[1,{"a":2}]"#), (#""ignored":null"#, #""ignored":[1,]"#),
      (#""ignored":null"#, #""ignored":01"#), (#""ignored":null"#, #""ignored":"a""#), (#","ignored":null"#, ""),
      (#""decimal":""#, #""decimal":"x"#), (#""url":"https"#, #""url":" https"#), (#""data":""#, #""data":"="#),
    ]
    for (old, new) in changes {
      try #require(text.contains(old), "\(old)")
      try expectSame(Array(text.replacing(old, with: new).utf8), new)
      try expectSame(Array(text.replacing(old, with: new, maxReplacements: 1).utf8), new)
    }
  }

  /// A value without properties reads nothing, so its record is read through items.
  @Test func aValueWithoutProperties() throws {
    var odd = OddRecord.random(2, seed: 4)
    odd[0].empty = OddEmpty()
    let text = String(decoding: try SnapshotFile.encode(try OddItems(odd), as: .json), as: UTF8.self)
    try expectSame(Array(text.utf8), "as written")
    for content in [#"{"c":1}"#, "1", "null"] {
      try expectSame(Array(text.replacing(#""empty":{}"#, with: #""empty":"# + content).utf8), content)
    }
  }

  @discardableResult
  private func expectSame(
    _ bytes: [UInt8], _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Bool {
    var limits = ReadLimits()
    let tape = outcome(bytes, limits)
    limits.readsItemsOnly = true
    let items = outcome(bytes, limits)
    #expect(tape == items, "\(what)", sourceLocation: sourceLocation)
    return items.first != "error"
  }

  private func outcome(_ bytes: [UInt8], _ limits: ReadLimits) -> [String] {
    do {
      let root = try SnapshotFile.decode(
        OddItems.self, from: bytes, options: ReadOptions(limits: limits, acceptsChecksumMismatch: true, threads: 1))
      return [String(decoding: try SnapshotFile.encode(root, as: .json), as: UTF8.self)]
    } catch {
      return ["error", "\(error)"]
    }
  }

  private func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    let start = bytes.firstIndex(of: UInt8(ascii: "[")) ?? 0
    for _ in 0..<generator.pick([1, 1, 2]) {
      let index = Int.random(in: start..<bytes.count, using: &generator)
      let piece = generator.pick([
        "\"", "{", "}", "[", "]", ",", ":", "0", "1", ".", "e", "-", "null", "true", "\\", " ", "a",
      ])
      switch generator.pick([0, 1, 2]) {
      case 0: bytes.replaceSubrange(index..<index + 1, with: piece.utf8)
      case 1: bytes.insert(contentsOf: piece.utf8, at: index)
      default: bytes.remove(at: index)
      }
    }
    return bytes
  }
}

private struct TapeCounter<Value: Record>: DocumentVisitor {
  let document: Document
  var count = 0

  init(_ document: Document) { self.document = document }

  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    var reading = TapeReading<Value>(document.source, document.limits)
    var boxes: [Table<Value>.Box] = []
    reading.read(&records, into: &boxes, most: .max)
    count += boxes.count
    while try records.next() != nil {}
  }

  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError) { _ = try read() }
}
