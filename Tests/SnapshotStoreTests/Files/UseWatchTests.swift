#if os(Linux)
  import Foundation
  import Testing

  @testable import SnapshotStore
  @testable import TestSupport

  /// A watch notices everything that precedes a change of its file by others, and nothing that the owner does.
  struct UseWatchTests {
    /// What another program does.
    enum Deed: CaseIterable {
      case read, write, edit, link, rename, replace, exchange, remove, setDates, setMode
    }

    private let system = POSIXFileSystem()

    @Test func whatOthersDoIsNoticed() {
      each(Deed.allCases) { (deed: Deed) throws in
        let folder = try TemporaryFolder()
        let (path, other) = (folder.url("file").path, folder.url("other").path)
        try Data("one".utf8).write(to: folder.url("file"))
        try Data("two".utf8).write(to: folder.url("other"))
        let watch = try #require(FileUseWatch(path))
        let unconcerned = try #require(FileUseWatch(folder.url("other").path))
        #expect(watch.isUnused)
        switch deed {
        case .read: _ = try Data(contentsOf: folder.url("file"))
        case .write: try Data("six".utf8).write(to: folder.url("file"))
        case .edit:
          let handle = try FileHandle(forUpdating: folder.url("file"))
          try handle.write(contentsOf: Data("s".utf8))
          try handle.close()
        case .link: #expect(Glibc.link(path, path + "2") == 0)
        case .rename: #expect(Glibc.rename(path, path + "2") == 0)
        case .replace: #expect(Glibc.rename(other, path) == 0)
        case .exchange:
          #expect(Glibc.rename(path, path + "2") == 0)
          #expect(Glibc.rename(other, path) == 0)
          #expect(Glibc.rename(path + "2", other) == 0)
        case .remove: #expect(unlink(path) == 0)
        case .setDates: #expect(utimes(path, nil) == 0)
        case .setMode: #expect(chmod(path, 0o600) == 0)
        }
        #expect(!watch.isUnused)
        #expect(!watch.isUnused, "it is noticed once only")
        #expect(unconcerned.isUnused != [.replace, .exchange].contains(deed))
      }
    }

    @Test func whatTheOwnerDoesIsNotNoticed() throws {
      let folder = try TemporaryFolder()
      let directory = try system.openDirectory(folder.url("").path)
      defer { system.close(directory) }
      let file = try system.create("file", in: directory)
      try system.writeAll([1, 2, 3], to: file)
      let watch = try #require(FileUseWatch(folder.url("file").path))
      for offset in 0..<100 {
        try system.writeAll([4], to: file, at: offset)
        try system.syncData(file)
        #expect(try system.size(file) == max(3, offset + 1))
        _ = try system.status(file)
        _ = try system.status(at: folder.url("file").path)
      }
      _ = try system.names(in: directory)
      #expect(watch.isUnused)
      system.close(file)
      try Data().write(to: folder.url("other"))
      #expect(watch.isUnused)
      // The second watch of a file would end with the first one.
      #expect(FileUseWatch(folder.url("file").path) == nil)
      #expect(FileUseWatch(folder.url("missing").path) == nil)
    }

    @Test func aNewWatchKnowsNothingOfTheOldOne() throws {
      let folder = try TemporaryFolder()
      try Data("one".utf8).write(to: folder.url("file"))
      for _ in 0..<3 {
        let watch = try #require(FileUseWatch(folder.url("file").path))
        #expect(watch.isUnused)
        _ = try Data(contentsOf: folder.url("file"))
        #expect(!watch.isUnused)
      }
    }

    /// Dropped events, of any watch, count for each.
    @Test func tooManyEventsCountAsUse() throws {
      let folder = try TemporaryFolder()
      for name in ["file", "other"] { try Data("one".utf8).write(to: folder.url(name)) }
      // Another test that asks its watch would empty a common queue.
      let watches = UseWatches()
      let watch = try #require(FileUseWatch(folder.url("file").path, in: watches))
      let other = try #require(FileUseWatch(folder.url("other").path, in: watches))
      let limit = try Int(
        String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8).filter(\.isNumber))
      // The kernel joins equal events that follow each other.
      for number in 0...(limit ?? 16_384) {
        if number.isMultiple(of: 2) {
          chmod(folder.url("file").path, 0o600)
        } else {
          close(open(folder.url("file").path, O_RDONLY))
        }
      }
      #expect(!other.isUnused)
      #expect(!watch.isUnused)
    }

    /// Only files on block devices change through this kernel alone. `stat -c %d` prints such numbers.
    @Test func networksAndLayersAreNotWatched() throws {
      for device in [0x801, 0xFE00, 0x1_0300, 1 << 44, 0xFFF00] as [UInt64] {
        #expect(UseWatches.isBlockDevice(device))
      }
      for device in [0, 1, 0x36, 0xFF, 0x10_0001, 0xFFF0_00FF] as [UInt64] {
        #expect(!UseWatches.isBlockDevice(device))
      }
      // A file system in memory has no device.
      #expect(system.watchUse(of: "/proc/self/status") == nil)
    }
  }
#endif
