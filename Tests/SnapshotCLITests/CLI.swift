import Foundation
import Testing

/// Runs the command line tool as a process, in a temporary folder of its own.
final class CLI {
  struct Result {
    let status: Int32
    let output: String
    let outputBytes: [UInt8]
    let error: String
  }

  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "snapshot-cli-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The tool is beside the test bundle.
  static var tool: URL {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "snapshot-cli")
  }

  @discardableResult
  func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws -> Result {
    try run(arguments, input: input, environment: environment)
  }

  /// - Parameter wrapper: a program with arguments that runs the tool.
  func run(
    _ arguments: [String], through wrapper: [String] = [], input: String = "", environment: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    let command = wrapper + [Self.tool.path] + arguments
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command[1...])
    process.currentDirectoryURL = folder
    process.environment = ["PATH": "/usr/bin:/bin", "TMPDIR": folder.path].merging(environment) { $1 }
    // Files, not pipes: a pipe that nobody reads would block the process.
    let (inputURL, outputURL, errorURL) = (url(".stdin"), url(".stdout"), url(".stderr"))
    for url in [outputURL, errorURL] { try Data().write(to: url) }
    try Data(input.utf8).write(to: inputURL)
    process.standardInput = try FileHandle(forReadingFrom: inputURL)
    process.standardOutput = try FileHandle(forWritingTo: outputURL)
    process.standardError = try FileHandle(forWritingTo: errorURL)
    try process.run()
    process.waitUntilExit()
    let output = try Data(contentsOf: outputURL)
    return Result(
      status: process.terminationStatus, output: String(decoding: output, as: UTF8.self), outputBytes: Array(output),
      error: String(decoding: try Data(contentsOf: errorURL), as: UTF8.self))
  }

  /// Starts the tool without waiting for its end; its output is dropped.
  func start(_ arguments: String...) throws -> Process {
    let process = Process()
    process.executableURL = Self.tool
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  func url(_ name: String) -> URL { folder.appending(path: name) }
  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: url(name).path) }
  func bytes(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }
  func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }
  func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: url(name)) }

  /// A store of two notes, three tags and an attachment.
  func makeStore(_ name: String = "notes.json") throws {
    try write(Self.vesperJSON, to: "vesper.json")
    #expect(try run("import", "vesper", "vesper.json", name).status == 0)
  }

  static let vesperJSON = """
    {"notes":[
     {"noteID":1001,"text":"First\\nwith a \\"quote\\" and a link: https://example.com.","archived":false,
      "creationDate":"2014-01-02T03:04:05.678Z","sortDate":"2014-01-02T03:04:05.678Z","tags":"New York  Errands",
      "attachments":"W3sidW5pcXVlSUQiOiJwMSIsIm1pbWVUeXBlIjoiaW1hZ2UvcG5nIiwiaGVpZ2h0IjoyMCwid2lkdGgiOjEwfV0="},
     {"noteID":1002,"text":"Second","archived":true,"creationDate":"2014-02-02T00:00:00.000Z","tags":null}],
    "tags":[{"uniqueID":"errands","name":"Errands"},{"uniqueID":"later","name":"Later"}]}
    """
}

/// The exit codes of `sysexits.h` that the tool uses.
enum Exit {
  static let good: Int32 = 0
  static let found: Int32 = 1
  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noInput: Int32 = 66
  static let cannotCreate: Int32 = 73
  static let ioError: Int32 = 74
  static let timedOut: Int32 = 124
}
