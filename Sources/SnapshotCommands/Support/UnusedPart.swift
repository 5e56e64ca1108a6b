import Foundation
import SnapshotStore

/// The bytes of a damaged file that are not in its result, and the file beside the result that keeps them.
struct UnusedPart {
  private let bytes: [UInt8]
  private let output: FileOutput

  init(_ bytes: [UInt8], beside output: FileOutput) {
    self.bytes = bytes
    self.output = output
  }

  static func path(beside output: FileOutput) -> String { output.path + ".unused" }

  private var path: String { Self.path(beside: output) }

  /// Refuses to begin if another file has the name.
  func requirePlace() throws {
    if bytes.isEmpty || output.isStream || output.replaces { return }
    do {
      if try SnapshotFile.readBytes(at: FileName.url(path)) == bytes { return }
    } catch let error as SnapshotError where error.code == .fileNotFound {
      return
    }
    throw CommandFailure("\(path.forTerminal): the file exists, with other content; --force replaces it", .cannotCreate)
  }

  func write() throws {
    if bytes.isEmpty || output.isStream { return }
    let url = try FileName.url(path)
    try CommandFailure.creating { try waitingForOthers { try SnapshotFile.write(bytes, to: url, waitingAtMost: $0) } }
  }

  /// Where they are; nil if there are none.
  var report: String? {
    if bytes.isEmpty { return nil }
    let size = bytes.count.formatted(.byteCount(style: .file))
    if output.isStream {
      return "what cannot be used is not kept (\(size)): with a file as OUT, a file beside it keeps it"
    }
    return "what cannot be used is in \(path.forTerminal) (\(size))"
  }
}
