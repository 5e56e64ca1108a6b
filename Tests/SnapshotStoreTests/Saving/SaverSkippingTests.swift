import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Bytes that are in the file already are not written again, and the counters show it.
struct SaverSkippingTests {
  @Test func savesAndBytesAreCounted() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    #expect(store.status.counters == SaveCounters())
    var bytes = 0
    for value in 1...3 {
      try store.write { try $0.set(1, to: value * 1_000) }
      try store.flushAndWait()
      bytes += try #require(test.bytes).count
    }
    let counters = store.status.counters
    #expect(counters.saves == 3)
    #expect(counters.bytes == bytes)
    #expect(counters.skipped == 0)
    #expect(counters.failures == 0)
    // One for the file that opening made.
    #expect(test.replacements == 4)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func equalBytesAreNotWrittenTwice() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let test = StoreUnderTest()
      let store = try test.open(Counters.self, format: format)
      try store.write { try $0.set(1, to: 7) }
      try store.flushAndWait()
      let replacements = test.replacements
      // Reverted changes are revisions of the same content.
      try Self.changeAndRevert(store)
      try store.flushAndWait()
      try store.write { try $0.set(2, to: 1) }
      try store.write { _ = $0.left.remove(2) }
      try store.flushAndWait()
      #expect(store.revision == 5)
      #expect(store.durableRevision == 5)
      #expect(store.status.skippedSaves == 2)
      #expect(store.status.saves == 1)
      #expect(test.replacements == replacements)
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  private static func changeAndRevert(_ store: Store<Counters>) throws {
    for value in [8, 7] { try store.write { try $0.set(1, to: value) } }
  }

  // A newly opened store may write once to be sure of the file, but knows it from then on.
  @Test func aStoreThatWasOpenedSkipsToo() throws {
    let test = StoreUnderTest()
    let first = try test.open(Counters.self)
    try first.write { try $0.set(1, to: 7) }
    try first.closeAndWait()
    let second = try test.open(Counters.self)
    let replacements = test.replacements
    for revision in 1...5 {
      try Self.changeAndRevert(second)
      try second.flushAndWait()
      #expect(second.durableRevision == 2 * revision)
    }
    #expect(test.replacements <= replacements + 1)
    #expect(second.status.skippedSaves >= 4)
    #expect(first.snapshot().value.allViolations() == [])
    #expect(second.snapshot().value.allViolations() == [])
  }

  // The file was removed on purpose or lost; the next flush promises that the data is there.
  @Test func aRemovedFileIsNotSkipped() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 7) }
    try store.flushAndWait()
    test.bytes = nil
    try Self.changeAndRevert(store)
    try store.flushAndWait()
    #expect(try test.stored() == store.snapshot().value)
    #expect(store.status.skippedSaves == 0)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // A bulk import of one transaction is one save, and so are many transactions in a short time.
  @Test func manyChangesAreOneSave() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try store.write { counters in
      for id in 0..<1_000 { try counters.set(id, to: id) }
    }
    for id in 0..<100 { try store.write { try $0.set(id, to: -id) } }
    test.scheduler.advance(by: .seconds(60))
    #expect(store.status.saves == 1)
    #expect(!store.status.isDirty)
    #expect(try test.stored() == store.snapshot().value)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func nothingIsSavedWithoutAChange() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .immediate)
    let calls = test.fileSystem.calls.count
    try store.flushAndWait()
    test.scheduler.advance(by: .seconds(1_000))
    #expect(test.fileSystem.calls.count == calls)
    #expect(store.status.counters == SaveCounters())
    #expect(store.snapshot().value.allViolations() == [])
  }
}
