import Foundation

/// What this process uses, in bytes, as Linux counts it.
enum ProcessUsage {
  /// The resident memory.
  static func residentMemory() throws -> Int { try number(after: "VmRSS:", in: "status") * 1_024 }

  /// The greatest resident memory so far.
  static func peakMemory() throws -> Int { try number(after: "VmHWM:", in: "status") * 1_024 }

  /// The bytes that all system calls for writing have written so far, to files or others.
  static func writtenBytes() throws -> Int { try number(after: "wchar:", in: "io") }

  /// The bytes that this process has sent to disks so far, as the kernel counts them when pages become dirty.
  static func bytesToDisks() throws -> Int { try number(after: "write_bytes:", in: "io") }

  private static func number(after name: String, in file: String) throws -> Int {
    let lines = try String(contentsOfFile: "/proc/self/\(file)", encoding: .utf8).split(separator: "\n")
    let fields = lines.first { $0.hasPrefix(name) }?.split(whereSeparator: \.isWhitespace)
    guard let fields, fields.count > 1, let number = Int(fields[1]) else {
      throw BenchmarkFailure("cannot read \(name) in /proc/self/\(file)")
    }
    return number
  }
}
