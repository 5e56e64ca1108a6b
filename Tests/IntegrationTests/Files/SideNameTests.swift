import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// No store gets the name of another store's side file. A store with such a name is not written.
struct SideNameTests {
  private static let reserved = [
    ".a.json.lock", ".A.JSON.LOCK", ".a.json.generations", TemporaryName(for: "a.json").with(7),
    TemporaryName(for: "A.json").with(7),
  ]
  private static let free = [
    ".lock", "..lock", "a.lock", ".a.json", ".a.json.1h7qf6uf614jj.tmp", ".generations", "a.json.generations",
    ".a.lock.json",
    "a.conflict-2026-11-21T15.30.12Z.json", ".b.tmp",
  ]

  /// Another version of the library may have made it.
  @Test func theFormOfATemporaryNameStays() {
    #expect(TemporaryName(for: "store.json").isForm(of: ".store.json.2opmvf43tnqmxquhkrjj.tmp"))
    #expect(!TemporaryName(for: "store.json").isForm(of: ".store.json.2opmvf43tnqmxquhkrjk.tmp"))
  }

  @Test func aStoreOfAnothersNameIsNotReadInstead() {
    let disk = InMemoryFileSystem(directories: ["/folder"])
    disk["/folder/.a.json.lock"] = Array("{}".utf8)
    var options = StoreOptions()
    options.fallsBackToReadOnly = true
    let error = #expect(throws: SnapshotError.self) {
      try Store<Notebook>.open(
        at: URL(fileURLWithPath: "/folder/.a.json.lock"), options: options, fileSystem: disk,
        scheduler: ManualScheduler())
    }
    #expect(error?.code == .reservedName)
  }

  @Test func aStoreOfAnothersNameIsRefused() {
    each(Self.reserved) { (name: String) throws in
      let disk = InMemoryFileSystem(directories: ["/folder"])
      let url = URL(fileURLWithPath: "/folder/\(name)")
      func open(_ policy: SavePolicy) throws -> Store<Notebook> {
        var options = StoreOptions()
        options.policy = policy
        return try Store<Notebook>.open(at: url, options: options, fileSystem: disk, scheduler: ManualScheduler())
      }
      let made = #expect(throws: SnapshotError.self) { try open(.automatic()) }
      #expect(made?.code == .reservedName && made?.advice != nil)
      #expect(disk.paths == [])
      // One that is there already stays, and can be read.
      let bytes = try SnapshotFile.encode(Notebook(), as: .json)
      disk["/folder/\(name)"] = bytes
      #expect(#expect(throws: SnapshotError.self) { try open(.automatic()) }?.code == .reservedName)
      let store = try open(.readOnly)
      #expect(store.snapshot().value.allViolations() == [])
      #expect(disk["/folder/\(name)"] == bytes && disk.paths.count == 1)
    }
  }

  @Test func otherNamesAreFree() {
    each(Self.free) { (name: String) throws in
      let disk = InMemoryFileSystem(directories: ["/folder"])
      let location = try FileLocation("/folder/\(name)", on: disk)
      try FileLock(of: location, on: disk).end()
      #expect(disk.paths == [])
    }
  }
}
