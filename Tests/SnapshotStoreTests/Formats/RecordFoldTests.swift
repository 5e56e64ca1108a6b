import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Folds over the records of files without types. They read what `decodeContent` reads, and refuse what it refuses.
@Suite struct RecordFoldTests {
  /// The ids of the records, and those that are chosen.
  private struct IDs: RecordFold {
    var choose: @Sendable (Int64) -> Bool = { _ in true }
    var ids: [Int64] = []

    mutating func add(_ record: UntypedValue) -> Bool {
      let id = record.record?["id"]?.integer ?? -1
      ids.append(id)
      return choose(id)
    }

    mutating func append(_ next: IDs) { ids += next.ids }
  }

  /// The sizes of parts, and the numbers of threads.
  private static let divisions: [(partSize: Int, threads: Int)] = [(1 << 19, 1), (1 << 19, 4), (300, 4), (40, 3)]

  private static func options(_ division: (partSize: Int, threads: Int)) -> ReadOptions {
    var options = ReadOptions(threads: division.threads)
    options.limits.partSize = division.partSize
    return options
  }

  private static func file(_ format: FileFormat, _ count: Int) throws -> [UInt8] {
    var content = SnapshotContent<UntypedModel>(schema: "shop", version: 7)
    let people = (0..<count).map { index in
      UntypedValue(
        ["id": UntypedValue(index), "name": UntypedValue("A longer name \(index)"), "tags": ["a", "{"]]
          as UntypedRecord)
    }
    content[value: "theme"] = UntypedValue(["accent": "red"] as UntypedRecord)
    content[table: "people"] = UntypedTable(name: "people", items: people.map { $0.item })
    content[value: "recent"] = [1, 2]
    content[table: "empty"] = UntypedTable(name: "empty")
    return try SnapshotFile.encode(content, as: format)
  }

  @Test func allRecordsComeInTheirOrder() {
    each(FileFormat.allCases, Self.divisions) { format, division throws in
      let bytes = try Self.file(format, 200)
      let all = try SnapshotFile.decodeRecords(from: bytes, options: Self.options(division)) { _ in IDs() }
      #expect(try SnapshotFile.encode(all.content, as: format) == bytes)
      #expect(all.folds.map(\.table) == ["people", "empty"])
      #expect(all.folds[0].fold.ids == (0..<200).map { Int64($0) })
      let some = try SnapshotFile.decodeRecords(from: bytes, options: Self.options(division)) {
        $0 == "people" ? IDs(choose: { $0 % 50 == 0 }) : nil
      }
      #expect(some.folds.map(\.table) == ["people"] && some.folds[0].fold.ids.count == 200)
      #expect(some.content[table: "people"]?.values.map { $0.record?["id"]?.integer } == [0, 50, 100, 150])
      #expect(some.content.names == all.content.names)
      #expect(some.content[value: "recent"]?.array?.count == 2)
    }
  }

  /// In newline-delimited JSON a table may continue after another one.
  @Test func aTableThatContinues() throws {
    let lines = (0..<20).map { #"{"table":"\#($0 % 3 == 0 ? "a" : "b")","record":{"id":\#($0)}}"# + "\n" }.joined()
    let bytes = Array((#"{"snapshot":{"schema":"x","version":1}}"# + "\n" + lines).utf8)
    let found = try SnapshotFile.decodeRecords(from: bytes) { _ in IDs() }
    #expect(found.folds.map(\.table) == ["a", "b"])
    #expect(found.folds[0].fold.ids == (0..<20).filter { $0 % 3 == 0 })
    #expect(found.content[table: "b"]?.count == 13)
  }

  /// One byte is changed or the end is cut off. The error is the same, with its place, however the file is divided.
  @Test func damageIsFoundAsByADecodingOfTheWhole() {
    each(FileFormat.allCases, SeededGenerator.seeds(Proofs.pick(full: 80, quick: 30))) { format, seed throws in
      var generator = SeededGenerator(seed: seed)
      var bytes = try Self.file(format, 60)
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      if Bool.random(using: &generator) {
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      } else {
        bytes.removeLast(place)
      }
      var options = ReadOptions(acceptsChecksumMismatch: true, threads: 1)
      let expected = Result { try SnapshotFile.decodeContent(UntypedModel.self, from: bytes, options: options) }
      for division in Self.divisions {
        options.threads = division.threads
        options.limits.partSize = division.partSize
        for isWhole in [true, false] {
          let found = Result {
            isWhole
              ? try SnapshotFile.decodeContent(UntypedModel.self, from: bytes, options: options)
              : try SnapshotFile.decodeRecords(from: bytes, options: options) { _ in IDs() }.content
          }
          switch (expected, found) {
          case (.success(let a), .success(let b)):
            #expect(try SnapshotFile.encode(a, as: .json) == SnapshotFile.encode(b, as: .json))
          case (.failure(let a), .failure(let b)): #expect("\(a)" == "\(b)")
          default: Issue.record("\(expected) is not \(found)")
          }
        }
      }
    }
  }

  @Test func theLimitOfRecords() {
    each(FileFormat.allCases, Self.divisions) { format, division throws in
      let bytes = try Self.file(format, 100)
      var options = Self.options(division)
      options.limits.elementCount = 99
      let expected = #expect(throws: SnapshotError.self) {
        try SnapshotFile.decodeContent(
          UntypedModel.self, from: bytes, options: ReadOptions(limits: options.limits, threads: 1))
      }
      let error = #expect(throws: SnapshotError.self) {
        try SnapshotFile.decodeRecords(from: bytes, options: options) { _ in IDs(choose: { _ in false }) }
      }
      #expect(error?.code == .limitExceeded && error?.description == expected?.description)
    }
  }

  @Test func aWrongChecksumIsRefused() throws {
    var bytes = try Self.file(.json, 10)
    bytes[bytes.count - 30] ^= 1
    let error = #expect(throws: SnapshotError.self) {
      try SnapshotFile.decodeRecords(from: bytes, path: "shop.json") { _ in IDs() }
    }
    #expect(error?.code == .checksumMismatch || error?.code == .malformed)
    #expect(error?.path == "shop.json")
  }
}
