import Foundation

/// This program again, as a process of its own, with an argument that the help hides. So the memory that one
/// measurement leaves behind does not slow down the next.
enum ChildProcess {
  /// Runs this program with other arguments, and returns what it prints.
  ///
  /// - Parameters:
  ///   - arguments: the hidden argument, then those that belong to it.
  ///   - purpose: what the process measures, for the error.
  ///   - keepsMemory: whether the process keeps memory that it has freed, and takes it again.
  static func output(_ arguments: [String], purpose: String, keepsMemory: Bool = false) throws -> String {
    let process = process(arguments)
    if keepsMemory { process.environment = ProcessInfo.processInfo.environment.merging(keepingMemory) { $1 } }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkFailure("the process that measures \(purpose) failed") }
    return text
  }

  /// This program with other arguments, not running yet.
  static func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    return process
  }

  /// Settings of the C library: large blocks come from the heap, and the heap does not shrink.
  ///
  /// In a virtual machine the first touch of 50 MB of new memory takes between 9 and 110 ms: the host must give it.
  /// Rows that open or encode whole files measured that more than the work. Both sides gain from it.
  private static let keepingMemory = [
    "GLIBC_TUNABLES":
      "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=\(16 << 30):glibc.malloc.top_pad=\(64 << 20)"
  ]
}
