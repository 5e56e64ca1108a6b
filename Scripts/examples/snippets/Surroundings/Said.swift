import Foundation

/// What is written to standard output from now on, until the text is read.
@MainActor public struct Said {
  private let file: URL
  private let output = dup(1)

  package init(in folder: URL) throws {
    file = folder.appending(path: "output.txt")
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    dup2(handle.fileDescriptor, 1)
  }

  /// The text. Standard output is again what it was.
  package func text() throws -> String {
    dup2(output, 1)
    close(output)
    return try String(contentsOf: file, encoding: .utf8)
  }
}
