import Foundation
import SnapshotSystem
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Folders in which stores cannot share a file.
struct SharedFolderTests {
  private let disk = InMemoryFileSystem(directories: ["/dir"])

  private func open(_ access: StoreAccess, _ fileSystem: ObservedFileSystem) throws -> Store<Counters> {
    try Store<Counters>.open(
      at: URL(fileURLWithPath: "/dir/store.json"), options: StoreOptions(policy: .manual, access: access),
      fileSystem: fileSystem, scheduler: ManualScheduler())
  }

  @Test func aNetworkFileSystemIsRefused() throws {
    let fileSystem = ObservedFileSystem(disk, network: "nfs4")
    let error = try #require(throws: SnapshotError.self) { try open(.shared, fileSystem) }
    #expect(error.code == .notShareable)
    #expect(error.message.contains("(nfs4)"))
    #expect(disk.paths == [])
    try open(.exclusive, fileSystem).closeAndWait()
  }

  /// It has the file alone, also with the options of a store that shares it.
  @Test func aShortSessionSharesNothing() throws {
    var options = StoreOptions()
    options.access = .shared
    try Store<Counters>.update(
      at: URL(fileURLWithPath: "/dir/store.json"), options: options, waitingAtMost: .zero,
      fileSystem: ObservedFileSystem(disk, network: "nfs4"), scheduler: ManualScheduler()
    ) { try $0.set(1, to: 1) }
    #expect(disk.paths == ["/dir/store.json"])
  }

  @Test func aFolderWithoutLocksIsRefused() throws {
    for number in [ENOLCK, ENOTSUP, ENOSYS] {
      let fileSystem = ObservedFileSystem(disk) { _, step in step.hasPrefix("flock") ? number : nil }
      let error = try #require(throws: SnapshotError.self) { try open(.shared, fileSystem) }
      #expect(error.code == .ioFailed)
      #expect(error.advice?.hasPrefix("The file system has no locks") == true)
      #expect(disk["/dir/store.json"] == nil)
    }
  }

  /// Another call may fail with the same number. That says nothing of locks.
  @Test func aLockFileThatCannotBeMadeIsNoLackOfLocks() throws {
    disk.injectFault { $0.name == "create" && $0.target == ".store.json.lock" ? ENOTSUP : nil }
    let error = try #require(throws: SnapshotError.self) { try open(.shared, ObservedFileSystem(disk)) }
    #expect(error.code == .ioFailed && error.systemError == ENOTSUP)
    #expect(error.advice == nil)
  }

  #if os(Linux)
    @Test func theMountsTell() {
      let mounts = """
        22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
        95 22 0:44 / /home rw,relatime shared:50 master:2 - nfs4 server:/home rw,vers=4.2
        96 22 0:300 /a\\040b /mnt/x rw - fuse.sshfs me@there: rw
        97 22 8:17 / /media rw - vfat /dev/sdb1 rw
        98 22 0:45
        99 22 0:46 / /odd rw -
        """
      let kinds = [UInt64]([0xfe00, 0x2c, 0x10002c, 0x811, 0x2d, 0x2e, 0x1]).map {
        Differences.networkFileSystem(ofDevice: $0, mounts: mounts)
      }
      #expect(kinds == [nil, "nfs4", "fuse.sshfs", nil, nil, nil, nil])
      #expect(POSIXFileSystem().networkFileSystem(at: "/no/such/folder") == nil)
      #expect(POSIXFileSystem().networkFileSystem(at: "/proc") == nil)
    }
  #endif

  /// Neither is written to, and neither is removed.
  @Test func aLockThatIsADirectoryOrALinkIsRefused() throws {
    let folder = try TemporaryFolder()
    for (name, make) in [
      ("directory", { try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false) }),
      ("symbolic link", { try FileManager.default.createSymbolicLink(atPath: $0.path, withDestinationPath: "other") }),
    ] as [(String, (URL) throws -> Void)] {
      let lock = folder.url(".store.json.lock")
      try make(lock)
      let error = try #require(throws: SnapshotError.self) {
        try Store<Counters>.open(at: folder.url("store.json"), options: StoreOptions(access: .shared))
      }
      #expect(error.code == .reservedName)
      #expect(error.message.contains(name))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url("").path) == [".store.json.lock"])
      try FileManager.default.removeItem(at: lock)
    }
  }
}
