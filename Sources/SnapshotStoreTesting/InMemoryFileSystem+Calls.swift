package import SnapshotStore
// In release builds a small lock is a mutex of this module.
import Synchronization

/// The calls of `FileSystem`.
extension InMemoryFileSystem: FileSystem {
  package var user: UInt32 { 0 }

  package func resolve(_ path: String) throws(SystemError) -> String {
    try perform("realpath", path) { state throws(SystemError) in
      var path = path
      for _ in 0..<8 {
        guard case .link(let target)? = state.entries[path] else { break }
        path = target
      }
      guard state.entries[path] != nil else { throw SystemError(call: "realpath", number: SystemError.noSuchFile) }
      return path
    }
  }

  package func openDirectory(_ path: String) throws(SystemError) -> OpenFile {
    try perform("open", path) { state throws(SystemError) in
      guard let entry = state.entries[path] else { throw SystemError(call: "open", number: SystemError.noSuchFile) }
      guard case .directory = entry else { throw SystemError(call: "open", number: SystemError.notDirectory) }
      return state.makeHandle(Open(path: path, inode: nil))
    }
  }

  package func openDirectory(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    try perform("openat", name) { state throws(SystemError) in
      let path = try state.path(name, in: directory, "openat")
      guard let entry = state.entries[path] else { throw SystemError(call: "openat", number: SystemError.noSuchFile) }
      guard case .directory = entry else { throw SystemError(call: "openat", number: SystemError.notDirectory) }
      return state.makeHandle(Open(path: path, inode: nil))
    }
  }

  package func makeDirectory(_ name: String, in directory: OpenFile) throws(SystemError) {
    try perform("mkdirat", name) { state throws(SystemError) in
      let path = try state.path(name, in: directory, "mkdirat")
      guard state.entries[path] == nil else { throw SystemError(call: "mkdirat", number: SystemError.exists) }
      state.change(try state.handle(directory, "mkdirat").path, [(path, .directory)])
    }
  }

  package func openLockFile(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    try perform("openat", name) { state throws(SystemError) in
      let path = try state.path(name, in: directory, "openat")
      switch state.entries[path] {
      case nil: throw SystemError(call: "openat", number: SystemError.noSuchFile)
      case .file(let inode): return state.makeHandle(Open(path: path, inode: inode))
      case .link: throw SystemError(call: "openat", number: SystemError.tooManyLinks)
      case .directory: throw SystemError(call: "openat", number: SystemError.isDirectory)
      }
    }
  }

  /// Does not wait: the holder would have to release the lock on another thread.
  package func lock(_ file: OpenFile, timeLimit: Duration) throws(SystemError) {
    try perform("flock", "") { state throws(SystemError) in
      let own = try state.handle(file, "flock")
      let isHeld = state.open.contains { $0.key != file.number && $0.value.isLocked && $0.value.isSameFile(as: own) }
      if isHeld { throw SystemError(call: "flock", number: SystemError.wouldBlock) }
      state.open[file.number]?.isLocked = true
    }
  }

  package func unlock(_ file: OpenFile) {
    _ = try? perform("funlock", "") { state throws(SystemError) in state.open[file.number]?.isLocked = false }
  }

  package func isLocked(_ file: OpenFile) -> Bool? {
    try? perform("locks", "") { state throws(SystemError) in
      let own = try state.handle(file, "locks")
      return state.open.values.contains { $0.isLocked && $0.isSameFile(as: own) }
    }
  }

  package func requireWritable(_ name: String, in directory: OpenFile) throws(SystemError) {
    try perform("faccessat", name) { state throws(SystemError) in
      guard case .file(let inode)? = state.entries[try state.path(name, in: directory, "faccessat")] else { return }
      if (state.files[inode]?.mode ?? 0) & 0o200 == 0 {
        throw SystemError(call: "faccessat", number: SystemError.accessDenied)
      }
    }
  }

  package func open(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    try perform("openat", name) { state throws(SystemError) in
      let path = try state.path(name, in: directory, "openat")
      switch state.entries[path] {
      case nil: throw SystemError(call: "openat", number: SystemError.noSuchFile)
      case .link: throw SystemError(call: "openat", number: SystemError.tooManyLinks)
      case .directory: return state.makeHandle(Open(path: path, inode: nil))
      case .file(let inode): return state.makeHandle(Open(path: path, inode: inode))
      }
    }
  }

  package func create(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    try perform("create", name) { state throws(SystemError) in
      let path = try state.path(name, in: directory, "openat")
      guard state.entries[path] == nil else { throw SystemError(call: "openat", number: SystemError.exists) }
      let inode = state.makeFile()
      state.change(try state.handle(directory, "openat").path, [(path, .file(inode: inode))])
      return state.makeHandle(Open(path: path, inode: inode))
    }
  }

  package func status(at path: String) throws(SystemError) -> FileStatus {
    try perform("stat", path) { state throws(SystemError) in
      var path = path
      for _ in 0..<8 {
        guard case .link(let target)? = state.entries[path] else { break }
        path = target
      }
      return try state.status(state.entries[path], at: path, "stat")
    }
  }

  package func status(of name: String, in directory: OpenFile?) throws(SystemError) -> FileStatus {
    try perform("fstatat", name) { state throws(SystemError) in
      let path = if let directory { try state.path(name, in: directory, "fstatat") } else { name }
      let entry = state.entries[path]
      if case .link? = entry { throw SystemError(call: "fstatat", number: SystemError.tooManyLinks) }
      return try state.status(entry, at: path, "fstatat")
    }
  }

  package func status(_ file: OpenFile) throws(SystemError) -> FileStatus {
    try perform("fstat", "") { state throws(SystemError) in
      let open = try state.handle(file, "fstat")
      return try state.status(open.inode.map { .file(inode: $0) } ?? .directory, at: open.path, "fstat")
    }
  }

  /// This file system has neither access lists nor extended attributes.
  package func setAccess(
    _ file: OpenFile, like status: FileStatus, of name: String, in directory: OpenFile, attributes: Bool
  ) throws(SystemError) {
    try perform("fchmod", "") { state throws(SystemError) in
      guard let inode = try state.handle(file, "fchmod").inode else { return }
      state.files[inode]?.mode = status.mode
      state.files[inode]?.owner = status.owner
    }
  }

  package func rename(_ name: String, to newName: String, in directory: OpenFile) throws(SystemError) {
    try perform("renameat", newName) { state throws(SystemError) in
      let old = try state.path(name, in: directory, "renameat")
      let new = try state.path(newName, in: directory, "renameat")
      guard let entry = state.entries[old] else {
        throw SystemError(call: "renameat", number: SystemError.noSuchFile)
      }
      // As POSIX specifies for two names of one file, and for a name and itself.
      if old == new || entry != .directory && state.entries[new] == entry { return }
      var names: [(path: String, entry: InMemoryFileSystem.Entry?)] = [(old, nil), (new, entry)]
      if entry == .directory {
        try state.requireEmptyDirectory(new, "renameat")
        // The content of a directory moves with it.
        for (path, entry) in state.entries {
          if let rest = path.behind(old + "/") { names += [(path, nil), ("\(new)/\(rest)", entry)] }
        }
      }
      state.change(try state.handle(directory, "renameat").path, names)
    }
  }

  package func link(
    _ name: String, in directory: OpenFile, to newName: String, in newDirectory: OpenFile
  ) throws(SystemError) {
    try perform("linkat", newName) { state throws(SystemError) in
      let old = try state.path(name, in: directory, "linkat")
      let new = try state.path(newName, in: newDirectory, "linkat")
      guard case .file? = state.entries[old] else {
        throw SystemError(call: "linkat", number: SystemError.noSuchFile)
      }
      guard state.entries[new] == nil else { throw SystemError(call: "linkat", number: SystemError.exists) }
      state.change(try state.handle(newDirectory, "linkat").path, [(new, state.entries[old])])
    }
  }

  package func remove(_ name: String, in directory: OpenFile) throws(SystemError) {
    try perform("unlinkat", name) { state throws(SystemError) in
      let path = try state.path(name, in: directory, "unlinkat")
      guard let entry = state.entries[path] else { throw SystemError(call: "unlinkat", number: SystemError.noSuchFile) }
      if entry == .directory { throw SystemError(call: "unlinkat", number: SystemError.isDirectory) }
      state.change(try state.handle(directory, "unlinkat").path, [(path, nil)])
    }
  }

  package func removeDirectory(_ name: String, in directory: OpenFile) throws(SystemError) {
    try perform("unlinkat", name) { state throws(SystemError) in
      let path = try state.path(name, in: directory, "unlinkat")
      guard state.entries[path] != nil else { throw SystemError(call: "unlinkat", number: SystemError.noSuchFile) }
      try state.requireEmptyDirectory(path, "unlinkat")
      state.change(try state.handle(directory, "unlinkat").path, [(path, nil)])
    }
  }

  package func setDates(_ file: OpenFile, created: Int64, modified: Int64) throws(SystemError) {
    try perform("futimens", "") { state throws(SystemError) in
      guard let inode = try state.handle(file, "futimens").inode else { return }
      state.files[inode]?.modified = modified
    }
  }

  package func names(in directory: OpenFile) throws(SystemError) -> [String] {
    try perform("readdir", "") { state throws(SystemError) in
      let prefix = try state.path("", in: directory, "readdir")
      return state.entries.keys.compactMap { $0.behind(prefix) }.filter { !$0.utf8.contains(UInt8(ascii: "/")) }
        .sorted()
    }
  }

  package func size(_ file: OpenFile) throws(SystemError) -> Int {
    try perform("lseek", "") { state throws(SystemError) in
      let open = try state.handle(file, "lseek")
      return try state.status(open.inode.map { .file(inode: $0) } ?? .directory, at: open.path, "lseek").size
    }
  }

  package func watchUse(of path: String) -> (any UseWatch)? {
    state.withLock { state in
      guard state.tellsOfUse, case .file(let inode)? = state.entries[path] else { return nil }
      return InMemoryUseWatch(fileSystem: self, inode: inode, uses: state.uses[inode] ?? 0)
    }
  }

  package func close(_ file: OpenFile) {
    state.withLock { $0.open[file.number] = nil }
  }
}

/// A watch on a file in memory.
private struct InMemoryUseWatch: UseWatch {
  let fileSystem: InMemoryFileSystem
  let inode: UInt64
  /// How often the file had been used when the watch began.
  let uses: Int

  var isUnused: Bool { fileSystem.state.withLock { $0.uses[inode] ?? 0 } == uses }
}
