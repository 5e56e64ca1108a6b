import SnapshotFoundation

/// Reads a file line by line. The file is closed when this object is deallocated.
final class LineReader {
  /// A line without its line feed, and its place in the file.
  struct Line {
    let bytes: [UInt8]
    /// The number of the line, from 1.
    let number: Int
    /// Bytes from the beginning of the file.
    let offset: Int
  }

  private let fileSystem: any FileSystem
  private let file: OpenFile
  private let path: String
  private let limit: Int
  /// The bytes that were read. The next line begins after the first `start` bytes.
  private var buffer: [UInt8] = []
  private var start = 0
  private var offset = 0
  private var number = 0
  private var isAtEnd = false

  init(_ url: URL, limits: ReadLimits, fileSystem: any FileSystem) throws(SnapshotError) {
    let location = try FileLocation(try url.requiredPath(), on: fileSystem)
    do throws(SystemError) {
      let directory = try fileSystem.openDirectory(location.directory)
      defer { fileSystem.close(directory) }
      file = try fileSystem.open(location.name, in: directory)
    } catch {
      throw SnapshotError(error, location.path)
    }
    self.fileSystem = fileSystem
    path = location.path
    limit = limits.fileSize
    try requireRegularFile()
  }

  private func requireRegularFile() throws(SnapshotError) {
    let kind: FileStatus.Kind
    do throws(SystemError) {
      kind = try fileSystem.status(file).kind
    } catch {
      throw SnapshotError(error, path)
    }
    if let what = kind.nameIfNotRegular { throw SnapshotError(.notRegularFile, "the path is \(what)", path: path) }
  }

  deinit { fileSystem.close(file) }

  /// The next line; nil at the end of the file. Text after the last line feed is a line too.
  func next() throws(SnapshotError) -> Line? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) { return take(upTo: end, skipping: 1) }
      if isAtEnd { return start < buffer.count ? take(upTo: buffer.count, skipping: 0) : nil }
      if buffer.count - start > limit {
        throw SnapshotError(
          .limitExceeded, "the line is longer than the limit of \(limit.counted("byte"))",
          position: SnapshotError.Position(offset: offset, line: number + 1, column: 1))
      }
      searched = buffer.count - start
      try readMore()
    }
  }

  private func take(upTo end: Int, skipping: Int) -> Line {
    number += 1
    let line = Line(bytes: Array(buffer[start..<end]), number: number, offset: offset)
    offset += end + skipping - start
    start = end + skipping
    return line
  }

  private func readMore() throws(SnapshotError) {
    buffer.removeSubrange(..<start)
    start = 0
    do {
      let chunk = try [UInt8](unsafeUninitializedCapacity: 1 << 18) { chunk, count in
        count = try fileSystem.read(file, into: UnsafeMutableRawBufferPointer(chunk))
      }
      isAtEnd = chunk.isEmpty
      buffer += chunk
    } catch let error as SystemError {
      throw SnapshotError(error, path)
    } catch {
      throw SnapshotError(.ioFailed, "\(error)", path: path)
    }
  }
}
