/// Writes bytes that come in pieces, some of them from the file that will be replaced.
struct PieceCopy: ~Copyable {
  private let fileSystem: any FileSystem
  private let location: FileLocation
  private let directory: OpenFile
  private let target: OpenFile
  /// The file that will be replaced, once something was taken from it.
  private var old: OpenFile?
  /// What is to be written next: small pieces are put together, so that each is not a system call of its own.
  private let buffer: UnsafeMutableRawBufferPointer
  private var filled = 0

  /// Bytes per system call.
  private static let chunk = 1 << 20

  init(on fileSystem: any FileSystem, to target: OpenFile, replacing location: FileLocation, in directory: OpenFile) {
    self.fileSystem = fileSystem
    self.location = location
    self.directory = directory
    self.target = target
    buffer = .allocate(byteCount: Self.chunk, alignment: 16)
  }

  deinit {
    buffer.deallocate()
    if let old { fileSystem.close(old) }
  }

  /// Writes all of a content.
  ///
  /// - Throws: `oldBytesChanged` if bytes of the old file are not what they were, `oldBytesUnreadable` if they cannot be read;
  ///   `ioFailed`.
  consuming func write(_ content: PiecedBytes) throws(SnapshotError) {
    var pieces = content.pieces[...]
    while let piece = pieces.popFirst() {
      switch piece {
      case .block(let block):
        try block.withUnsafeBytes { bytes throws(SnapshotError) in try append(bytes) }
      case .old(let stretch):
        if stretch.count > buffer.count - filled { try flush() }
        try append(stretch.run(upTo: buffer.count - filled, &pieces))
      }
    }
    try flush()
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(SnapshotError) {
    if bytes.count > buffer.count - filled { try flush() }
    if bytes.count > buffer.count { return try writeAll(bytes) }
    UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: bytes)
    filled += bytes.count
  }

  private mutating func flush() throws(SnapshotError) {
    try writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
    filled = 0
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer) throws(SnapshotError) {
    do throws(SystemError) {
      var offset = 0
      while offset < bytes.count {
        let end = min(offset + Self.chunk, bytes.count)
        let count = try fileSystem.write(target, UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
        // A write that takes nothing would be repeated for ever.
        if count <= 0 { throw SystemError(call: "write", number: SystemError.ioError) }
        offset += count
      }
    } catch {
      throw SnapshotError(error, location.path, committed: "; nothing was replaced")
    }
  }

  // MARK: The old file

  /// Takes over stretches that follow on each other. They are checked in memory that nobody else sees, so what is written
  /// is what was checked.
  private mutating func append(_ run: [PiecedBytes.Stretch]) throws(SnapshotError) {
    let count = run.reduce(0) { $0 + $1.count }
    if count <= buffer.count - filled {
      let place = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
      try read(run, into: place)
      filled += count
    } else {
      // A leaf of large records.
      let own = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
      defer { own.deallocate() }
      try read(run, into: own)
      try writeAll(UnsafeRawBufferPointer(own))
    }
  }

  private mutating func read(
    _ run: [PiecedBytes.Stretch], into place: UnsafeMutableRawBufferPointer
  ) throws(SnapshotError) {
    let file = try openOld()
    var done = 0
    while done < place.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: place[done...])
      let count: Int
      do {
        count = try fileSystem.read(file, into: rest, at: run[0].offset + done)
      } catch {
        throw unreadable(error)
      }
      guard count > 0 else { throw oldBytesChanged }
      done += count
    }
    var start = 0
    for stretch in run {
      let bytes = UnsafeRawBufferPointer(rebasing: place[start..<start + stretch.count])
      guard ByteDigest(bytes) == stretch.digest else { throw oldBytesChanged }
      start += stretch.count
    }
  }

  private mutating func openOld() throws(SnapshotError) -> OpenFile {
    if let old { return old }
    do {
      let file = try fileSystem.open(location.name, in: directory)
      old = file
      return file
    } catch {
      throw unreadable(error)
    }
  }

  private func unreadable(_ error: SystemError) -> SnapshotError {
    SnapshotError(
      .oldBytesUnreadable, "\(error.call) failed: \(error.text)", path: location.path, systemError: error.number)
  }

  private var oldBytesChanged: SnapshotError {
    SnapshotError(.oldBytesChanged, "the file holds other bytes than it was saved with", path: location.path)
  }
}

extension PiecedBytes.Stretch {
  /// This stretch and those that follow on it in the old file, taken off the pieces, as long as they fit.
  fileprivate func run(upTo limit: Int, _ pieces: inout ArraySlice<PiecedBytes.Piece>) -> [Self] {
    var run = [self]
    var end = offset + count
    while case .old(let next)? = pieces.first, next.offset == end, end + next.count - offset <= limit {
      run.append(next)
      end += next.count
      pieces.removeFirst()
    }
    return run
  }
}

extension SnapshotError.Code {
  /// What was to be taken over from the old file is not there any more; it has to be encoded anew. Not seen by users.
  static let oldBytesChanged = SnapshotError.Code(rawValue: "oldBytesChanged")
  /// The same, because the old file cannot be read. It says nothing about whether someone has changed it.
  static let oldBytesUnreadable = SnapshotError.Code(rawValue: "oldBytesUnreadable")
}
