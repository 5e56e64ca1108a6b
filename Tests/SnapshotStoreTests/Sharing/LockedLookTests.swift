import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A look at what others have saved, and the lock of the file.
struct LockedLookTests {
  private let test = StoreUnderTest()

  private func open(_ access: StoreAccess = .shared) throws -> Store<Counters> {
    var options = StoreOptions(policy: .manual, access: access, journal: .beside())
    options.log = { _ in }
    return try test.open(Counters.self, options)
  }

  /// The number of calls for the lock file.
  private func count(_ name: String, in body: () throws -> Void) rethrows -> Int {
    let before = test.fileSystem.calls.count
    try body()
    return test.fileSystem.calls[before...].count {
      $0.name == name && ($0.target.isEmpty || $0.target == ".store.json.lock")
    }
  }

  /// The release of the lock is a reason to look at once.
  @Test func theNextLookIsNotPutOff() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try a.flushAndWait()
    let location = try FileLocation(test.path, on: test.fileSystem)
    let holder = try FileLock(of: location, on: test.fileSystem, .forASave)
    b.checkFileAndWait()
    #expect(b.read { $0.left.isEmpty })
    holder.release()
    b.checkFileAndWait()
    #expect(b.read { $0.left.map(\.value) } == [1])
    #expect(b.snapshot().value.allViolations() == [])
    holder.end()
  }

  /// Others have given up to wait for the lock meanwhile. The opening of the lock file for its closing wakes them.
  @Test func aLongLookWakesOthers() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try a.flushAndWait()
    // Not a pause: the lock is held until the clock says that it was long.
    test.fileSystem.injectEvent { call in
      if call.name == "flock" { return nil }
      let end = ContinuousClock.now + .milliseconds(11)
      while call.name == "pread", ContinuousClock.now < end {}
      return nil
    }
    #expect(count("openat") { b.checkFileAndWait() } >= 1)
    test.fileSystem.injectEvent(nil)
    #expect(b.read { $0.left.map(\.value) } == [1])
  }

  /// A look takes the lock from others. So it comes first to know whether there is something new.
  @Test func aLookWithoutAJournalTakesNoLock() throws {
    let writer = try open(.exclusive)
    try writer.write { try $0.set(1, to: 1) }
    try writer.closeAndWait()
    #expect(test.fileSystem["/dir/.store.json.journal"] == nil)
    let store = try open()
    let locks = count("flock") {
      for _ in 0..<3 {
        test.scheduler.advance(by: .seconds(30))
        store.checkFileAndWait()
      }
    }
    #expect(locks == 0)
    #expect(store.snapshot().value.allViolations() == [])
  }

  /// A program that still has the removed lock file open sees that nobody had the file open. So nobody is lost.
  @Test(arguments: [StoreAccess.shared, .exclusive]) func aRemovedLockFileSaysThatNobodyIsLost(_ access: StoreAccess)
    throws
  {
    let store = try open(access)
    try store.write { try $0.set(1, to: 1) }
    let text = SmallLock("")
    test.fileSystem.injectEvent { [disk = test.fileSystem] call in
      if call.name == "unlinkat", call.target == ".store.json.lock" {
        let bytes = disk["/dir/.store.json.lock"] ?? []
        text.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
      }
      return nil
    }
    try store.closeAndWait()
    test.fileSystem.injectEvent(nil)
    #expect(test.paths == ["/dir/store.json"])
    #expect(text.withLock { $0 }.contains(JournalEnd.removed) == (access == .shared))
  }
}
