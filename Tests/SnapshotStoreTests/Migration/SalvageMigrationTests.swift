import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The rest of a damaged file of an older version is migrated, record by record.
struct SalvageMigrationTests {
  @Test func recordsThatAreLeftAreMigrated() {
    each(SeededGenerator.seeds(8), [FileFormat.json, .xml, .ndjson]) { (seed: UInt64, format: FileFormat) throws in
      let old = try Library.V1.random(seed: seed, count: 30)
      let today = try Library.Today(Library.V3(Library.V2(old)))
      var random = SeededGenerator(seed: seed)
      for _ in 0..<3 {
        var bytes = try SnapshotFile.encode(old, as: format)
        // After the header, which identifies the file, and after the name of the table, without which its content is
        // unknown.
        let text = String(decoding: bytes, as: UTF8.self)
        let name = try #require(text.range(of: "books"))
        let header = text.utf8.distance(from: text.startIndex, to: name.upperBound)
        let start = Int.random(in: header + 20..<bytes.count - 8, using: &random)
        for index in start..<start + 4 { bytes[index] = UInt8(ascii: "\u{1}") }
        let salvaged = try Salvaged<Library.Today>(of: bytes)
        #expect(!salvaged.isComplete)
        #expect(salvaged.value.volumes.count >= today.volumes.count - 2, "seed \(seed), \(start)")
        for volume in salvaged.value.volumes {
          let same = try SnapshotFile.json(of: volume) == SnapshotFile.json(of: #require(today.volumes[volume.id]))
          // A character that was changed within a text may go unnoticed.
          #expect(same || salvaged.value.volumes.count == today.volumes.count)
        }
      }
    }
  }

  @Test func aStoreOpensThem() throws {
    let test = StoreUnderTest()
    let old = try Library.V1.random(seed: 3, count: 9)
    var bytes = try SnapshotFile.encode(old, as: .json)
    bytes.removeLast(30)
    test.bytes = bytes
    var options = StoreOptions(policy: .manual)
    options.recovery = .salvage
    let store = try test.open(Library.Today.self, options)
    #expect(store.openReport?.source == .salvage)
    #expect(store.openReport?.migration?.from == 1)
    #expect(store.openReport?.newerVersion == nil)
    #expect(store.read { $0.volumes.count } == old.books.count - 1)
    try store.closeAndWait()
    #expect(test.fileSystem[try #require(store.openReport?.damagedFile)] == bytes)
    #expect(try SnapshotSummary(of: try #require(test.bytes)).version == 4)
  }
}
