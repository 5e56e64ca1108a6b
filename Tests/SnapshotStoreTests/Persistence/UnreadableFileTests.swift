import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The disk cannot read what is in the file that a save is to replace.
struct UnreadableFileTests {
  /// A store of so many records that a save takes most of them over from the old file.
  func store(_ test: StoreUnderTest) throws -> Store<Counters> {
    let store = try test.open(Counters.self, .manual)
    try store.write { for id in 1...2_000 { try $0.set(id, to: id) } }
    try store.flushAndWait()
    return store
  }

  // Nobody has changed the file, as its status says: it is replaced by one that takes nothing from it.
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

  // Its dates say that someone may have changed it, and it cannot be read to find out: that is said, with the error of the disk.
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
