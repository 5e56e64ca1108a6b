import Foundation

/// This program again, as a process of its own, with an argument that the help hides. So the memory that one
/// measurement leaves behind does not slow down the next.
enum ChildProcess {
  /// Runs this program with other arguments, and returns what it prints.
  ///
  /// - Parameters:
  ///   - arguments: the hidden argument, then those that belong to it.
  ///   - purpose: what the process measures, for the error.
  static func output(_ arguments: [String], purpose: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkFailure("the process that measures \(purpose) failed") }
    return text
  }
}
