import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A look at what others have saved, while another process has the lock of the file.
struct LockedLookTests {
  private let test = StoreUnderTest()

  private func open() throws -> Store<Counters> {
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside())
    options.log = { _ in }
    return try test.open(Counters.self, options)
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
}
