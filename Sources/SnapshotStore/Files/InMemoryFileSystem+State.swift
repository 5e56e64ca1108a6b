extension InMemoryFileSystem {
  struct File {
    var bytes: [UInt8] = []
    var mode: UInt32 = 0o600
    var modified: Int64 = 0

    /// Overwrites what is there, and goes on behind it.
    mutating func write(_ new: some Collection<UInt8>, at position: Int) {
      let end = min(bytes.count, position + new.count)
      bytes.replaceSubrange(min(position, end)..<end, with: new)
    }
  }

  enum Entry {
    case directory
    case file(inode: UInt64)
    case link(to: String)
  }

  struct Open {
    let path: String
    let inode: UInt64?
    var position = 0
    var isLocked = false
  }

  struct State {
    var entries: [String: Entry] = ["/": .directory]
    var files: [UInt64: File] = [:]
    var open: [Int32: Open] = [:]
    var calls: [Call] = []
    var lastNumber: Int32 = 2
    var lastInode: UInt64 = 0
    var time: Int64 = 0
    var fault: (@Sendable (Call) -> Int32?)?
    var writeLimit = Int.max
  }
}

extension InMemoryFileSystem.State {
  mutating func makeFile(at path: String) -> UInt64 {
    lastInode += 1
    files[lastInode] = InMemoryFileSystem.File()
    entries[path] = .file(inode: lastInode)
    touch(lastInode)
    return lastInode
  }

  mutating func touch(_ inode: UInt64) {
    time += 1
    files[inode]?.modified = time
  }

  mutating func makeHandle(_ file: InMemoryFileSystem.Open) -> OpenFile {
    lastNumber += 1
    open[lastNumber] = file
    return OpenFile(number: lastNumber)
  }

  func handle(_ file: OpenFile, _ call: String) throws(SystemError) -> InMemoryFileSystem.Open {
    guard let open = open[file.number] else { throw SystemError(call: call, number: SystemError.badDescriptor) }
    return open
  }

  func path(_ name: String, in directory: OpenFile, _ call: String) throws(SystemError) -> String {
    let folder = try handle(directory, call).path
    return folder == "/" ? "/" + name : folder + "/" + name
  }
}
