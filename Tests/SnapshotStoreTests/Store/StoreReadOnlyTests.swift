import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A store that is opened for reading changes neither memory nor disk.
struct StoreReadOnlyTests {
  static func test(holding value: Int) throws -> StoreUnderTest {
    let test = StoreUnderTest()
    var counters = Counters()
    try counters.set(1, to: value)
    test.bytes = try SnapshotFile.encode(counters, as: .json)
    return test
  }

  @Test func changesAreRefused() throws {
    let test = try Self.test(holding: 7)
    let store = try test.open(Counters.self, .readOnly)
    let error = #expect(throws: SnapshotError.self) { try store.write { try $0.set(1, to: 8) } }
    #expect(error?.code == .readOnly)
    #expect(error?.path == test.path)
    #expect(store.read { $0.left[1]?.value } == 7)
    #expect(store.revision == 0)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Not even a body without a change runs: its side effects would be lost.
  @Test func theBodyIsNotRun() throws {
    let store = try Self.test(holding: 7).open(Counters.self, .readOnly)
    var wasRun = false
    #expect(throws: SnapshotError.self) { try store.write { _ in wasRun = true } }
    #expect(!wasRun)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func theFileIsNeverTouched() throws {
    let test = try Self.test(holding: 7)
    let bytes = test.bytes
    let store = try test.open(Counters.self, .readOnly)
    try store.flushAndWait()
    try store.closeAndWait()
    test.scheduler.advance(by: .seconds(1_000))
    #expect(test.bytes == bytes)
    #expect(test.fileSystem.calls.allSatisfy { !["create", "write", "renameat", "unlinkat"].contains($0.name) })
    #expect(store.status.counters == SaveCounters())
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aMissingFileIsNotCreated() throws {
    let test = StoreUnderTest()
    let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self, .readOnly) }
    #expect(error?.code == .fileNotFound)
    #expect(error?.path == test.path)
    #expect(test.paths == [])
  }

  @Test func aClosedOneIsStillReadOnly() async throws {
    let store = try Self.test(holding: 7).open(Counters.self, .readOnly)
    try await store.close()
    let error = #expect(throws: SnapshotError.self) { try store.write { try $0.set(1, to: 8) } }
    #expect(error?.code == .readOnly)
    #expect(store.read { $0.left[1]?.value } == 7)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Readers on disk need no lock, and do not disturb a writer.
  @Test func aReaderMayLookOnWhileAnotherStoreWrites() throws {
    let test = try Self.test(holding: 7)
    let writer = try test.open(Counters.self)
    let reader = try test.open(Counters.self, .readOnly)
    try writer.write { try $0.set(1, to: 8) }
    try writer.flushAndWait()
    #expect(reader.read { $0.left[1]?.value } == 7)
    #expect(try test.open(Counters.self, .readOnly).read { $0.left[1]?.value } == 8)
    #expect(writer.snapshot().value.allViolations() == [])
    #expect(reader.snapshot().value.allViolations() == [])
  }
}
