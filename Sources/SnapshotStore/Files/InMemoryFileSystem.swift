import Synchronization

/// A file system in memory, for tests: what a save leaves behind can be looked at, any call can be made to fail, and a
/// crash leaves every state that a real disk may be in afterwards (``statesAfterCrash(_:)``).
///
/// One flat space of absolute paths, with directories, regular files and symbolic links to files.
package final class InMemoryFileSystem: FileSystem {
  /// One call, as a test sees it before it is carried out.
  package struct Call: Equatable, Sendable {
    package let name: String
    package let target: String
    /// Calls count from 1.
    package let number: Int
  }

  /// What befalls a call.
  package enum Event: Equatable, Sendable {
    /// It does nothing, and fails with this `errno`.
    case fail(Int32)
    /// If it is a write, it takes at most so many bytes.
    case shorten(to: Int)
    /// The machine, or the process, dies before it: it and all later calls fail and do nothing.
    case crash
  }

  private let state: Mutex<State>

  /// An empty file system with the given directories.
  package convenience init(directories: [String] = []) {
    var state = State()
    for path in directories { state.place(.directory, at: path) }
    self.init(state)
  }

  /// A file system in a given state.
  init(_ state: State) { self.state = Mutex(state) }

  var copyOfState: State { state.withLock { $0 } }

  // MARK: What tests do

  /// Every call so far, in order.
  package var calls: [Call] { state.withLock { $0.calls } }

  /// The number of files and directories that are open.
  package var openCount: Int { state.withLock { $0.open.count } }

  /// The number of locks that are held.
  package var lockCount: Int { state.withLock { $0.open.values.count { $0.isLocked } } }

  /// The paths of all files and links.
  package var paths: [String] {
    state.withLock { state in
      state.entries.filter { if case .directory = $0.value { false } else { true } }.keys.sorted()
    }
  }

  /// Makes calls fail with the `errno` that `fault` gives for them.
  package func injectFault(_ fault: (@Sendable (Call) -> Int32?)?) {
    guard let fault else { return injectEvent(nil) }
    injectEvent { call in fault(call).map { .fail($0) } }
  }

  /// Makes befall calls what `event` gives for them. It is called without a lock, so it may take its time, and use the
  /// file system itself.
  package func injectEvent(_ event: (@Sendable (Call) -> Event?)?) { state.withLock { $0.event = event } }

  /// Makes every later call fail and do nothing, as though the process had been killed.
  package func crash() { state.withLock { $0.isCrashed = true } }

  package var isCrashed: Bool { state.withLock { $0.isCrashed } }

  /// The bytes of all files, by their paths.
  package var contents: [String: [UInt8]] {
    state.withLock { state in
      state.entries.compactMapValues { if case .file(let inode) = $0 { state.files[inode]?.bytes } else { nil } }
    }
  }

  /// Makes a directory, durably.
  package func placeDirectory(_ path: String) { state.withLock { $0.place(.directory, at: path) } }

  /// Makes `write` take at most so many bytes at a time.
  package func limitWrites(to count: Int) { state.withLock { $0.writeLimit = count } }

  /// The bytes of a file, or what someone else writes into it.
  package subscript(path: String) -> [UInt8]? {
    get {
      state.withLock { state in
        if case .file(let inode)? = state.entries[path] { state.files[inode]?.bytes } else { nil }
      }
    }
    set {
      state.withLock { state in
        guard let newValue else {
          state.place(nil, at: path)
          return
        }
        let inode = state.makeFile()
        state.files[inode]?.place(newValue)
        state.place(.file(inode: inode), at: path)
      }
    }
  }

  /// Changes the bytes of a file in place, without a trace in its status.
  package func overwrite(_ path: String, _ change: (inout [UInt8]) -> Void) {
    state.withLock { state in
      if case .file(let inode)? = state.entries[path], var file = state.files[inode] {
        var bytes = file.bytes
        change(&bytes)
        file.place(bytes)
        state.files[inode] = file
      }
    }
  }

  /// Makes a symbolic link.
  package func link(_ path: String, to target: String) {
    state.withLock { $0.place(.link(to: target), at: path) }
  }

  /// The permission bits of a file.
  package func mode(of path: String) -> UInt32? {
    state.withLock { state in
      if case .file(let inode)? = state.entries[path] { state.files[inode]?.mode } else { nil }
    }
  }

  /// Sets the permission bits of a file.
  package func setMode(_ mode: UInt32, of path: String) {
    state.withLock { state in
      if case .file(let inode)? = state.entries[path] { state.files[inode]?.mode = mode }
    }
  }

  // MARK: FileSystem

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
      case nil:
        let inode = state.makeFile()
        state.change(try state.handle(directory, "openat").path, [(path, .file(inode: inode))])
        return state.makeHandle(Open(path: path, inode: inode))
      case .file(let inode): return state.makeHandle(Open(path: path, inode: inode))
      case .link: throw SystemError(call: "openat", number: SystemError.tooManyLinks)
      case .directory: throw SystemError(call: "openat", number: SystemError.isDirectory)
      }
    }
  }

  /// Does not wait: whoever holds the lock would have to let go of it on another thread.
  package func lock(_ file: OpenFile, timeLimit: Duration) throws(SystemError) {
    try perform("flock", "") { state throws(SystemError) in
      let inode = try state.handle(file, "flock").inode
      let isHeld = state.open.contains { $0.key != file.number && $0.value.isLocked && $0.value.inode == inode }
      if isHeld { throw SystemError(call: "flock", number: SystemError.wouldBlock) }
      state.open[file.number]?.isLocked = true
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

  package func status(_ file: OpenFile) throws(SystemError) -> FileStatus {
    try perform("fstat", "") { state throws(SystemError) in
      let open = try state.handle(file, "fstat")
      let content = open.inode.flatMap { state.files[$0] }
      return FileStatus(
        kind: content == nil ? .directory : .regular, size: content?.bytes.count ?? 0, mode: content?.mode ?? 0o700,
        owner: 0, group: 0, device: 1, inode: open.inode ?? 0, modified: content?.modified ?? 0)
    }
  }

  package func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try read("read", file, into: buffer, at: nil)
  }

  package func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    try read("pread", file, into: buffer, at: offset)
  }

  private func read(
    _ call: String, _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int?
  ) throws(SystemError) -> Int {
    let chunk = try perform(call, "") { state throws(SystemError) in
      let open = try state.handle(file, call)
      guard let inode = open.inode, let content = state.files[inode] else {
        throw SystemError(call: call, number: SystemError.isDirectory)
      }
      let chunk = Array(content.bytes.dropFirst(offset ?? open.position).prefix(buffer.count))
      if offset == nil { state.open[file.number]?.position += chunk.count }
      return chunk
    }
    buffer.copyBytes(from: chunk)
    return chunk.count
  }

  package func write(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    let bytes = Array(buffer)
    return try perform("write", "") { state throws(SystemError) in
      let open = try state.handle(file, "write")
      guard let inode = open.inode else { throw SystemError(call: "write", number: SystemError.badDescriptor) }
      let count = min(bytes.count, state.writeLimit, state.nextWriteLimit)
      state.nextWriteLimit = .max
      state.files[inode]?.write(bytes.prefix(count), at: open.position)
      state.open[file.number]?.position += count
      state.touch(inode)
      return count
    }
  }

  package func setOwnership(_ file: OpenFile, like status: FileStatus) throws(SystemError) {
    try perform("fchmod", "") { state throws(SystemError) in
      guard let inode = try state.handle(file, "fchmod").inode else { return }
      state.files[inode]?.mode = status.mode
    }
  }

  package func sync(_ file: OpenFile) throws(SystemError) {
    do {
      try perform("fsync", "") { state throws(SystemError) in
        let open = try state.handle(file, "fsync")
        if let inode = open.inode { state.files[inode]?.sync() } else { state.syncDirectory(open.path) }
      }
    } catch {
      state.withLock { state in
        if let inode = state.open[file.number]?.inode { state.files[inode]?.syncFailed() }
      }
      throw error
    }
  }

  package func rename(_ name: String, to newName: String, in directory: OpenFile) throws(SystemError) {
    try perform("renameat", newName) { state throws(SystemError) in
      let old = try state.path(name, in: directory, "renameat")
      let new = try state.path(newName, in: directory, "renameat")
      guard let entry = state.entries[old] else {
        throw SystemError(call: "renameat", number: SystemError.noSuchFile)
      }
      // As POSIX has it for two names of one file, and for a name and itself.
      if state.entries[new] == entry { return }
      state.change(try state.handle(directory, "renameat").path, [(old, nil), (new, entry)])
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
      guard state.entries[path] != nil else { throw SystemError(call: "unlinkat", number: SystemError.noSuchFile) }
      state.change(try state.handle(directory, "unlinkat").path, [(path, nil)])
    }
  }

  package func names(in directory: OpenFile) throws(SystemError) -> [String] {
    try perform("readdir", "") { state throws(SystemError) in
      let prefix = try state.path("", in: directory, "readdir")
      return state.entries.keys.filter { $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/") }
        .map { String($0.dropFirst(prefix.count)) }.sorted()
    }
  }

  package func close(_ file: OpenFile) {
    state.withLock { $0.open[file.number] = nil }
  }

  private func perform<Result: Sendable>(
    _ name: String, _ target: String, _ body: (inout sending State) throws(SystemError) -> sending Result
  ) throws(SystemError) -> Result {
    let (call, event) = state.withLock { state in
      let call = Call(name: name, target: target, number: state.calls.count + 1)
      state.calls.append(call)
      return (call, state.event)
    }
    if isCrashed { throw SystemError(call: name, number: SystemError.ioError) }
    switch event?(call) {
    case .fail(let number): throw SystemError(call: name, number: number)
    case .crash: crash()
    case .shorten(let count): if name == "write" { state.withLock { $0.nextWriteLimit = count } }
    case nil: break
    }
    return try state.withLock { state throws(SystemError) in
      if state.isCrashed { throw SystemError(call: name, number: SystemError.ioError) }
      return try body(&state)
    }
  }
}
