import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The file or its lock file is removed while stores share it.
final class SharedRemovalTests: Sendable {
  private let test = StoreUnderTest(savesAtOnce: false)
  private let reports = SmallLock<[ExternalChange]>([])

  private func open(
    _ policy: SavePolicy = .manual, _ changes: ExternalChange.Policy = .merge
  ) throws -> Store<Counters> {
    var options = StoreOptions(policy: policy, access: .shared, journal: .beside())
    options.externalChanges = changes
    options.log = { _ in }
    options.onExternalChange = { [weak self] change in self?.reports.withLock { $0.append(change) } }
    let store = try test.open(Counters.self, options)
    test.settle()
    return store
  }

  private func files(_ word: String) -> [String] { test.paths.filter { $0.contains(".\(word)-") } }

  /// What was in the file only is made durable again, although nothing else has changed.
  @Test func aFileThatIsRemovedIsMadeAgain() throws {
    let (a, b) = (try open(.automatic()), try open(.automatic()))
    try a.write { try $0.set(1, to: 1) }
    try test.save(a, folding: true)
    try a.write { try $0.set(2, to: 2) }
    try test.save(a)
    try #require(test.journal != nil)
    test.fileSystem[test.path] = nil
    let revisions = a.revision + b.revision
    for _ in 0..<5 {
      for store in [a, b] { store.lookSoon() }
      test.settle()
    }
    let content = try test.fileSystem.readJournaled(at: FileLocation(test.path, on: test.fileSystem), limit: .max)
    let stored = try SnapshotFile.decode(Counters.self, from: content.folded(ReadLimits(), path: test.path))
    #expect(stored.left.map(\.value) == [1, 2])
    #expect(a.revision + b.revision <= revisions + 4)
    #expect([a, b].allSatisfy { !$0.status.isDirty })
  }

  /// Another program opens the file before those that have it open have seen that it is gone.
  @Test(arguments: [3, 40])
  func aFileThatIsMadeAnewByAnotherTakesNothingAway(_ count: Int) throws {
    let a = try open()
    try a.write { counters in for id in 1...count { try counters.set(id, to: id) } }
    try test.save(a, folding: true)
    test.fileSystem[test.path] = nil
    try Store<Counters>.update(
      at: URL(fileURLWithPath: test.path), options: StoreOptions(), waitingAtMost: .zero, fileSystem: test.fileSystem,
      scheduler: ManualScheduler()
    ) { try $0.set(1_000, to: 1_000) }
    test.settle()
    #expect(a.read { $0.left.map(\.id) } == Array(1...count) + [1_000])
    try test.save(a)
    #expect(try test.stored().left.count == count + 1)
  }

  /// The file in place and the journal prove what the lock file does not.
  @Test func aLockFileThatIsRemovedTakesNoSaveBack() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try test.save(a, folding: true)
    try a.write { try $0.set(1, to: 2) }
    try test.save(a)
    test.fileSystem["/dir/.store.json.lock"] = nil
    try a.write { try $0.set(1, to: 3) }
    try test.save(a)
    #expect(b.read { $0.left[1]?.value } == 3)
    try b.write { try $0.set(2, to: 2) }
    try test.save(b)
    #expect(a.read { $0.left.map(\.value) } == [3, 2])
    #expect(reports.withLock { $0.isEmpty } && files("conflict") == [])
  }

  /// Lines that this store has not read are kept with the file of another program.
  @Test func keepingOursKeepsTheLinesOfOthersBeside() throws {
    let (a, b) = (try open(), try open(.manual, .keepOurs))
    try a.write { try $0.set(1, to: 1) }
    try test.save(a, folding: true)
    test.suspend(b)
    try a.write { try $0.set(2, to: 22) }
    try test.save(a)
    test.suspend(a)
    var theirs = try SnapshotFile.decode(Counters.self, from: #require(test.bytes))
    try theirs.set(1, to: 11)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    b.resume()
    test.settle()
    try test.save(b)
    let kept = try files("conflict").map { path in
      try SnapshotFile.decode(Counters.self, from: #require(test.fileSystem[path])).left.map(\.value)
    }
    #expect(kept.contains { $0.contains(22) } || b.read { $0.left[2]?.value } == 22, "\(kept)")
    #expect(b.read { $0.left[1]?.value } == 1)
  }

  /// A backup gives the lock file a second name for a while.
  @Test func aLockThatIsRefusedIsReleased() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try test.save(a)
    let folder = try test.fileSystem.openDirectory("/dir")
    try test.fileSystem.link(".store.json.lock", in: folder, to: "backup", in: folder)
    try a.write { try $0.set(2, to: 2) }
    let error = #expect(throws: SnapshotError.self) { try test.save(a) }
    #expect(error?.code == .reservedName)
    try test.fileSystem.remove("backup", in: folder)
    test.fileSystem.close(folder)
    try b.write { try $0.set(3, to: 3) }
    try test.save(b)
    try test.save(a)
    #expect(b.read { $0.left.map(\.value) } == [1, 2, 3])
  }
}
