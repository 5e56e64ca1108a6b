import SnapshotSystem

/// The file operations for saving and opening. Each method is one system call, so that tests can make each of them
/// fail.
///
/// Names are given as for `openat(2)`: a name in an open directory. Implementations are ``POSIXFileSystem`` and, for
/// tests, the file system in memory in SnapshotStoreTesting.
package protocol FileSystem: Sendable {
  /// `geteuid(2)`: the owner of new files.
  var user: UInt32 { get }
  /// `getpid(2)`.
  var process: Int32 { get }
  /// `kill(2)` with no signal: whether a process of this machine is running, of whatever user.
  func isRunning(_ process: Int32) -> Bool
  /// `statfs(2)`: the kind of the network file system that a path is on; nil for a disk of this machine.
  func networkFileSystem(at path: String) -> String?
  /// `realpath(3)`: the path with every symbolic link resolved. Throws `ENOENT` if the path does not exist.
  func resolve(_ path: String) throws(SystemError) -> String
  /// `open(2)` of a directory.
  func openDirectory(_ path: String) throws(SystemError) -> OpenFile
  /// `openat(2)` of a directory in a directory.
  func openDirectory(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile
  /// `mkdirat(2)` with mode 0700. Throws `EEXIST` if the name exists.
  func makeDirectory(_ name: String, in directory: OpenFile) throws(SystemError)
  /// `openat(2)` of an existing file for reading and writing, to lock it.
  func openLockFile(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile
  /// `flock(2)`, exclusive, until the handle is unlocked or closed. Throws `EWOULDBLOCK` if another handle, of any
  /// process, holds the lock for longer than the time limit.
  func lock(_ file: OpenFile, timeLimit: Duration) throws(SystemError)
  /// `flock(2)` with `LOCK_UN`. It counts for copies of the handle in child processes too, which closing does not.
  func unlock(_ file: OpenFile)
  /// Whether a handle of any process has the lock of an open file. Nil if the system cannot tell without taking it.
  func isLocked(_ file: OpenFile) -> Bool?
  /// `faccessat(2)`: throws `EACCES` or `EROFS` if the file is not writable.
  func requireWritable(_ name: String, in directory: OpenFile) throws(SystemError)
  /// `openat(2)` for reading. It does not wait for the other end of a pipe.
  func open(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile
  /// `openat(2)` with `O_CREAT | O_EXCL`, for reading and writing, with mode 0600. Throws `EEXIST` if the name exists.
  func create(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile
  /// `stat(2)`: follows links.
  func status(at path: String) throws(SystemError) -> FileStatus
  /// `fstatat(2)`, which opens nothing. Throws `ELOOP` for a link, as opening it does.
  ///
  /// - Parameter directory: nil if the name is a path.
  func status(of name: String, in directory: OpenFile?) throws(SystemError) -> FileStatus
  /// `fstat(2)`.
  func status(_ file: OpenFile) throws(SystemError) -> FileStatus
  /// `lseek(2)` to the end: the size of an open file. It does not ask for the date as well; see ``UseWatch``.
  func size(_ file: OpenFile) throws(SystemError) -> Int
  /// `read(2)`: reads up to the size of the buffer; 0 at the end.
  func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  /// `pread(2)`: reads from an offset, independent of `read`.
  func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int
  /// `write(2)`: may write only a part of the bytes.
  func write(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Int
  /// `pwrite(2)`: writes at an offset, independent of `write`. It may write only a part of the bytes.
  func write(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int
  /// `write(2)` with `O_APPEND`: writes at the end, where no other handle of any process appends at the same time.
  ///
  /// - Returns: the offsets of what was written, which may be only a part of the bytes.
  func append(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Range<Int>
  /// `fchmod(2)`, `fchown(2)` if the process is permitted to, and the access list where the system has them. Nobody
  /// gets more access than to the other file.
  ///
  /// - Parameters:
  ///   - status: that of the other file. The mode may have been changed.
  ///   - name: the other file, for its access list.
  ///   - attributes: whether the file gets the extended attributes too that users have set on the other one.
  func setAccess(
    _ file: OpenFile, like status: FileStatus, of name: String, in directory: OpenFile, attributes: Bool
  ) throws(SystemError)
  /// `fsync(2)`, or the platform's call that makes data durable.
  func sync(_ file: OpenFile) throws(SystemError)
  /// `fdatasync(2)`: the same without what is not needed to read the data, such as dates.
  func syncData(_ file: OpenFile) throws(SystemError)
  /// `renameat(2)` within a directory. Replaces the file with the new name. A directory replaces only an empty
  /// directory.
  func rename(_ name: String, to newName: String, in directory: OpenFile) throws(SystemError)
  /// `linkat(2)`: gives a file another name. Throws `EEXIST` if that name exists.
  func link(
    _ name: String, in directory: OpenFile, to newName: String, in newDirectory: OpenFile
  ) throws(SystemError)
  /// `unlinkat(2)`.
  func remove(_ name: String, in directory: OpenFile) throws(SystemError)
  /// `unlinkat(2)` of an empty directory.
  func removeDirectory(_ name: String, in directory: OpenFile) throws(SystemError)
  /// `futimens(2)`, in nanoseconds since 1970. Sets the date of creation too, if the system allows that.
  func setDates(_ file: OpenFile, created: Int64, modified: Int64) throws(SystemError)
  /// `readdir(3)`: the names in a directory that are UTF-8.
  func names(in directory: OpenFile) throws(SystemError) -> [String]
  /// Whether a directory has names that are not UTF-8. `names` leaves them out.
  func hasIllegibleNames(in directory: OpenFile) throws(SystemError) -> Bool
  /// Calls back after a possible change of a name in a directory, or of the directory itself. Returns nil on a file
  /// system without notifications.
  func watch(
    _ name: String, in directory: String, _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) -> (any FileWatch)?
  /// The same, and after writing to the file with that name. Returns nil if the system does not tell of writes.
  ///
  /// - Parameter each: whether each write counts. Otherwise only the closing of a file that was open for writing does.
  func watchWrites(
    _ name: String, in directory: String, each: Bool, _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) -> (any FileWatch)?
  /// Begins to watch what is done with the file at a path. Returns nil if the system cannot tell for certain.
  func watchUse(of path: String) -> (any UseWatch)?
  /// `close(2)`. Errors are ignored, because data that must be durable has been synced.
  func close(_ file: OpenFile)
}

/// A watch on changes in a directory. It ends when it is deallocated.
package protocol FileWatch: Sendable {}

/// A watch on one file, wherever it is moved. It ends when it is deallocated.
///
/// Nobody can change bytes of the file without opening it first. The one exception is `truncate(2)`, which changes the
/// size. So the content of an unused file with its old size is what its owner wrote. A date tells less: two changes may
/// share it. And it costs more. Since version 6.13, Linux gives a file a new date at the first write after someone has
/// asked for the date. `fdatasync` then writes that date too, which takes half as long again.
package protocol UseWatch: Sendable {
  /// Whether nobody has opened, linked, moved or removed the file since the watch began. Reads and writes through
  /// descriptors that were open before do not count.
  var isUnused: Bool { get }
}

extension FileSystem {
  /// By default there are no notifications.
  package func watch(
    _ name: String, in directory: String, _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) -> (any FileWatch)? { nil }

  /// By default there are no notifications.
  package func watchWrites(
    _ name: String, in directory: String, each: Bool, _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) -> (any FileWatch)? { nil }

  /// By default that of this process.
  package var process: Int32 { getpid() }

  /// By default that of the system.
  package func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

  /// By default there are no network file systems.
  package func networkFileSystem(at path: String) -> String? { nil }

  /// By default the system cannot tell.
  package func isLocked(_ file: OpenFile) -> Bool? { nil }

  /// By default the system cannot tell.
  package func watchUse(of path: String) -> (any UseWatch)? { nil }

  /// By default the status tells.
  package func size(_ file: OpenFile) throws(SystemError) -> Int { try status(file).size }

  /// By default every name is UTF-8.
  package func hasIllegibleNames(in directory: OpenFile) throws(SystemError) -> Bool { false }
}

/// The number of an open file or directory in its file system.
package struct OpenFile: Hashable, Sendable {
  package let number: Int32

  package init(number: Int32) { self.number = number }
}

/// The result of `fstat(2)`.
package struct FileStatus: Equatable, Sendable {
  package enum Kind: Sendable {
    case regular, directory, other

    /// The kind in words, for messages; nil for a regular file.
    var nameIfNotRegular: String? {
      switch self {
      case .regular: nil
      case .directory: "a directory"
      case .other: "not a regular file"
      }
    }
  }

  package var kind: Kind
  package var size: Int
  /// The permission bits.
  package var mode: UInt32
  package var owner: UInt32
  package var group: UInt32
  package var device: UInt64
  package var inode: UInt64
  /// The number of names of the file.
  package var links: Int
  /// Nanoseconds since 1970. A date after the year 2262 becomes the largest number.
  package var modified: Int64
  /// The date of the last change of the file, its status or its names, in the same unit. Nobody can set it.
  package var changed: Int64

  package init(
    kind: Kind, size: Int, mode: UInt32, owner: UInt32, group: UInt32, device: UInt64, inode: UInt64, links: Int,
    modified: Int64, changed: Int64
  ) {
    self.kind = kind
    self.size = size
    self.mode = mode
    self.owner = owner
    self.group = group
    self.device = device
    self.inode = inode
    self.links = links
    self.modified = modified
    self.changed = changed
  }
}

extension FileStatus {
  /// The status without what a backup program may change: the number of names, and the date of that.
  var withoutLinks: FileStatus {
    var status = self
    (status.links, status.changed) = (1, 0)
    return status
  }
}

/// A failed system call.
package struct SystemError: Error, Equatable {
  /// The name of the call.
  package let call: String
  /// The `errno`.
  package let number: Int32

  package init(call: String, number: Int32) {
    self.call = call
    self.number = number
  }
}
