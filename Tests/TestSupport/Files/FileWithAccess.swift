#if os(Linux)
  import SnapshotSystem

  @testable import SnapshotStore

  /// A file on the real file system, to test its access list and its extended attributes.
  struct FileWithAccess {
    let folder: FolderUnderTest
    let name: String

    /// Makes a store `store.json` with the mode 0640 and the attributes `user.place` and `user.empty`. Where the file
    /// system has no attributes or no lists, `body` is not called.
    ///
    /// - Parameter list: nil for a file without one.
    static func with(list: [UInt8]?, _ body: (FolderUnderTest, FileWithAccess) throws -> Void) throws {
      try FolderUnderTest.with(.real) { folder in
        folder["store.json"] = try SnapshotFile.encode(Counters(), as: .json)
        let file = FileWithAccess(folder: folder, name: "store.json")
        try folder.setMode(0o640, of: file.name)
        guard try file.set("user.place", to: [1, 2, 3]), try file.set("user.empty", to: []) else { return }
        if let list, try !file.set(AccessList.attribute, to: list) { return }
        try body(folder, file)
      }
    }

    /// A list with one user and one group more. The mask lets nobody but the owner write.
    static func list(group: UInt16 = 0, mask: UInt16 = 4) -> [UInt8] {
      let anybody = UInt32.max
      let entries: [(tag: UInt16, rights: UInt16, id: UInt32)] = [
        (0x01, 6, anybody), (0x02, 6, 4321), (0x04, group, anybody), (0x08, 4, 8765), (0x10, mask, anybody),
        (0x20, 0, anybody),
      ]
      return bytes(UInt32(2)) + entries.flatMap { bytes($0.tag) + bytes($0.rights) + bytes($0.id) }
    }

    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

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
#endif
