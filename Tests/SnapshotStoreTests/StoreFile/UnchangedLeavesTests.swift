import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A save takes unchanged leaves from the old file, and writes the same bytes as a full encoding.
@Suite struct UnchangedLeavesTests {
  /// The number of reads of the old file for its leaves.
  private static func reads(_ test: StoreUnderTest) -> Int { test.fileSystem.calls.count { $0.name == "pread" } }

  private static func store(
    _ test: StoreUnderTest, _ format: FileFormat, count: Int = 400
  ) throws -> Store<Counters> {
    let store = try test.open(Counters.self, .manual, format: format)
    try store.write { counters in
      for id in 0..<count { try counters.set(id, to: id) }
    }
    try store.flushAndWait()
    return store
  }

  @Test func everySaveHasTheBytesOfAFullOne() {
    each(FileFormat.allCases, SeededGenerator.seeds(3)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let test = StoreUnderTest()
      let store = try Self.store(test, format)
      let readsOfOpening = Self.reads(test)
      for _ in 0..<Proofs.pick(full: 40, quick: 15) {
        try store.write { counters in
          for _ in 0..<Int.random(in: 1...6, using: &generator) {
            // Changes, additions at either end and in between, removals of a few records and of whole leaves.
            let id = Int.random(in: -20...900, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: counters.left.remove(id)
            case 1: counters.left.remove(id..<id + 70)
            case 2: try counters.right.upsert(Counter(id: id, value: 1))
            default: try counters.set(id, to: Int.random(in: 0...1_000_000, using: &generator))
            }
          }
        }
        try store.flushAndWait()
        let value = store.snapshot().value
        #expect(try test.bytes == SnapshotFile.encode(value, as: format), "seed \(seed)")
        #expect(value.allViolations() == [])
      }
      // Unchanged leaves were indeed reused, except where bytes depend on other parts of the file.
      #expect((Self.reads(test) > readsOfOpening) == (format != .binary))
      #expect(test.openCount == 0)
    }
  }

  @Test func onlyWhatChangedIsEncoded() throws {
    let counters = try Counters(count: 5_000)
    let first = try SnapshotEncoding(of: counters, as: .json, known: EncodedLeaves(), threads: 1)
    var changed = counters
    try changed.set(2_500, to: -1)
    let second = try SnapshotEncoding(of: changed, as: .json, known: first.leaves, threads: 1)
    let encoded = second.bytes.pieces.reduce(0) { sum, piece in
      if case .block(let block) = piece { sum + block.count } else { sum }
    }
    #expect(second.bytes.count > 100_000)
    #expect(encoded < 3_000)
  }

  // Someone may write into the file between two saves, so that nothing but the bytes tells. Whatever it was, it is not
  // copied into the new file, and not overwritten.
  @Test func noExternalByteGetsIntoASave() {
    each(SeededGenerator.seeds(8)) { (seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let test = StoreUnderTest()
      let store = try Self.store(test, .json)
      let offset = Int.random(in: 200..<test.bytes!.count - 20, using: &generator)
      test.fileSystem.overwrite(test.path) { $0[offset] ^= 1 }
      let external = test.bytes
      try store.write { try $0.set(399, to: -1) }
      let error = #expect(throws: SnapshotError.self) { try store.flushAndWait() }
      // A byte of the one changed leaf is no loss: it would have been replaced in any case.
      if let error {
        #expect(error.code == .changedExternally, "seed \(seed)")
        #expect(test.bytes == external)
        #expect(test.paths == [test.path])
      }
    }
  }

  @Test func whatCannotBeReadFromTheOldFileIsEncoded() throws {
    let test = StoreUnderTest()
    let store = try Self.store(test, .json)
    test.fileSystem.injectFault { $0.name == "pread" ? SystemError.ioError : nil }
    try store.write { try $0.set(7, to: -7) }
    try store.flushAndWait()
    #expect(try test.bytes == SnapshotFile.encode(store.snapshot().value, as: .json))
    // Cut off behind the store's back: there is less than the save expects.
    test.fileSystem.injectFault(nil)
    test.bytes = nil
    try store.write { try $0.set(8, to: -8) }
    try store.flushAndWait()
    #expect(try test.bytes == SnapshotFile.encode(store.snapshot().value, as: .json))
    #expect(test.openCount == 0)
  }

  // A change that is undone before the save leaves nothing to write.
  @Test func anUndoneChangeIsNotWritten() throws {
    let test = StoreUnderTest()
    let store = try Self.store(test, .json)
    let saves = store.status.saves
    try store.write { try $0.set(7, to: -7) }
    try store.write { try $0.set(7, to: 7) }
    try store.flushAndWait()
    #expect(store.status.saves == saves)
    #expect(store.status.skippedSaves == 1)
  }

  @Test func piecesAreEqualOnlyToTheirBytes() throws {
    let bytes = Array("some bytes of a file, in pieces".utf8)
    var pieces = PiecedBytes(Array(bytes[..<10]))
    let rest = Array(bytes[10...])
    let digest = rest.withUnsafeBytes { ByteDigest($0) }
    pieces.append(PiecedBytes.Stretch(offset: 99, count: rest.count, digest: digest))
    #expect(pieces.isEqual(to: bytes))
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x40
      #expect(!pieces.isEqual(to: other))
    }
    #expect(!pieces.isEqual(to: bytes + [0]))
    #expect(!pieces.isEqual(to: Array(bytes.dropLast())))
    #expect(pieces.array() == nil)
  }
}

extension Counters {
  /// Counters with the ids from 0 on.
  fileprivate init(count: Int) throws {
    self.init()
    left = try Table((0..<count).map { Counter(id: $0, value: $0) })
  }
}
