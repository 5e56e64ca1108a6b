import Foundation
import Testing

/// A program of the machine, for tests that compare with it and are skipped without it.
struct Tool {
  private let url: URL

  /// Nil if the search path has no program of that name.
  init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let paths = folders.map { "\($0)/\(name)" }
    guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
    url = URL(fileURLWithPath: path)
  }

  /// Runs the program to its end and returns its output, errors included.
  func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = url
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
