import SnapshotSystem

/// The file system of the machine. All calls on the file of a store and its folder are made here.
///
/// A call that a signal interrupts is repeated. Linux is tested. `Differences` has what other systems need.
package struct POSIXFileSystem: FileSystem {
  package init() {}

  package var user: UInt32 { UInt32(geteuid()) }

  package func resolve(_ path: String) throws(SystemError) -> String {
    guard let resolved = realpath(path, nil) else { throw Self.failure("realpath") }
    defer { free(resolved) }
    // A repaired name that was not UTF-8 would be the name of another file.
    guard let path = String(validatingCString: resolved) else {
      throw SystemError(call: "realpath", number: SystemError.illegalBytes)
    }
    return path
  }

  package func openDirectory(_ path: String) throws(SystemError) -> OpenFile {
    OpenFile(number: try Self.call("openat") { openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
  }

  package func openDirectory(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    return OpenFile(number: try Self.call("openat") { openat(directory.number, name, flags) })
  }

  package func makeDirectory(_ name: String, in directory: OpenFile) throws(SystemError) {
    _ = try Self.call("mkdirat") { mkdirat(directory.number, name, 0o700) }
  }

  package func openLockFile(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    // For writing: on NFS, flock(2) gives an exclusive lock only for such a descriptor.
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    return OpenFile(number: try Self.call("openat") { openat(directory.number, name, flags) })
  }

  package func lock(_ file: OpenFile, timeLimit: Duration) throws(SystemError) {
    let clock = ContinuousClock()
    let begin = clock.now
    let end = begin + timeLimit
    // Microseconds. Most holders save one line. Each process waits for a random time before it asks again. If two asked
    // at the same intervals, one of them might never get the lock.
    var longest: UInt32 = 200
    while true {
      do {
        _ = try Self.call("flock") { flock(file.number, LOCK_EX | LOCK_NB) }
        return
      } catch {
        if error.number != EWOULDBLOCK || clock.now >= end { throw error }
        usleep(.random(in: longest / 2...longest))
        longest = min(longest * 3 / 2, clock.now - begin < .milliseconds(200) ? 1_000 : 10_000)
      }
    }
  }

  package func unlock(_ file: OpenFile) { _ = flock(file.number, LOCK_UN) }

  package func isLocked(_ file: OpenFile) -> Bool? {
    #if os(Linux)
      guard let inode = try? status(file).inode else { return nil }
      return LockTable.hasLock(on: inode)
    #else
      return nil
    #endif
  }

  package func requireWritable(_ name: String, in directory: OpenFile) throws(SystemError) {
    _ = try Self.call("faccessat") { faccessat(directory.number, name, W_OK, AT_EACCESS) }
  }

  package func open(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW
    return OpenFile(number: try Self.call("openat") { openat(directory.number, name, flags) })
  }

  package func create(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    return OpenFile(number: try Self.call("openat") { openat(directory.number, name, flags, 0o600) })
  }

  package func status(at path: String) throws(SystemError) -> FileStatus {
    var raw = stat()
    _ = try Self.call("stat") { fstatat(AT_FDCWD, path, &raw, 0) }
    return FileStatus(raw)
  }

  package func status(of name: String, in directory: OpenFile?) throws(SystemError) -> FileStatus {
    var raw = stat()
    let descriptor = directory?.number ?? AT_FDCWD
    _ = try Self.call("fstatat") { fstatat(descriptor, name, &raw, AT_SYMLINK_NOFOLLOW) }
    if raw.st_mode & S_IFMT == S_IFLNK { throw SystemError(call: "fstatat", number: SystemError.tooManyLinks) }
    return FileStatus(raw)
  }

  package func status(_ file: OpenFile) throws(SystemError) -> FileStatus {
    var raw = stat()
    _ = try Self.call("fstat") { fstat(file.number, &raw) }
    return FileStatus(raw)
  }

  package func size(_ file: OpenFile) throws(SystemError) -> Int {
    Int(try Self.call("lseek") { lseek(file.number, 0, SEEK_END) })
  }

  package func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try Self.call("read") { Self.read(file.number, buffer.baseAddress, buffer.count) }
  }

  package func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    try Self.call("pread") { pread(file.number, buffer.baseAddress, buffer.count, off_t(offset)) }
  }

  package func write(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    try Self.call("write") { Self.write(file.number, buffer.baseAddress, buffer.count) }
  }

  package func write(
    _ file: OpenFile, _ buffer: UnsafeRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    try Self.call("pwrite") { pwrite(file.number, buffer.baseAddress, buffer.count, off_t(offset)) }
  }

  package func append(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Range<Int> {
    let flags = try Self.call("fcntl") { fcntl(file.number, F_GETFL) }
    _ = try Self.call("fcntl") { fcntl(file.number, F_SETFL, flags | O_APPEND) }
    // With that flag, Linux ignores the offset of `pwrite`.
    defer { _ = fcntl(file.number, F_SETFL, flags) }
    let count = try write(file, buffer)
    let end = Int(try Self.call("lseek") { lseek(file.number, 0, SEEK_CUR) })
    return end - count..<end
  }

  package func sync(_ file: OpenFile) throws(SystemError) {
    _ = try Self.call("fsync") { Differences.sync(file.number) }
  }

  package func syncData(_ file: OpenFile) throws(SystemError) {
    _ = try Self.call("fdatasync") { Differences.syncData(file.number) }
  }

  package func rename(_ name: String, to newName: String, in directory: OpenFile) throws(SystemError) {
    _ = try Self.call("renameat") { renameat(directory.number, name, directory.number, newName) }
  }

  package func link(
    _ name: String, in directory: OpenFile, to newName: String, in newDirectory: OpenFile
  ) throws(SystemError) {
    _ = try Self.call("linkat") { linkat(directory.number, name, newDirectory.number, newName, 0) }
  }

  package func remove(_ name: String, in directory: OpenFile) throws(SystemError) {
    _ = try Self.call("unlinkat") { unlinkat(directory.number, name, 0) }
  }

  package func removeDirectory(_ name: String, in directory: OpenFile) throws(SystemError) {
    _ = try Self.call("unlinkat") { unlinkat(directory.number, name, AT_REMOVEDIR) }
  }

  package func setDates(_ file: OpenFile, created: Int64, modified: Int64) throws(SystemError) {
    if Differences.modificationMovesCreation { try setDates(file, modified: min(created, modified)) }
    try setDates(file, modified: modified)
  }

  private func setDates(_ file: OpenFile, modified: Int64) throws(SystemError) {
    let (seconds, nanoseconds) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    var time = timespec()
    time.tv_sec = .init(nanoseconds < 0 ? seconds - 1 : seconds)
    time.tv_nsec = .init(nanoseconds < 0 ? nanoseconds + 1_000_000_000 : nanoseconds)
    _ = try Self.call("futimens") { [time, time].withUnsafeBufferPointer { futimens(file.number, $0.baseAddress) } }
  }

  package func names(in directory: OpenFile) throws(SystemError) -> [String] {
    try entries(of: directory).compactMap { $0 }
  }

  package func hasIllegibleNames(in directory: OpenFile) throws(SystemError) -> Bool {
    try entries(of: directory).contains(nil)
  }

  /// The names in a directory; nil for a name that is not UTF-8.
  private func entries(of directory: OpenFile) throws(SystemError) -> [String?] {
    // A separate descriptor, because `closedir` closes its own.
    let descriptor = try Self.call("openat") { openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let stream = fdopendir(descriptor) else {
      let failure = Self.failure("fdopendir")
      _ = Self.close(descriptor)
      throw failure
    }
    defer { closedir(stream) }
    var names: [String?] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
            String(validatingCString: $0)
          }
        })
    }
    return names
  }

  package func watch(
    _ name: String, in directory: String, _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) -> (any FileWatch)? {
    try DirectoryWatch(name, in: directory, changed)
  }

  package func watchWrites(
    _ name: String, in directory: String, each: Bool, _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) -> (any FileWatch)? {
    try DirectoryWatch(name, in: directory, writes: each ? .each : .closed, changed)
  }

  package func networkFileSystem(at path: String) -> String? { Differences.networkFileSystem(at: path) }

  package func watchUse(of path: String) -> (any UseWatch)? {
    #if os(Linux)
      guard let device = try? status(at: path).device, UseWatches.isBlockDevice(device) else { return nil }
      return FileUseWatch(path)
    #else
      return nil
    #endif
  }

  package func close(_ file: OpenFile) {
    _ = Self.close(file.number)
  }
}

// MARK: - Calls

extension POSIXFileSystem {
  /// Makes a call that returns −1 and sets `errno` on failure. Repeats it while a signal interrupts it.
  static func call<Result: SignedInteger>(_ name: String, _ body: () -> Result) throws(SystemError) -> Result {
    HeldLock.requireNone("\(name) was called")
    while true {
      let result = body()
      if result != -1 { return result }
      if errno != EINTR { throw failure(name) }
    }
  }

  private static func failure(_ call: String) -> SystemError { SystemError(call: call, number: errno) }

  // The C functions with the same names as methods of this type.
  private static let read = SnapshotSystem.read
  private static let write = SnapshotSystem.write
  private static let close = SnapshotSystem.close
}

extension OpenFile {
  static let standardError = OpenFile(number: STDERR_FILENO)
}
