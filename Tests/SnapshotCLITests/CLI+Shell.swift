import Foundation

/// Lines of the shell, with the tool and the scripts of the repository in its path.
extension CLI {
  func shell(_ line: String) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-o", "pipefail", "-c", line]
    process.currentDirectoryURL = folder
    let own = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = ["PATH": "\(Self.tool.deletingLastPathComponent().path):\(Self.scripts):\(own)"]
    for name in ["out", "err"] { try write("", to: name) }
    process.standardOutput = try FileHandle(forWritingTo: url("out"))
    process.standardError = try FileHandle(forWritingTo: url("err"))
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: try text("out"), outputBytes: Array(try bytes("out")),
      error: try text("err"))
  }

  static let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scripts").path

  static func isInstalled(_ programs: String...) -> Bool {
    programs.allSatisfy { name in
      ["/usr/bin", "/usr/local/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
  }
}
