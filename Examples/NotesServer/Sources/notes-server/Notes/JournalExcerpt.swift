import Foundation

/// The end of the journal beside the file: the changes that the file does not have yet, as any other program would read
/// them.
struct JournalExcerpt: Encodable, Equatable, Sendable {
  struct Line: Encodable, Equatable, Sendable {
    /// The number of the line in the journal.
    let number: Int
    let text: String
  }

  let name: String
  let path: String
  /// The number of changes since the file was written. Each of them is one save.
  private(set) var changes = 0
  /// The last two lines; empty if the file has all changes. While stores share it, the journal keeps its first line.
  private(set) var lines: [Line] = []

  /// Larger journals are not read. That of a file of 128 MB is smaller.
  private static let limit = 16 << 20
  /// Reads the journal beside a file. O(size of the journal): 2 ms for 1 MB.
  init(beside url: URL) {
    // The journal is beside the file itself, not beside a link to it.
    let file = url.resolvingSymlinksInPath()
    name = ".\(file.lastPathComponent).journal"
    path = file.deletingLastPathComponent().appending(path: name).path
    Self.bytes(at: path).withUnsafeBytes { bytes in
      // The NULs behind the lines are space for further lines. A line without its end is still being written.
      let text = bytes[..<(bytes.firstIndex(of: 0) ?? bytes.count)]
      let end = text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let journal = FileLines(bytes: UnsafeRawBufferPointer(rebasing: text[..<end]))
      let all = journal.lines(from: 0, count: .max)
      changes = all.count { Self.isChange(bytes[$0]) }
      let shown = changes == 0 ? 0..<0 : all.indices.suffix(2)
      lines = shown.map { Line(number: $0 + 1, text: journal.text(of: all[$0], limit: 2000)) }
    }
  }

  /// Whether a line is a change, and not the header or the mark of a fold.
  private static func isChange(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
    // {"n":12,"after":731993882,"date":"2026-11-23T17:00:09Z","fold":{…
    guard line.starts(with: "{\"n\":".utf8) else { return false }
    let content = line.split(separator: UInt8(ascii: ","), maxSplits: 3).last
    return !["\"fold\":", "\"cut\":"].contains { content?.starts(with: $0.utf8) == true }
  }

  /// The bytes of a regular file; none if there is no such file. Links are not followed.
  private static func bytes(at path: String) -> [UInt8] {
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 { return [] }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit,
      let data = try? file.read(upToCount: Int(status.st_size))
    else { return [] }
    return [UInt8](data)
  }
}
