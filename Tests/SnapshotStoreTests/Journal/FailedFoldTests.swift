import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A fold that fails. Its mark is in the journal then, and the old file is in place. What is acknowledged afterwards
/// has to be there after a kill.
struct FailedFoldTests {
  enum Fault: CaseIterable, Sendable { case diskFull, rename, readOnlyFile, replacedFile, none }

  private let test = StoreUnderTest()

  private func open(_ access: StoreAccess) throws -> Store<Counters> {
    var options = StoreOptions(policy: .manual, access: access, journal: .beside())
    options.log = { _ in }
    return try test.open(Counters.self, options)
  }

  /// The value changes back to that of the file, so the mark names the file in place.
  @Test(arguments: Fault.allCases, [StoreAccess.exclusive, .shared])
  func aChangeBehindAFailedFoldIsKept(_ fault: Fault, _ access: StoreAccess) throws {
    let store = try open(access)
    try store.write {
      try $0.set(1, to: 0)
      try $0.set(2, to: 0)
    }
    try store.flushAndWait(folding: true)
    let change = { (counters: inout Counters) in
      try counters.set(1, to: 1)
      try counters.set(3, to: 3)
    }
    try store.write(change)
    try store.flushAndWait()
    try store.write {
      try $0.set(1, to: 0)
      $0.left.remove(3)
    }
    let fileSystem = test.fileSystem
    let bytes = test.bytes
    fileSystem.injectEvent { call in
      switch fault {
      case .diskFull: return call.name == "write" ? .fail(ENOSPC) : nil
      case .rename: return call.name == "renameat" && call.target == "store.json" ? .fail(EIO) : nil
      // Another program copies the same bytes over it, immediately before the rename.
      case .replacedFile:
        if call.name == "pwrite" { fileSystem["/dir/store.json"] = bytes }
        return nil
      case .readOnlyFile, .none: return nil
      }
    }
    if fault == .readOnlyFile { fileSystem.setMode(0o400, of: test.path) }
    if fault != .none { #expect(throws: SnapshotError.self) { try store.flushAndWait(folding: true) } }
    fileSystem.injectEvent(nil)
    if fault == .readOnlyFile { fileSystem.setMode(0o600, of: test.path) }
    // The same change once more, as by an undo.
    try store.write(change)
    try store.flushAndWait()
    #expect(!store.status.isDirty)
    let expected = try Counters(left: [1: 1, 2: 0, 3: 3])
    #expect(store.snapshot().value == expected)
    try expectOnDisk(expected)
  }

  /// The mark names the file in place. Its sync fails, so the lines before it still count.
  @Test(arguments: [StoreAccess.exclusive, .shared]) func linesBeforeAFailedMarkAreKept(_ access: StoreAccess) throws {
    let store = try open(access)
    try store.write { try $0.set(1, to: 0) }
    try store.flushAndWait(folding: true)
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    try store.write { try $0.set(1, to: 0) }
    test.fileSystem.injectFault { $0.name == "fdatasync" ? EIO : nil }
    #expect(throws: SnapshotError.self) { try store.flushAndWait(folding: true) }
    test.fileSystem.injectFault(nil)
    try expectOnDisk(try Counters(left: [1: 1]))
  }

  /// A peer that shares the file reads the mark too, and appends nothing behind it.
  @Test(arguments: [false, true]) func aPeersChangeBehindAFailedFoldIsKept(_ isOpenBefore: Bool) throws {
    let (store, early) = (try open(.shared), isOpenBefore ? try open(.shared) : nil)
    try store.write { for id in 1...2 { try $0.set(id, to: 0) } }
    try store.flushAndWait(folding: true)
    try store.write { try $0.set(3, to: 3) }
    try store.flushAndWait()
    early?.checkFileAndWait()
    try store.write { _ = $0.left.remove(3) }
    test.fileSystem.injectFault { $0.name == "renameat" && $0.target == "store.json" ? EIO : nil }
    #expect(throws: SnapshotError.self) { try store.flushAndWait(folding: true) }
    test.fileSystem.injectFault(nil)
    let peer = if let early { early } else { try open(.shared) }
    peer.checkFileAndWait()
    try peer.write { try $0.set(4, to: 4) }
    try peer.flushAndWait()
    try expectOnDisk(peer.snapshot().value)
    try store.flushAndWait()
    peer.checkFileAndWait()
    let expected = try Counters(left: [1: 0, 2: 0, 4: 4])
    #expect(store.snapshot().value == expected)
    #expect(peer.snapshot().value == expected)
    try expectOnDisk(expected)
  }

  /// A full disk for two minutes, and the policy `automatic`: the quiet time begins the fold.
  @Test func aFullDiskDuringTheQuietTime() throws {
    var options = StoreOptions(policy: .automatic(), journal: .beside())
    options.log = { _ in }
    let store = try test.open(Counters.self, options)
    try store.write { try $0.set(1, to: 0) }
    test.scheduler.advance(by: .seconds(120))
    #expect(test.journal == nil)
    for value in [1, 0] {
      try store.write { try $0.set(1, to: value) }
      test.scheduler.advance(by: .seconds(2))
    }
    // Lines still fit into the space that the journal has.
    test.fileSystem.injectFault { ["write", "create"].contains($0.name) ? ENOSPC : nil }
    test.scheduler.advance(by: .seconds(120))
    try store.write { try $0.set(1, to: 1) }
    test.scheduler.advance(by: .seconds(40))
    // The fold has not got as far as its mark, so the journal goes on.
    #expect(!store.status.isDirty)
    try expectOnDisk(Counters(left: [1: 1]))
  }

  /// What a program finds after all processes were killed, with types and without.
  private func expectOnDisk(_ expected: Counters, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let disk = test.fileSystem.copyOfFiles()
    let location = try FileLocation(test.path, on: disk)
    let bytes = try disk.readJournaled(at: location, limit: .max).folded(ReadLimits(), path: test.path)
    #expect(try SnapshotFile.decode(Counters.self, from: bytes) == expected, sourceLocation: sourceLocation)
    var options = StoreOptions(policy: .manual)
    options.log = { _ in }
    let store = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: ManualScheduler())
    #expect(store.snapshot().value == expected, sourceLocation: sourceLocation)
    #expect(store.snapshot().value.allViolations() == [], sourceLocation: sourceLocation)
  }
}

extension Counters {
  /// Counters in the left table, by id.
  fileprivate init(left: [Int: Int]) throws {
    self.init()
    for (id, value) in left { try set(id, to: value) }
  }
}
