public import SnapshotFoundation

/// The records of a file with a JSON object on each line, read one after another in bounded memory: that of the longest line.
///
/// The objects are those that the record encodes, as the lines of a table in a JSON file are, but without commas. Reading is as strict as
/// everywhere: a key that the record does not know is an error. Blank lines are passed over.
///
/// ```swift
/// for try await post in RecordLines<Post>(at: url) { … }
/// ```
///
/// Each loop reads the file anew from its beginning. Whoever asks for a record waits for the disk.
public struct RecordLines<Value: Record>: AsyncSequence, Sendable {
  private let url: URL
  private let limits: ReadLimits
  private let fileSystem: any FileSystem

  /// The records of a file.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - type: the type of the records; it can be left out where it is known.
  ///   - limits: what is refused for its size or depth; `fileSize` bounds a line, not the file.
  public init(at url: URL, of type: Value.Type = Value.self, limits: ReadLimits = ReadLimits()) {
    self.init(at: url, limits: limits, fileSystem: POSIXFileSystem())
  }

  /// The same on another file system, for tests.
  package init(at url: URL, limits: ReadLimits, fileSystem: any FileSystem) {
    self.url = url
    self.limits = limits
    self.fileSystem = fileSystem
  }

  /// Begins at the first line. The file is opened when the first record is asked for.
  public func makeAsyncIterator() -> Iterator { Iterator(url: url, limits: limits, fileSystem: fileSystem) }

  /// Reads the records in their order.
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
    /// - Throws: ``SnapshotError`` with the line and the column of what is wrong.
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
          // A byte order mark may stand at the beginning of the file only.
          if line.number > 1 { scanner.offset = 0 }
          return try scanner.line()
        }
        guard let item else { return nil }
        do {
          return try ItemDecoder.decode(Value.self, from: item)
        } catch {
          throw SnapshotError.decoding(error, of: item, at: "record", in: source)
        }
      } catch {
        var error = error
        if let column = error.position?.offset {
          error.position = FilePosition(offset: line.offset + column, line: line.number, column: column + 1)
        }
        throw error
      }
    }
  }
}
