import SnapshotSystem

/// The status of a file, from that of the system.
extension FileStatus {
  init(_ raw: stat) {
    kind =
      switch raw.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      default: .other
      }
    size = Int(raw.st_size)
    mode = UInt32(raw.st_mode) & 0o7777
    owner = UInt32(raw.st_uid)
    group = UInt32(raw.st_gid)
    device = UInt64(truncatingIfNeeded: raw.st_dev)
    inode = UInt64(raw.st_ino)
    links = Int(raw.st_nlink)
    modified = Self.nanoseconds(Differences.modification(of: raw))
    changed = Self.nanoseconds(Differences.change(of: raw))
  }

  /// Nanoseconds, limited to `Int64`: a file may have any date.
  private static func nanoseconds(_ date: timespec) -> Int64 {
    let (seconds, rest) = (Int64(date.tv_sec), Int64(date.tv_nsec))
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(rest)
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }
}
