import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The disk cannot read the file that a save replaces.
struct UnreadableFileTests {
  /// A store with so many records that a save reuses most of them from the old file.
  func store(_ test: StoreUnderTest) throws -> Store<Counters> {
    let store = try test.open(Counters.self, .manual)
    try store.write { for id in 1...2_000 { try $0.set(id, to: id) } }
    try store.flushAndWait()
    return store
  }

  // The status shows that nobody has changed the file. It is replaced by a file that reuses nothing.
  @Test(arguments: [["pread"], ["pread", "read"]]) func aFileThatIsOursIsReplaced(_ calls: [String]) throws {
    let test = StoreUnderTest()
    let store = try store(test)
    try store.write { try $0.set(7, to: -7) }
    test.fileSystem.injectFault { calls.contains($0.name) ? EIO : nil }
    try store.flushAndWait()
    #expect(test.fileSystem.calls.contains { $0.name == "pread" })
    test.fileSystem.injectFault(nil)
    #expect(try test.stored() == store.snapshot().value)
    #expect(store.status.lastError == nil)
    #expect(store.snapshot().value.allViolations() == [])
    try store.closeAndWait()
  }

  // The dates show a possible change, and the file cannot be read to find out. The error says so, with the error of the
  // disk.
  @Test func aFileThatMayBeChangedIsNotReplaced() throws {
    let test = StoreUnderTest()
    let store = try store(test)
    try store.write { try $0.set(7, to: -7) }
    let bytes = test.bytes
    test.bytes = bytes
    test.fileSystem.injectFault { ["pread", "read"].contains($0.name) ? EIO : nil }
    let error = #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(error?.code == .ioFailed)
    #expect(error?.systemError == EIO)
    #expect(error?.message.contains("not overwritten") == true)
    #expect(error?.advice != nil)
    #expect(test.bytes == bytes)
    // As the advice says.
    test.fileSystem["/dir/aside.json"] = bytes
    test.bytes = nil
    try store.flushAndWait()
    test.fileSystem.injectFault(nil)
    #expect(try test.stored() == store.snapshot().value)
    try store.closeAndWait()
  }
}
