#if os(Linux)
  import Foundation
  import SnapshotSystem
  import Testing

  @testable import SnapshotStore
  @testable import TestSupport

  /// Access lists and extended attributes. A save keeps them, and nobody gets more access than before, to the file or
  /// to what is beside it.
  @Suite struct FileAccessTests {
    private func replace(_ folder: FolderUnderTest, on fileSystem: some FileSystem) throws {
      let save = AtomicSave(fileSystem: fileSystem, location: try folder.location("store.json"))
      try save.replace(with: SnapshotFile.encode(Counters(), as: .json) + [0x0A])
    }

    @Test func aSaveKeepsThem() throws {
      try FileWithAccess.with(list: FileWithAccess.list()) { folder, file in
        let old = try folder.fileSystem.status(at: "\(folder.path)/store.json")
        try replace(folder, on: folder.fileSystem)
        #expect(try folder.fileSystem.status(at: "\(folder.path)/store.json").inode != old.inode)
        #expect(try file.list == FileWithAccess.list() && file.mode == 0o640)
        #expect(try file.attribute("user.place") == [1, 2, 3] && file.attribute("user.empty") == [])
      }
    }

    // `fchmod` raises the mask of a list, also of one that a folder has given to a new file.
    @Test func aFolderGivesAFileNoAccess() throws {
      try FileWithAccess.with(list: nil) { folder, file in
        let ofFolder = FileWithAccess(folder: folder, name: ".")
        guard try ofFolder.set("system.posix_acl_default", to: FileWithAccess.list(group: 7, mask: 7)) else { return }
        try replace(folder, on: folder.fileSystem)
        #expect(try file.list == nil && file.mode == 0o640)
      }
    }

    // The group's part of the mode is the mask: 4. The group itself has no right.
    @Test func whatIsBesideTheFileHasItsAccess() throws {
      try FileWithAccess.with(list: FileWithAccess.list()) { folder, file in
        var options = StoreOptions(policy: .manual, journal: .beside())
        options.generations.interval = .zero
        let store = try Store<Counters>.open(at: folder.url("store.json"), options: options)
        try store.write { try $0.set(1, to: 1) }
        try store.flushAndWait(folding: true)
        try store.write { try $0.set(1, to: 2) }
        try store.flushAndWait()
        let beside = folder.allNames.filter { $0 != file.name }
        #expect(beside.contains { $0.hasSuffix(".lock") } && beside.contains { $0.contains("generations") })
        #expect(beside.count == 3, "\(beside)")
        for name in beside {
          let isFolder = name.contains("generations")
          let list = try #require(try FileWithAccess(folder: folder, name: name).list, "\(name)")
          // Those who may read may enter, and the mask lets them.
          var expected = try #require(AccessList(FileWithAccess.list(mask: isFolder ? 5 : 4)))
          if isFolder { expected.letReadersEnter() }
          #expect(AccessList(list)?.owningGroupRights == 0)
          if !isFolder { #expect(list == expected.bytes, "\(name)") }
        }
        #expect(store.snapshot().value.allViolations() == [])
        try store.closeAndWait()
        #expect(try file.list == FileWithAccess.list())
      }
    }

    @Test func aCopyHasThem() throws {
      try FileWithAccess.with(list: FileWithAccess.list()) { folder, file in
        let fileSystem = ObservedFileSystem(folder.fileSystem) { _, step in step.hasPrefix("link") ? EPERM : nil }
        let directory = try fileSystem.openDirectory(folder.path)
        defer { fileSystem.close(directory) }
        try fileSystem.keep("store.json", in: directory, as: "copy", in: directory)
        let copy = FileWithAccess(folder: folder, name: "copy")
        #expect(try copy.list == FileWithAccess.list() && copy.attribute("user.place") == [1, 2, 3])
        #expect(try fileSystem.status(of: "copy", in: directory).links == 1)
      }
    }

    /// A pipe has no list. The group's part of the mode would be what the mask lets others do.
    @Test func whereAListCannotBeNobodyHasMoreAccess() throws {
      try FileWithAccess.with(list: FileWithAccess.list()) { folder, _ in
        let pipe = Pipe()
        let target = OpenFile(number: pipe.fileHandleForWriting.fileDescriptor)
        let directory = try folder.fileSystem.openDirectory(folder.path)
        defer { folder.fileSystem.close(directory) }
        let status = try folder.fileSystem.status(of: "store.json", in: directory)
        #expect(status.mode == 0o640)
        try folder.fileSystem.setAccess(target, like: status, of: "store.json", in: directory, attributes: true)
        #expect(try folder.fileSystem.status(target).mode == 0o600)
      }
    }

    // MARK: Lists

    @Test func listsAreReadAndWritten() throws {
      let bytes = FileWithAccess.list(group: 6, mask: 4)
      var list = try #require(AccessList(bytes))
      #expect(list.bytes == bytes)
      // Within the mask.
      #expect(list.owningGroupRights == 4)
      list.replaceOwningGroup()
      #expect(list.owningGroupRights == 0)
      #expect(list.bytes == FileWithAccess.list(group: 0, mask: 4))
      #expect(AccessList([]) == nil && AccessList(Array(bytes.dropLast())) == nil && AccessList([3, 0, 0, 0]) == nil)
      #expect(AccessList([2, 0, 0, 0])?.owningGroupRights == 0)
    }

    /// A user or a group whom the list denies a right must not have it as one of the group, or of all others.
    @Test func aModeInsteadOfAListGivesNobodyMore() throws {
      func list(_ named: UInt16, group: UInt16, mask: UInt16, other: UInt16) throws -> AccessList {
        let entries: [(tag: UInt16, rights: UInt16)] = [
          (0x01, 6), (0x02, named), (0x04, group), (0x10, mask), (0x20, other),
        ]
        return try #require(
          AccessList(
            FileWithAccess.bytes(UInt32(2))
              + entries.flatMap { FileWithAccess.bytes($0.tag) + FileWithAccess.bytes($0.rights) + [1, 0, 0, 0] }))
      }
      #expect(try list(0, group: 4, mask: 4, other: 4).modeInstead(of: 0o644) == 0o600)
      #expect(try list(4, group: 6, mask: 6, other: 4).modeInstead(of: 0o664) == 0o644)
      #expect(try list(6, group: 0, mask: 4, other: 6).modeInstead(of: 0o646) == 0o604)
      // Members of the old group are among all others.
      var lost = try list(6, group: 0, mask: 6, other: 4)
      lost.replaceOwningGroup()
      #expect(lost.otherRights == 0)
    }

    @Test func aNameThatIsNotUTF8IsKept() throws {
      try FileWithAccess.with(list: nil) { folder, file in
        let name = Array("user.".utf8).map { CChar($0) } + [CChar(bitPattern: 0xFF), 0]
        guard try file.set(name, to: [7]) else { return }
        try replace(folder, on: folder.fileSystem)
        #expect(try file.attribute(name) == [7])
      }
    }
  }
#endif
