/// Reading of whole files.
extension FileSystem {
  /// All bytes of a regular file, and its status at that time. The size in the status is the number of these bytes.
  ///
  /// - Throws: `fileNotFound`, `notRegularFile`, `tooLarge`, or `ioFailed`.
  func readFile(at location: FileLocation, limit: Int) throws(SnapshotError) -> (bytes: [UInt8], status: FileStatus) {
    do {
      let directory = try openDirectory(location.directory)
      defer { close(directory) }
      let file = try open(location.name, in: directory)
      defer { close(file) }
      var status = try status(file)
      if let what = status.kind.nameIfNotRegular {
        throw SnapshotError(.notRegularFile, "the path is \(what)", path: location.path)
      }
      guard status.size <= limit else {
        throw SnapshotError(
          .tooLarge, "the file has \(status.size.counted("byte")); the limit is \(limit)", path: location.path)
      }
      let bytes = try readAll(file, expected: status.size, limit: limit)
      // A program that writes in place may be active. The dates then belong to a shorter file.
      status.size = bytes.count
      return (bytes, status)
    } catch let error as SystemError {
      throw SnapshotError(error, location.path)
    } catch let error as SnapshotError {
      throw error.at(path: location.path)
    } catch {
      throw SnapshotError(.ioFailed, "\(error)", path: location.path)
    }
  }

  /// The status of the file at a location; nil if there is none.
  func statusIfAny(at location: FileLocation) throws(SystemError) -> FileStatus? {
    try statusIfAny(of: location.resolvedPath, in: nil)
  }

  /// The status of a name in a directory; nil if the name does not exist.
  ///
  /// - Parameter directory: nil if the name is a path.
  func statusIfAny(of name: String, in directory: OpenFile?) throws(SystemError) -> FileStatus? {
    do {
      return try status(of: name, in: directory)
    } catch {
      if error.number == SystemError.noSuchFile { return nil }
      throw error
    }
  }

  /// The first bytes of a file and its status; nil if there is no file.
  func beginning(of location: FileLocation, count: Int) throws -> (bytes: [UInt8], status: FileStatus)? {
    let directory = try openDirectory(location.directory)
    defer { close(directory) }
    guard let status = try statusIfAny(of: location.name, in: directory) else { return nil }
    let file = try open(location.name, in: directory)
    defer { close(file) }
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try [UInt8](unsafeUninitializedCapacity: count - bytes.count) { buffer, filled in
        filled = try read(file, into: UnsafeMutableRawBufferPointer(buffer))
      }
      if piece.isEmpty { break }
      bytes += piece
    }
    return (bytes, status)
  }

  /// Syncs a file that another program wrote, and its directory. That program may have ended before it synced them.
  func makeDurable(at location: FileLocation) throws(SnapshotError) {
    do throws(SystemError) {
      let directory = try openDirectory(location.directory)
      defer { close(directory) }
      let file = try open(location.name, in: directory)
      defer { close(file) }
      try sync(file)
      try sync(directory)
    } catch {
      throw SnapshotError(error, location.path)
    }
  }

  /// Reads until the end of the file, which may differ from the size in the status. Of a large file, several threads
  /// read parts: most of the time goes into the memory that is filled.
  package func readAll(_ file: OpenFile, expected: Int, limit: Int) throws -> [UInt8] {
    var bytes = expected < 8 << 20 ? [] : try readParts(file, expected)
    while true {
      let capacity = max(65_536, expected - bytes.count + 1)
      let chunk = try [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        let rest = UnsafeMutableRawBufferPointer(buffer)
        count = try bytes.isEmpty ? read(file, into: rest) : read(file, into: rest, at: bytes.count)
      }
      if chunk.isEmpty { return bytes }
      bytes = bytes.isEmpty ? chunk : bytes + chunk
      if bytes.count > limit { throw SnapshotError(.tooLarge, "the file has more than \(limit.counted("byte"))") }
    }
  }

  /// The first bytes of a file. Fewer than expected if the file has become shorter.
  private func readParts(_ file: OpenFile, _ expected: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: expected) { buffer, count in
      let memory = UnsafeMutableRawBufferPointer(buffer)
      LargePages.use(for: memory)
      let parts = Parallel.map(over: expected, atLeast: 1 << 20, threads: Parallel.defaultThreads) { range in
        Result { () throws(SystemError) in
          var end = range.lowerBound
          while end < range.upperBound {
            let part = UnsafeMutableRawBufferPointer(rebasing: memory[end..<range.upperBound])
            let read = try read(file, into: part, at: end)
            if read == 0 { break }
            end += read
          }
          return (end: end, isWhole: end == range.upperBound)
        }
      }
      for part in parts {
        let (end, isWhole) = try part.get()
        count = end
        if !isWhole { return }
      }
    }
  }
}
