import SnapshotSystem

/// Asks the system for large pages.
///
/// The system interrupts the process when it touches a new page for the first time. For a file of 100 MB that is 24,000
/// interruptions with pages of 4 KiB, and 48 with pages of 2 MiB. Nothing changes if the system has no large pages, or
/// none to spare.
enum LargePages {
  private static let size = 2 << 20

  /// Asks for large pages for memory that will be filled next.
  static func use(for memory: UnsafeMutableRawBufferPointer) {
    guard memory.count >= 4 * size, let start = memory.baseAddress else { return }
    let first = (UInt(bitPattern: start) + UInt(size) - 1) & ~(UInt(size) - 1)
    let end = (UInt(bitPattern: start) + UInt(memory.count)) & ~(UInt(size) - 1)
    guard first < end, let pages = UnsafeMutableRawPointer(bitPattern: first) else { return }
    Differences.useLargePages(at: pages, count: Int(end - first))
  }
}
