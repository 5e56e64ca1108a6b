/// The operations on files that saving and opening need, one method a system call, so that tests can fail each.
///
/// Names are given as in `openat(2)` and its kin: a name in an open directory. The implementations are
/// ``POSIXFileSystem`` and, for tests, the file system in memory of SnapshotStoreTesting.
package protocol FileSystem: Sendable {
  /// `geteuid(2)`: the user to whom new files belong.
  var user: UInt32 { get }
  /// `realpath(3)`: the path with every symbolic link resolved; throws `ENOENT` if nothing is there.
  func resolve(_ path: String) throws(SystemError) -> String
  /// `open(2)` of a directory.
  func openDirectory(_ path: String) throws(SystemError) -> OpenFile
  /// `openat(2)` of a directory in a directory.
  func openDirectory(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile
  /// `mkdirat(2)`, mode 0700; throws `EEXIST` if the name is taken.
  func makeDirectory(_ name: String, in directory: OpenFile) throws(SystemError)
  /// `openat(2)` for reading and writing, of a file that is there: for locking it.
  func openLockFile(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile
  /// `flock(2)`, exclusive, until the handle is closed; throws `EWOULDBLOCK` if it is held by another handle, of whatever
  /// process, for longer than the time limit.
  func lock(_ file: OpenFile, timeLimit: Duration) throws(SystemError)
  /// `faccessat(2)`: throws `EACCES` or `EROFS` if the file may not be written.
  func requireWritable(_ name: String, in directory: OpenFile) throws(SystemError)
  /// `openat(2)` for reading; does not wait for a pipe to be opened at its other end.
  func open(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile
  /// `fstatat(2)`: whether a name stands for a file, a folder or a link. To open anything else, such as a device or a pipe,
  /// may have consequences.
  func isHarmless(_ name: String, in directory: OpenFile) throws(SystemError) -> Bool
  /// `openat(2)` with `O_CREAT | O_EXCL`, for reading and writing: throws `EEXIST` if the name is taken. Mode 0600.
  func create(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile
  /// `fstat(2)`.
  func status(_ file: OpenFile) throws(SystemError) -> FileStatus
  /// `read(2)`: up to as many bytes as the buffer has; 0 at the end.
  func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  /// `pread(2)`: the same from an offset on, wherever `read` has come.
  func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int
  /// `write(2)`: as many bytes as it likes.
  func write(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Int
  /// `fchmod(2)`, and `fchown(2)` where the process may.
  func setOwnership(_ file: OpenFile, like status: FileStatus) throws(SystemError)
  /// `fsync(2)`, or what makes data durable on the platform.
  func sync(_ file: OpenFile) throws(SystemError)
  /// `renameat(2)` within a directory; replaces what has the new name. A directory takes the place of an empty one only.
  func rename(_ name: String, to newName: String, in directory: OpenFile) throws(SystemError)
  /// `linkat(2)`: gives a file one more name; throws `EEXIST` if that is taken.
  func link(
    _ name: String, in directory: OpenFile, to newName: String, in newDirectory: OpenFile
  ) throws(SystemError)
  /// `unlinkat(2)`.
  func remove(_ name: String, in directory: OpenFile) throws(SystemError)
  /// `unlinkat(2)` of a directory, which must be empty.
  func removeDirectory(_ name: String, in directory: OpenFile) throws(SystemError)
  /// `futimens(2)`, in nanoseconds since 1970. The date of creation is set where the system keeps one that can be.
  func setDates(_ file: OpenFile, created: Int64, modified: Int64) throws(SystemError)
  /// `readdir(3)`: the names in a directory that are text.
  func names(in directory: OpenFile) throws(SystemError) -> [String]
  /// Whether a directory has names that are not text, which `names` leaves out.
  func hasIllegibleNames(in directory: OpenFile) throws(SystemError) -> Bool
  /// Calls back after something may have happened to a name in a directory, or to the directory itself. Nil on a file system that
  /// never tells.
  func watch(
    _ name: String, in directory: String, _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) -> (any FileWatch)?
  /// `close(2)`. Errors are of no use to anyone: what must be durable has been synced.
  func close(_ file: OpenFile)
}

/// Notices changes in a directory for as long as it is held.
package protocol FileWatch: Sendable {}

extension FileSystem {
  /// Nothing is noticed where nothing notices.
  package func watch(
    _ name: String, in directory: String, _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) -> (any FileWatch)? { nil }

  /// There is nothing else where nothing else can be made.
  package func isHarmless(_ name: String, in directory: OpenFile) throws(SystemError) -> Bool { true }

  /// Every name is text where names are.
  package func hasIllegibleNames(in directory: OpenFile) throws(SystemError) -> Bool { false }
}

/// An open file or directory, as a file system numbers them.
package struct OpenFile: Hashable, Sendable {
  package let number: Int32

  package init(number: Int32) { self.number = number }
}

/// What `fstat(2)` tells.
package struct FileStatus: Equatable, Sendable {
  package enum Kind: Sendable {
    case regular, directory, other

    /// For messages.
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
  /// How many names the file has.
  package var links: Int
  /// Nanoseconds since 1970; the last ones that fit for a later date, in 2262.
  package var modified: Int64

  package init(
    kind: Kind, size: Int, mode: UInt32, owner: UInt32, group: UInt32, device: UInt64, inode: UInt64, links: Int,
    modified: Int64
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
  }
}

extension FileStatus {
  /// The same but for the number of names, which anyone may change who backs up the file.
  var withoutLinks: FileStatus {
    var status = self
    status.links = 1
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
