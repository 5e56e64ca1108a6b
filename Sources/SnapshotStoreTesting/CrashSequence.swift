/// A crash at every call in turn.
extension SimulatedDisk {
  /// Disks that are alike, but for the moment at which each crashes: the first before the first call, the next before the
  /// second, and so on. The last is one that the program under test did not live to see crash.
  ///
  /// ```swift
  /// for disk in SimulatedDisk.crashingAtEveryCall() {
  ///   var flushed = 0
  ///   try? useApp(on: disk, &flushed)     // throws when the disk is gone
  ///   for state in disk.possibleStatesAfterCrash() {
  ///     // Launch the app anew on `state`; what was flushed must be there.
  ///   }
  /// }
  /// ```
  ///
  /// The sequence ends after the first disk that did not crash, so the program must make the same calls each time, and must
  /// not go on for ever.
  ///
  /// - Parameter files: a disk whose files and directories each of them has in the beginning; nil means an empty one. Nothing
  ///   of it must be open.
  public static func crashingAtEveryCall(startingFrom files: SimulatedDisk? = nil) -> CrashSequence {
    CrashSequence(files: files) { $0.crash(atCall: $1) }
  }

  /// Disks that are alike, but for the one call that fails on each: on the first it is the first call, and so on.
  ///
  /// - Parameters:
  ///   - errno: how it fails.
  ///   - files: a disk whose files and directories each of them has in the beginning; nil means an empty one.
  public static func failingAtEveryCall(
    with errno: Int32, startingFrom files: SimulatedDisk? = nil
  ) -> CrashSequence {
    CrashSequence(files: files) { $0.failCall($1, with: errno) }
  }
}

/// Disks of which each has its misfortune one call later; see ``SimulatedDisk/crashingAtEveryCall(startingFrom:)``.
public struct CrashSequence: Sequence, IteratorProtocol {
  private let original: SimulatedDisk
  private let strike: (SimulatedDisk, Int) -> Void
  private var last: SimulatedDisk?
  private var number = 0

  init(files: SimulatedDisk?, _ strike: @escaping (SimulatedDisk, Int) -> Void) {
    original = (files ?? SimulatedDisk()).copy()
    self.strike = strike
  }

  /// The next disk; nil if on the one before it so few calls were made that its misfortune did not come.
  public mutating func next() -> SimulatedDisk? {
    if let last, last.calls.count < number { return nil }
    number += 1
    let disk = original.copy()
    strike(disk, number)
    last = disk
    return disk
  }
}
