/// Disks that crash or fail at every call in turn.
extension SimulatedDisk {
  /// Equal disks that differ in the moment of the crash: the first crashes before the first call, the next before the
  /// second, and so on. The last disk does not crash, because the program makes fewer calls.
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
  /// The sequence ends after the first disk without a crash. The program must therefore make the same calls each time,
  /// and must end.
  ///
  /// - Parameter files: a disk with the initial files and directories of each disk; nil means an empty one. It must
  ///   have no open files.
  public static func crashingAtEveryCall(startingFrom files: SimulatedDisk? = nil) -> CrashSequence {
    CrashSequence(files: files) { $0.crash(atCall: $1) }
  }

  /// Equal disks that differ in the call that fails: the first call on the first disk, and so on.
  ///
  /// - Parameters:
  ///   - errno: the error of the call.
  ///   - files: a disk with the initial files and directories of each disk; nil means an empty one.
  public static func failingAtEveryCall(
    with errno: Int32, startingFrom files: SimulatedDisk? = nil
  ) -> CrashSequence {
    CrashSequence(files: files) { $0.failCall($1, with: errno) }
  }
}

/// Disks with a fault that comes one call later on each; see ``SimulatedDisk/crashingAtEveryCall(startingFrom:)``.
public struct CrashSequence: Sequence, IteratorProtocol {
  private let original: SimulatedDisk
  private let strike: (SimulatedDisk, Int) -> Void
  private var last: SimulatedDisk?
  private var number = 0

  init(files: SimulatedDisk?, _ strike: @escaping (SimulatedDisk, Int) -> Void) {
    original = (files ?? SimulatedDisk()).copy()
    self.strike = strike
  }

  /// The next disk; nil if the program made too few calls on the one before to reach its fault.
  public mutating func next() -> SimulatedDisk? {
    if let last, last.calls.count < number { return nil }
    number += 1
    let disk = original.copy()
    strike(disk, number)
    last = disk
    return disk
  }
}
