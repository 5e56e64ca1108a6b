import Foundation
import Testing

/// Captures the output of a program when both its outputs are a terminal. On Linux only.
enum Pseudoterminal {
  struct Result {
    let bytes: [UInt8]
    let status: Int32
    let reason: Process.TerminationReason

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// Runs a program, and returns all text that reached the terminal.
  ///
  /// - Parameters:
  ///   - input: the program's input; none by default.
  ///   - columns: the reported width of the terminal; 0 for none.
  ///   - shown: called with all output so far whenever there is more.
  static func run(
    _ tool: URL, _ arguments: [String], in folder: URL, environment: [String: String], input: Pipe? = nil,
    columns: Int = 0,
    shown: (String, Process) throws -> Void = { _, _ in }
  ) throws -> Result {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // TIOCSPTLCK and TIOCGPTN, which Swift does not import: unlock the other side, and get its number.
    var (lock, number): (Int32, Int32) = (0, 0)
    try #require(
      terminal >= 0 && ioctl(terminal, 0x4004_5431, &lock) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
    let side = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(side >= 0)
    var size = winsize()
    size.ws_col = UInt16(columns)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    let handle = FileHandle(fileDescriptor: side, closeOnDealloc: true)
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = environment
    process.standardInput = input ?? FileHandle.nullDevice as Any
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    try handle.close()
    // Read while the program runs: a terminal holds little. Reading fails when the other side is closed.
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(terminal, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
      try shown(String(decoding: bytes, as: UTF8.self), process)
    }
    process.waitUntilExit()
    close(terminal)
    return Result(bytes: bytes, status: process.terminationStatus, reason: process.terminationReason)
  }
}
