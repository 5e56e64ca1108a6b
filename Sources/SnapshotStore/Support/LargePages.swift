#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Asks the system for large pages.
///
/// Memory that is new to the process comes in pages, each of which is handed out when it is first touched. For a file of
/// 100 MB that is 24,000 interruptions in pages of 4 KiB, and 48 in pages of 2 MiB. Where the system has no such pages, or
/// none to spare, nothing changes.
enum LargePages {
  private static let size = 2 << 20

  /// Asks for large pages for memory that is about to be filled.
  static func use(for memory: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
      guard memory.count >= 4 * size, let start = memory.baseAddress else { return }
      let first = (UInt(bitPattern: start) + UInt(size) - 1) & ~(UInt(size) - 1)
      let end = (UInt(bitPattern: start) + UInt(memory.count)) & ~(UInt(size) - 1)
      if first < end { _ = madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), MADV_HUGEPAGE) }
    #endif
  }
}
