/// What the C libraries of the platforms do not have in common. On each platform one of both extensions is compiled.
public enum Differences {}

#if canImport(Darwin)
  extension Differences {
    /// Syncs a file to the medium. On Apple's systems `fsync` does not reach it. A volume without full sync has only
    /// that.
    ///
    /// - Returns: 0, or −1 with `errno`.
    public static func sync(_ descriptor: Int32) -> Int32 {
      fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
    }

    /// Syncs the data of a file to the medium. Apple's systems have no cheaper call for that.
    ///
    /// - Returns: 0, or −1 with `errno`.
    public static func syncData(_ descriptor: Int32) -> Int32 { sync(descriptor) }

    /// Whether a modification date before the date of creation moves the date of creation. On Apple's file systems it
    /// does.
    public static let modificationMovesCreation = true

    /// The modification date of a file.
    public static func modification(of status: stat) -> timespec { status.st_mtimespec }

    /// The date of the last change of a file, its status or its names. Nobody can set it.
    public static func change(of status: stat) -> timespec { status.st_ctimespec }

    /// Whether a signal has neither a handler nor is ignored.
    public static func hasDefaultAction(_ action: sigaction) -> Bool { action.__sigaction_u.__sa_handler == nil }

    /// Chooses the clock of a condition. On Apple's systems a time span is passed instead of a time.
    public static func useMonotonicClock(_ attributes: inout pthread_condattr_t) {}

    /// Waits for a condition, at most for a time span. The result is an error number.
    public static func wait(
      _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
      seconds: Int, nanoseconds: Int
    ) -> Int32 {
      var span = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
      return pthread_cond_timedwait_relative_np(condition, mutex, &span)
    }

    /// A number that differs between all living threads; never 0.
    public static var threadNumber: UInt { UInt(bitPattern: pthread_self()) }

    /// Asks for large pages for memory. Apple's systems have no such call.
    public static func useLargePages(at start: UnsafeMutableRawPointer, count: Int) {}

    /// The kind of the network file system that a path is on, such as `nfs`; nil for a disk of this machine.
    public static func networkFileSystem(at path: String) -> String? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var status = statfs()
      guard fstatfs(descriptor, &status) == 0, status.f_flags & UInt32(MNT_LOCAL) == 0 else { return nil }
      return withUnsafeBytes(of: status.f_fstypename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
  }
#else
  extension Differences {
    /// Syncs a file to the medium.
    ///
    /// - Returns: 0, or −1 with `errno`.
    public static func sync(_ descriptor: Int32) -> Int32 { fsync(descriptor) }

    /// Syncs the data of a file to the medium, and of the rest only what is needed to read it.
    ///
    /// - Returns: 0, or −1 with `errno`.
    public static func syncData(_ descriptor: Int32) -> Int32 { fdatasync(descriptor) }

    /// Whether a modification date before the date of creation moves the date of creation.
    public static let modificationMovesCreation = false

    /// The modification date of a file.
    public static func modification(of status: stat) -> timespec { status.st_mtim }

    /// The date of the last change of a file, its status or its names. Nobody can set it.
    public static func change(of status: stat) -> timespec { status.st_ctim }

    /// Whether a signal has neither a handler nor is ignored.
    public static func hasDefaultAction(_ action: sigaction) -> Bool {
      #if canImport(Musl)
        action.__sa_handler.sa_handler == nil
      #else
        action.__sigaction_handler.sa_handler == nil
      #endif
    }

    /// Chooses the clock of a condition.
    public static func useMonotonicClock(_ attributes: inout pthread_condattr_t) {
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    }

    /// Waits for a condition with that clock, at most for a time span. The result is an error number.
    public static func wait(
      _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
      seconds: Int, nanoseconds: Int
    ) -> Int32 {
      var limit = timespec()
      clock_gettime(CLOCK_MONOTONIC, &limit)
      let sum = Int(limit.tv_nsec) + nanoseconds
      limit.tv_sec += seconds + sum / 1_000_000_000
      limit.tv_nsec = sum % 1_000_000_000
      return pthread_cond_timedwait(condition, mutex, &limit)
    }

    /// A number that differs between all living threads; never 0.
    public static var threadNumber: UInt {
      #if canImport(Musl)
        UInt(bitPattern: pthread_self())
      #else
        UInt(pthread_self())
      #endif
    }

    /// Asks for large pages for memory.
    public static func useLargePages(at start: UnsafeMutableRawPointer, count: Int) {
      _ = madvise(start, count, MADV_HUGEPAGE)
    }

    /// The kind of the network file system that a path is on, such as `nfs4`. Nil for a disk of this machine, or if
    /// the system does not tell.
    public static func networkFileSystem(at path: String) -> String? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, let mounts = content(of: "/proc/self/mountinfo") else { return nil }
      return networkFileSystem(ofDevice: UInt64(status.st_dev), mounts: mounts)
    }

    /// - Parameter mounts: lines as in `/proc/self/mountinfo`; see proc(5).
    public static func networkFileSystem(ofDevice device: UInt64, mounts: String) -> String? {
      let major = (device >> 8 & 0xfff) | (device >> 32 & ~0xfff)
      let minor = (device & 0xff) | (device >> 12 & ~0xff)
      for line in mounts.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count > 2, words[2] == "\(major):\(minor)", let end = words.firstIndex(of: "-"),
          words.indices.contains(end + 1)
        else { continue }
        let kind = String(words[end + 1])
        return networkKinds.contains(kind) ? kind : nil
      }
      return nil
    }

    /// File systems whose locks or caches are those of one machine, while the files belong to several.
    private static let networkKinds: Set<String> = [
      "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse.ceph", "fuse.davfs2", "fuse.gcsfuse",
      "fuse.glusterfs", "fuse.gvfsd-fuse", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "fuse.vmhgfs-fuse", "gpfs",
      "lustre", "ncpfs", "nfs", "nfs4", "smb3", "smbfs", "vboxsf", "virtiofs",
    ]

    private static func content(of path: String) -> String? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 1 << 14)
      while true {
        let count = read(descriptor, &part, part.count)
        if count < 0, errno == EINTR { continue }
        if count < 0 { return nil }
        if count == 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += part.prefix(count)
      }
    }
  }
#endif
