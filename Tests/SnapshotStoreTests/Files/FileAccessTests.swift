#if os(Linux)
  import Foundation
  import SnapshotSystem
  import Testing

  @testable import SnapshotStore
  @testable import TestSupport

  /// Access lists and extended attributes. A save keeps them, and nobody gets more access than before, to the file or
  /// to what is beside it.
  @Suite struct FileAccessTests {
    /// A list with one user and one group more. The mask lets nobody but the owner write.
    private static func list(group: UInt16 = 0, mask: UInt16 = 4) -> [UInt8] {
      let anybody = UInt32.max
      let entries: [(tag: UInt16, rights: UInt16, id: UInt32)] = [
        (0x01, 6, anybody), (0x02, 6, 4321), (0x04, group, anybody), (0x08, 4, 8765), (0x10, mask, anybody),
        (0x20, 0, anybody),
      ]
      return bytes(UInt32(2)) + entries.flatMap { bytes($0.tag) + bytes($0.rights) + bytes($0.id) }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// A file on the real file system that is open for the test.
    private struct File {
      let folder: FolderUnderTest
      let name: String

      func attribute(_ attribute: UnsafePointer<CChar>) throws -> [UInt8]? {
        try withDescriptor { descriptor in
          var value: [UInt8] = []
          return ExtendedAttributes.read(attribute, of: descriptor, into: &value) == 0 ? value : nil
        }
      }

      /// - Returns: whether the file system has such attributes.
      func set(_ attribute: UnsafePointer<CChar>, to value: [UInt8]) throws -> Bool {
        try withDescriptor { ExtendedAttributes.set(attribute, of: $0, to: value) == 0 }
      }

      var list: [UInt8]? { get throws { try attribute(AccessList.attribute) } }
      var mode: UInt32 { get throws { try folder.fileSystem.status(at: "\(folder.path)/\(name)").mode } }

      private func withDescriptor<Result>(_ body: (Int32) -> Result) throws -> Result {
        let directory = try folder.fileSystem.openDirectory(folder.path)
        defer { folder.fileSystem.close(directory) }
        let file = try folder.fileSystem.open(name, in: directory)
        defer { folder.fileSystem.close(file) }
        return body(file.number)
      }
    }

    /// - Parameter list: nil for a file without one.
    private func withFile(list: [UInt8]?, _ body: (FolderUnderTest, File) throws -> Void) throws {
      try FolderUnderTest.with(.real) { folder in
        folder["store.json"] = try SnapshotFile.encode(Counters(), as: .json)
        let file = File(folder: folder, name: "store.json")
        try folder.setMode(0o640, of: file.name)
        guard try file.set("user.place", to: [1, 2, 3]), try file.set("user.empty", to: []) else { return }
        if let list, try !file.set(AccessList.attribute, to: list) { return }
        try body(folder, file)
      }
    }

    private func replace(_ folder: FolderUnderTest, on fileSystem: some FileSystem) throws {
      let save = AtomicSave(fileSystem: fileSystem, location: try folder.location("store.json"))
      try save.replace(with: SnapshotFile.encode(Counters(), as: .json) + [0x0A])
    }

    @Test func aSaveKeepsThem() throws {
      try withFile(list: Self.list()) { folder, file in
        let old = try folder.fileSystem.status(at: "\(folder.path)/store.json")
        try replace(folder, on: folder.fileSystem)
        #expect(try folder.fileSystem.status(at: "\(folder.path)/store.json").inode != old.inode)
        #expect(try file.list == Self.list() && file.mode == 0o640)
        #expect(try file.attribute("user.place") == [1, 2, 3] && file.attribute("user.empty") == [])
      }
    }

    // `fchmod` raises the mask of a list, also of one that a folder has given to a new file.
    @Test func aFolderGivesAFileNoAccess() throws {
      try withFile(list: nil) { folder, file in
        let ofFolder = File(folder: folder, name: ".")
        guard try ofFolder.set("system.posix_acl_default", to: Self.list(group: 7, mask: 7)) else { return }
        try replace(folder, on: folder.fileSystem)
        #expect(try file.list == nil && file.mode == 0o640)
      }
    }

    // The group's part of the mode is the mask: 4. The group itself has no right.
    @Test func whatIsBesideTheFileHasItsAccess() throws {
      try withFile(list: Self.list()) { folder, file in
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
          let list = try #require(try File(folder: folder, name: name).list, "\(name)")
          // Those who may read may enter, and the mask lets them.
          var expected = try #require(AccessList(Self.list(mask: isFolder ? 5 : 4)))
          if isFolder { expected.letReadersEnter() }
          #expect(AccessList(list)?.owningGroupRights == 0)
          if !isFolder { #expect(list == expected.bytes, "\(name)") }
        }
        #expect(store.snapshot().value.allViolations() == [])
        try store.closeAndWait()
        #expect(try file.list == Self.list())
      }
    }

    @Test func aCopyHasThem() throws {
      try withFile(list: Self.list()) { folder, file in
        let fileSystem = ObservedFileSystem(folder.fileSystem) { _, step in step.hasPrefix("link") ? EPERM : nil }
        let directory = try fileSystem.openDirectory(folder.path)
        defer { fileSystem.close(directory) }
        try fileSystem.keep("store.json", in: directory, as: "copy", in: directory)
        let copy = File(folder: folder, name: "copy")
        #expect(try copy.list == Self.list() && copy.attribute("user.place") == [1, 2, 3])
        #expect(try fileSystem.status(of: "copy", in: directory).links == 1)
      }
    }

    @Test func aFileOfAFolderKeepsThem() throws {
      try withFile(list: Self.list()) { folder, file in
        try FolderWriter.write(at: URL(filePath: folder.path), intoExisting: true) { writer in
          try writer.write([1], to: "store.json", in: nil)
          try writer.write([1], to: "new", in: nil)
        }
        #expect(folder["store.json"] == [1])
        #expect(try file.list == Self.list() && file.mode == 0o640 && file.attribute("user.place") == [1, 2, 3])
        #expect(try File(folder: folder, name: "new").mode == 0o600)
      }
    }

    /// A pipe has no list. The group's part of the mode would be what the mask lets others do.
    @Test func whereAListCannotBeNobodyHasMoreAccess() throws {
      try withFile(list: Self.list()) { folder, _ in
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
      let bytes = Self.list(group: 6, mask: 4)
      var list = try #require(AccessList(bytes))
      #expect(list.bytes == bytes)
      // Within the mask.
      #expect(list.owningGroupRights == 4)
      list.replaceOwningGroup()
      #expect(list.owningGroupRights == 0)
      #expect(list.bytes == Self.list(group: 0, mask: 4))
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
            Self.bytes(UInt32(2)) + entries.flatMap { Self.bytes($0.tag) + Self.bytes($0.rights) + [1, 0, 0, 0] }))
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
      try withFile(list: nil) { folder, file in
        let name = Array("user.".utf8).map { CChar($0) } + [CChar(bitPattern: 0xFF), 0]
        guard try file.set(name, to: [7]) else { return }
        try replace(folder, on: folder.fileSystem)
        #expect(try file.attribute(name) == [7])
      }
    }
  }
#endif
