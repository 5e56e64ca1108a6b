#if os(Linux)
  import SnapshotSystem

  /// The table of locks of the kernel, `/proc/locks`. It tells of locks of the processes that this one can see.
  ///
  /// `1: FLOCK  ADVISORY  WRITE 709 00:13:9564 0 EOF`: the lock of process 709 on the file with the number 9564. A
  /// process that waits for a lock has a line with `->`.
  enum LockTable {
    /// Whether a process has the lock on a file. Nil if the table cannot be read.
    ///
    /// The number of the device is left out: some file systems have another one in the table than in `stat`.
    static func hasLock(on inode: UInt64) -> Bool? {
      // The table comes in parts. If a lock is released in between, a part may begin too late.
      for _ in 0..<3 {
        guard let text = text() else { return nil }
        if has(inode, text) { return true }
      }
      return false
    }

    static func has(_ inode: UInt64, _ text: String) -> Bool {
      text.split(separator: "\n").contains { line in
        let words = line.split(separator: " ")
        return words.count >= 6 && words[1] == "FLOCK" && words[3] == "WRITE"
          && words[5].split(separator: ":").last == Substring("\(inode)")
      }
    }

    private static func text() -> String? {
      let file = open("/proc/locks", O_RDONLY | O_CLOEXEC)
      if file < 0 { return nil }
      defer { close(file) }
      var bytes: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(file, &part, part.count)
        if count < 0, errno == EINTR { continue }
        if count < 0 { return nil }
        if count == 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += part[..<count]
      }
    }
  }
#endif
