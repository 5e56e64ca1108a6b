import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The work of a store at the end of the process, without a process that ends: `StoreExitTests` has those.
struct StoreEndingTests {
  private let test = StoreUnderTest(savesAtOnce: false)
  private let exit = ExitFlush(patience: .milliseconds(10))
  private let messages = Messages()

  private func open(
    _ policy: SavePolicy = .automatic(), access: StoreAccess = .exclusive, journal: JournalPolicy = .none
  ) throws -> Store<Counters> {
    var options = StoreOptions(policy: policy, access: access, journal: journal)
    options.log = { [messages] in messages.add($0) }
    return try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: test.fileSystem, scheduler: test.scheduler,
      exit: exit)
  }

  private var saved: Int? { get throws { try test.stored(Counters.self).left[1]?.value } }

  @Test(arguments: [SavePolicy.automatic(), .immediate])
  func theLastChangesAreSavedWithoutTheSaversThread(_ policy: SavePolicy) throws {
    let store = try open(policy)
    try store.write { try $0.set(1, to: 1) }
    exit.finishAll()
    try #expect(saved == 1)
    #expect(test.fileSystem.lockCount == 0)
    #expect(!store.status.isDirty)
    // Work begun before does no harm afterwards.
    test.runSaves()
    try #expect(saved == 1)
    #expect(messages.all == [])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aStoreThatIsGoneIsSaved() throws {
    try { try open().write { try $0.set(1, to: 1) } }()
    exit.finishAll()
    try #expect(saved == 1)
    #expect(test.fileSystem.lockCount == 0)
  }

  @Test func whatWasSavedIsNotSavedAgain() throws {
    let store = try open()
    exit.finishAll()
    exit.finishAll()
    #expect(test.replacements == 1)
    #expect(test.fileSystem.lockCount == 0)
    #expect(messages.all == [])
    try store.closeAndWait()
  }

  /// Another program has left a file that nobody can read. A shared store cannot merge with it.
  @Test func whatCannotBeSavedOverAnUnreadableFileIsPutAside() throws {
    let store = try open(access: .shared)
    try store.write { try $0.set(1, to: 1) }
    test.scheduler.advance(by: .seconds(3))
    test.runSaves()
    try store.write { try $0.set(1, to: 2) }
    test.fileSystem[test.path] = Array("{".utf8)
    exit.finishAll()
    let path = try #require(test.paths.first { $0.contains(".unsaved-") })
    #expect(try SnapshotFile.decode(Counters.self, from: #require(test.fileSystem[path])).left[1]?.value == 2)
    #expect(messages.all.count == 1 && messages.all.first?.contains("the last changes are in “") == true)
    #expect(test.fileSystem[test.path] == Array("{".utf8))
    #expect(test.fileSystem.lockCount == 0)
  }

  /// The last save cannot end the journal, and so it replaces nothing.
  @Test func whatCannotBeFoldedIsPutAside() throws {
    let store = try open(journal: .beside())
    try store.write { try $0.set(1, to: 1) }
    test.scheduler.advance(by: .seconds(3))
    test.runSaves()
    #expect(test.journal != nil)
    try store.write { try $0.set(1, to: 2) }
    test.fileSystem.injectFault { $0.name == "fdatasync" ? EIO : nil }
    exit.finishAll()
    let path = try #require(test.paths.first { $0.contains(".unsaved-") })
    #expect(try SnapshotFile.decode(Counters.self, from: #require(test.fileSystem[path])).left[1]?.value == 2)
    #expect(messages.all.count == 1 && messages.all.first?.contains("nothing was replaced") == true)
  }

  /// The line of a store that shares its file is overwritten after a failed sync. Nobody will take it in.
  @Test func aLineThatFailedAtTheEndIsPutAside() throws {
    let store = try open(access: .shared, journal: .beside())
    // Another process, which goes on.
    let other = try test.open(Counters.self, StoreOptions(policy: .manual, access: .shared, log: { _ in }))
    try store.write { try $0.set(1, to: 1) }
    test.scheduler.advance(by: .seconds(3))
    test.runSaves()
    #expect(test.journal != nil)
    try store.write { try $0.set(1, to: 2) }
    test.fileSystem.injectFault { $0.name == "fdatasync" ? EIO : nil }
    exit.finishAll()
    let path = try #require(test.paths.first { $0.contains(".unsaved-") })
    #expect(try SnapshotFile.decode(Counters.self, from: #require(test.fileSystem[path])).left[1]?.value == 2)
    test.fileSystem.injectFault(nil)
    try other.closeAndWait()
  }

  /// The journal cannot be ended, and has everything.
  @Test func whatIsSavedIsNotPutAside() throws {
    let store = try open(journal: .beside())
    try store.write { try $0.set(1, to: 1) }
    test.scheduler.advance(by: .seconds(3))
    test.runSaves()
    #expect(test.journal != nil && !store.status.isDirty)
    test.fileSystem.injectFault { $0.name == "fdatasync" ? EIO : nil }
    exit.finishAll()
    #expect(!test.paths.contains { $0.contains(".unsaved-") })
  }

  /// The code of the program that is called then may wait for a thread that waits for the turn.
  @Test func theTurnIsFreeWhileTheProgramIsTold() throws {
    let saver = SmallLock<Saver<Counters>?>(nil)
    let isFree = SmallLock<Bool?>(nil)
    var options = StoreOptions(policy: .automatic())
    options.log = { _ in
      let (saver, done) = (saver.withLock { $0 }, DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        saver?.inTurn {}
        done.signal()
      }
      let isDone = done.wait(timeout: .now() + 20) == .success
      isFree.withLock { $0 = isDone }
    }
    let store = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: test.fileSystem, scheduler: test.scheduler,
      exit: exit)
    saver.withLock { $0 = store.saver }
    try store.write { try $0.set(1, to: 1) }
    test.bytes = try SaverExternalChangeTests.externalBytes(99)
    exit.finishAll()
    #expect(isFree.withLock { $0 } == true)
  }

  // One line says that changes are lost, and why.
  @Test func aFullDiskIsReported() throws {
    let store = try open()
    try store.write { try $0.set(1, to: 1) }
    test.setDiskFull(true)
    exit.finishAll()
    #expect(messages.all.count == 1)
    #expect(
      messages.all.first?.hasPrefix(
        "the store “/dir/store.json”: the last changes could not be saved before the process ended, and are lost: "
          + "write failed: No space left on device") == true)
    #expect(test.fileSystem.lockCount == 0)
    #expect(store.snapshot().value.allViolations() == [])
  }

  /// A signal and the end of `main` may end the process at once, and the first to return ends it. Neither may overtake
  /// the report.
  @Test func noThreadReturnsBeforeALossIsReported() throws {
    let store = try open(.manual)
    let returned = DispatchSemaphore(value: 0)
    let overtaken = Messages()
    messages.onAdd.withLock { [exit] in
      $0 = {
        Thread.detachNewThread {
          exit.finishAll()
          returned.signal()
        }
        let result = returned.wait(timeout: .now() + .milliseconds(100))
        overtaken.add("\(result)")
      }
    }
    try store.write { try $0.set(1, to: 1) }
    exit.finishAll()
    try #require(overtaken.all == ["timedOut"])
    #expect(returned.wait(timeout: .now() + 600) == .success)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aManualStoreIsReported() throws {
    let store = try open(.manual)
    try store.write { try $0.set(1, to: 1) }
    exit.finishAll()
    try #expect(saved == nil)
    #expect(
      messages.all == [
        "the store “/dir/store.json”: its policy is manual, and changes that were not flushed before the process ended are lost"
      ])
    #expect(test.fileSystem.lockCount == 0)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // The program cannot be asked any more, so a value that cannot be saved is put beside the other program's file.
  @Test func whatSomeoneElseWroteStays() throws {
    let store = try open()
    try store.write { try $0.set(1, to: 1) }
    let external = try SaverExternalChangeTests.externalBytes(99)
    test.bytes = external
    exit.finishAll()
    #expect(test.bytes == external)
    let aside = try #require(test.paths.first { $0.contains(".unsaved-") })
    let bytes = try #require(test.fileSystem[aside])
    #expect(try SnapshotFile.decode(Counters.self, from: bytes).left[1]?.value == 1)
    #expect(
      messages.all == ["the store “/dir/store.json” was changed by someone else; the last changes are in “\(aside)”"])
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Another thread may continue for as long as the process takes to end.
  @Test func aChangeThatComesTooLateIsReportedOnce() throws {
    let store = try open()
    exit.finishAll()
    try store.write { try $0.set(1, to: 1) }
    try store.write { try $0.set(1, to: 2) }
    #expect(messages.all.count == 1 && messages.all[0].contains("after its last save, while the process was ending"))
    test.fileSystem.injectFault { _ in EIO }
    let results = Mutex<[SnapshotError.Code]>([])
    store.saver?.flush(through: 2, folding: false) { result in
      if case .failure(let error) = result { results.withLock { $0.append(error.code) } }
    }
    test.runSaves()
    #expect(results.withLock { $0 } == [.closed])
    #expect(store.snapshot().value.allViolations() == [])
  }

  // As in a signal handler that calls exit: the interrupted work cannot continue, but the process ends.
  @Test(arguments: ["a change", "a save"])
  func exitInTheMiddleOfTheStoresWork(_ work: String) throws {
    let store = try open()
    try store.write { try $0.set(1, to: 1) }
    let saver = try #require(store.saver)
    if work == "a save" {
      saver.inTurn { exit.finishAll() }
    } else {
      saver.state.withLock { _ in exit.finishAll() }
    }
    #expect(messages.all.count == 1 && messages.all[0].contains("exit was called in the middle of its work"))
    // The remaining handlers do not wait once more.
    exit.finishAll()
    #expect(messages.all.count == 1)
    // The store itself is as it was.
    test.scheduler.advance(by: .seconds(10))
    test.runSaves()
    try #expect(saved == 1)
    try store.closeAndWait()
  }

  // A store that is closed, or deallocated and saved, is not retained.
  @Test(arguments: ["closed", "deallocated", "deallocated with changes", "manual with changes"])
  func aSaverThatIsDoneIsForgotten(_ end: String) throws {
    weak var saver: Saver<Counters>?
    do {
      let store = try open(end.hasPrefix("manual") ? .manual : .automatic())
      saver = store.saver
      if end.hasSuffix("with changes") { try store.write { try $0.set(1, to: 1) } }
      if end == "closed" { try store.closeAndWait() }
    }
    test.runSaves()
    test.scheduler.advance(by: .seconds(60))
    test.runSaves()
    #expect(saver == nil)
    #expect(test.fileSystem.lockCount == 0)
  }

  @Test func aStoreThatOnlyReadsHasNothingToSave() throws {
    try open().closeAndWait()
    let store = try open(.readOnly)
    exit.finishAll()
    #expect(messages.all == [])
    try store.closeAndWait()
  }
}

/// The messages that a store has logged.
final class Messages: Sendable {
  private let messages = Mutex<[String]>([])

  /// An action that runs while a message is added.
  let onAdd = Mutex<(@Sendable () -> Void)?>(nil)

  func add(_ message: String) {
    messages.withLock { $0.append(message) }
    onAdd.withLock { $0 }?()
  }

  var all: [String] { messages.withLock { $0 } }
}
