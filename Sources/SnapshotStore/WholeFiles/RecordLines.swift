public import SnapshotFoundation

/// The records of a file with one JSON object on each line, read one after another. The memory is bounded by the
/// longest line.
///
/// The objects have the form of records in a table of a JSON file, without commas. Reading is strict: a key that the
/// record does not know is an error. Blank lines are skipped.
///
/// ```swift
/// for try await post in RecordLines<Post>(at: url) { show(post.title) }
/// ```
///
/// Each loop reads the file from its beginning. Reading a record blocks the thread until the disk has answered.
public struct RecordLines<Value: Record>: AsyncSequence, Sendable {
  private let url: URL
  private let limits: ReadLimits
  private let fileSystem: any FileSystem

  /// The records of a file.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - type: the type of the records. It may be omitted if it is known from the context.
  ///   - limits: the limits for size and depth. `fileSize` bounds a line, not the file.
  public init(at url: URL, of type: Value.Type = Value.self, limits: ReadLimits = ReadLimits()) {
    self.init(at: url, limits: limits, fileSystem: POSIXFileSystem())
  }

  /// The same on another file system, for tests.
  package init(at url: URL, limits: ReadLimits, fileSystem: any FileSystem) {
    self.url = url
    self.limits = limits
    self.fileSystem = fileSystem
  }

  /// Starts an iteration at the first line. The file is opened when the first record is read.
  public func makeAsyncIterator() -> Iterator { Iterator(url: url, limits: limits, fileSystem: fileSystem) }

  /// An iterator over the records in their order.
  public struct Iterator: AsyncIteratorProtocol {
    private let url: URL
    private let limits: ReadLimits
    private let fileSystem: any FileSystem
    private var lines: LineReader?
    private var hasEnded = false

    fileprivate init(url: URL, limits: ReadLimits, fileSystem: any FileSystem) {
      self.url = url
      self.limits = limits
      self.fileSystem = fileSystem
    }

    /// The next record; nil at the end, and after an error.
    ///
    /// - Throws: ``SnapshotError`` with the line and the column of the error.
    public mutating func next() async throws -> Value? { try nextRecord() }

    mutating func nextRecord() throws(SnapshotError) -> Value? {
      if hasEnded { return nil }
      do throws(SnapshotError) {
        if lines == nil { lines = try LineReader(url, limits: limits, fileSystem: fileSystem) }
        while let line = try lines?.next() {
          if let record = try record(on: line) { return record }
        }
      } catch {
        hasEnded = true
        lines = nil
        throw error.at(path: url.path(percentEncoded: false))
      }
      hasEnded = true
      lines = nil
      return nil
    }

    private func record(on line: LineReader.Line) throws(SnapshotError) -> Value? {
      do throws(SnapshotError) {
        let source = try SourceText(line.bytes, isText: true)
        let item = try line.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
          var scanner = JSONScanner(bytes, of: source, limits: limits)
          // A byte order mark is valid only at the beginning of the file.
          if line.number > 1 { scanner.offset = 0 }
          return try scanner.line()
        }
        guard let item else { return nil }
        do {
          return try ItemDecoder.decodeWritten(Value.self, from: item)
        } catch {
          throw SnapshotError.decoding(error, of: item, at: "record", in: source)
        }
      } catch {
        var error = error
        if let column = error.position?.offset {
          error.position = SnapshotError.Position(offset: line.offset + column, line: line.number, column: column + 1)
        }
        throw error
      }
    }
  }
}
