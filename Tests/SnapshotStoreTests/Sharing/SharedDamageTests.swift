import Foundation
import SnapshotSystem
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What stores that share a file do when its lock file or its journal is damaged, or gone.
struct SharedDamageTests {
  private let test = StoreUnderTest(savesAtOnce: false)

  private func open(_ access: StoreAccess = .shared) throws -> Store<Counters> {
    var options = StoreOptions(policy: .manual, access: access, journal: .beside())
    options.log = { _ in }
    return try test.open(Counters.self, options)
  }

  private func values(_ store: Store<Counters>) -> [Int] { store.read { $0.left.map(\.value) } }

  private func add(_ id: Int, _ store: Store<Counters>) throws {
    try store.write { try $0.set(id, to: id) }
    try store.flushAndWait()
  }

  private func close(_ store: Store<Counters>) throws {
    store.saver?.flush(through: store.revision, folding: true) { _ in }
    settle()
    try store.closeAndWait()
  }

  private func settle() { test.settle() }

  private func setLine(_ text: String) {
    test.fileSystem.overwrite("/dir/.store.json.lock") { bytes in
      bytes.replaceSubrange(LockText.length..<2 * LockText.length, with: LockText.line(text))
    }
  }

  private var line: String {
    let bytes = test.fileSystem["/dir/.store.json.lock"] ?? []
    return String(decoding: bytes[LockText.length..<2 * LockText.length], as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(arguments: 0..<15)
  func aLineThatIsDamaged(_ kind: Int) throws {
    let (a, b) = (try open(), try open())
    try add(1, a)
    var words = line.split(separator: " ").map(String.init)
    // Saves: journal size number sum
    switch kind {
    case 0: words[2] = "7fffffffffffffff"
    case 1: words[2] = "-8000000000000000"
    case 2: words[2] = "ffffffffffffffff"
    case 3: words[2] = "-5"
    case 4: words[3] = "7fffffffffffffff"
    case 5: words[4] = "1"
    case 6: words[2] = "1000"
    case 7: words[2] = "10"
    case 8: words[2] = "0"
    case 9: words = ["Saves:"]
    case 10: words = ["Saves:", "file", "file", "next", "journal", "fold"]
    case 11: words[1] = "1"
    case 12: words = ["Saves:", "-"]
    case 13: words[1] = "ffffffffff"
    default: words[3] = "7"
    }
    setLine(words.joined(separator: " "))
    try add(2, b)
    settle()
    try add(3, a)
    settle()
    #expect(values(a) == [1, 2, 3], "kind \(kind)")
    #expect(values(b) == [1, 2, 3], "kind \(kind)")
    let c = try open(.shared)
    #expect(values(c) == [1, 2, 3], "kind \(kind)")
    try close(c)
    a.saver?.flush(through: a.revision, folding: true) { _ in }
    settle()
    #expect(values(b) == [1, 2, 3], "kind \(kind)")
    try close(a)
    try close(b)
    #expect(try test.stored().left.map(\.value) == [1, 2, 3], "kind \(kind)")
  }

  enum Harm: CaseIterable { case remove, truncate, cut, lock, everythingHidden }

  private func harm(_ harm: Harm) {
    let journal = "/dir/.store.json.journal"
    switch harm {
    case .remove: test.fileSystem[journal] = nil
    case .truncate: test.fileSystem.overwrite(journal) { $0 = [] }
    case .cut: test.fileSystem.overwrite(journal) { $0 = Array($0.prefix(100)) }
    case .lock: test.fileSystem["/dir/.store.json.lock"] = nil
    case .everythingHidden:
      test.fileSystem[journal] = nil
      test.fileSystem["/dir/.store.json.lock"] = nil
    }
  }

  /// The one that saves next has not seen what is lost on the disk.
  @Test(arguments: Harm.allCases, [0, 1, 2, 3])
  func whatIsLostOnTheDiskIsInMemory(_ harm: Harm, _ next: Int) throws {
    let (a, b) = (try open(), try open())
    try add(1, a)
    settle()
    try add(2, a)
    self.harm(harm)
    if [.truncate, .cut].contains(harm), next > 0 {
      // The file is not opened beside a damaged journal.
      #expect(throws: SnapshotError.self) { try open(next == 1 ? .exclusive : .shared) }
    }
    switch [.truncate, .cut].contains(harm) ? 4 : next {
    case 4:
      let error = #expect(throws: SnapshotError.self) { try add(3, b) }
      #expect(error?.code == .damagedJournal)
    case 0: try add(3, b)
    case 1:
      let c = try open(.exclusive)
      try add(3, c)
      try close(c)
    case 2:
      let c = try open(.shared)
      try add(3, c)
      try close(c)
    default:
      try Store<Counters>.update(
        at: URL(fileURLWithPath: test.path), options: StoreOptions(), waitingAtMost: .zero, fileSystem: test.fileSystem,
        scheduler: ManualScheduler()
      ) { try $0.set(3, to: 3) }
    }
    settle()
    try add(4, a)
    settle()
    try add(5, b)
    settle()
    #expect(values(a) == [1, 2, 3, 4, 5], "\(harm) \(next)")
    #expect(values(b) == [1, 2, 3, 4, 5], "\(harm) \(next)")
    try close(a)
    try close(b)
    #expect(try test.stored().left.map(\.value) == [1, 2, 3, 4, 5], "\(harm) \(next)")
  }

  /// One of them has not seen what the other one had saved in the journal. That stays there.
  @Test(arguments: [false, true])
  func theFileIsRemoved(_ isNoticed: Bool) throws {
    let (a, b) = (try open(), try open())
    try add(1, a)
    settle()
    try add(2, a)
    try a.write { try $0.set(3, to: 3) }
    try b.write { try $0.set(4, to: 4) }
    test.bytes = nil
    if isNoticed { settle() }
    try b.flushAndWait()
    settle()
    try a.flushAndWait()
    settle()
    #expect(values(a) == [1, 2, 3, 4])
    #expect(values(b) == [1, 2, 3, 4])
    try close(a)
    try close(b)
    #expect(try test.stored().left.map(\.value) == [1, 2, 3, 4])
  }

  /// Nothing is unsaved, so nothing is put beside the file.
  @Test func aDeallocatedStoreLeavesNothingThatIsSaved() throws {
    var options = StoreOptions(policy: .automatic(), access: .shared, journal: .beside())
    options.log = { _ in }
    var a: Store<Counters>? = try test.open(Counters.self, options)
    let b = try open()
    try a?.write { try $0.set(1, to: 1) }
    try a?.flushAndWait()
    try add(2, b)
    a = nil
    settle()
    #expect(test.paths.filter { $0.contains("unsaved") } == [])
    #expect(try SnapshotFile.users(of: test.path, on: test.fileSystem).count == 1)
    try close(b)
    #expect(try test.stored().left.map(\.value) == [1, 2])
    #expect(test.paths == ["/dir/store.json"] && test.fileSystem.lockCount == 0)
  }

  /// A journal that was made anew has its name, and was not reported.
  @Test func aJournalThatWasMadeAnewHalfway() throws {
    let (a, b) = (try open(), try open())
    try add(1, a)
    settle()
    test.fileSystem.injectFault { $0.name == "fdatasync" ? EIO : nil }
    #expect(throws: SnapshotError.self) { try add(2, a) }
    let fileSystem = test.fileSystem
    fileSystem.injectFault { call in
      call.name == "fsync" && fileSystem.calls.dropLast().last?.name == "renameat" ? EIO : nil
    }
    #expect(throws: SnapshotError.self) { try a.flushAndWait() }
    test.fileSystem.injectFault { _ in nil }
    try add(3, b)
    #expect(values(b).contains(1))
    settle()
    try a.flushAndWait()
    settle()
    #expect(values(a) == [1, 2, 3])
    #expect(values(b) == [1, 2, 3])
    try close(a)
    try close(b)
    #expect(try test.stored().left.map(\.value) == [1, 2, 3])
  }

  /// It could not be kept before it is overwritten.
  @Test func aDamagedFileIsNotRepairedWithoutTheLock() throws {
    let first = try open(.exclusive)
    try add(1, first)
    try close(first)
    let holder = try open(.exclusive)
    try add(2, holder)
    let damaged = Array(try #require(test.bytes).dropLast(30))
    test.bytes = damaged
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside(), recovery: .salvage)
    options.log = { _ in }
    let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self, options) }
    #expect(error?.meansDamage == true)
    holder.saver?.inTurn { holder.saver?.file.session.close() }
    let b = try test.open(Counters.self, options)
    try add(3, b)
    #expect(b.openReport?.damagedFile != nil)
    #expect(test.paths.contains { test.fileSystem[$0] == damaged })
    try close(b)
  }
}
