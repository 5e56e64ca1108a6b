/// Writes bytes that come in pieces. Some pieces are copied from the file that will be replaced.
struct PieceCopy: ~Copyable {
  private let fileSystem: any FileSystem
  private let location: FileLocation
  private let directory: OpenFile
  private let target: OpenFile
  /// The file that will be replaced, once a piece of it was read.
  private var old: OpenFile?
  /// The next bytes to write. Small pieces are collected, so that each does not need a system call.
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

  /// Writes the whole content.
  ///
  /// - Returns: the number of bytes.
  /// - Throws: `oldBytesChanged` if bytes of the old file have changed, `oldBytesUnreadable` if they cannot be read,
  ///   `ioFailed`.
  consuming func write(_ content: PiecedBytes) throws(SnapshotError) -> Int {
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
    return content.count
  }

  /// Writes what `body` passes on, in its order.
  ///
  /// - Returns: the number of bytes.
  /// - Throws: `ioFailed`, and the errors of `body`.
  consuming func write(
    from body: (_ append: ([UInt8]) throws(SnapshotError) -> Void) throws(SnapshotError) -> Void
  ) throws(SnapshotError) -> Int {
    var count = 0
    try body { bytes throws(SnapshotError) in
      try bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in try append(UnsafeRawBufferPointer(bytes)) }
      count += bytes.count
    }
    try flush()
    return count
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
        // Otherwise a write of no bytes would be repeated for ever.
        if count <= 0 { throw SystemError(call: "write", number: SystemError.ioError) }
        offset += count
      }
    } catch {
      throw SnapshotError(error, location.path, committed: "; nothing was replaced")
    }
  }

  // MARK: The old file

  /// Copies consecutive stretches. They are checked in private memory, so the written bytes are the checked ones.
  private mutating func append(_ run: [PiecedBytes.Stretch]) throws(SnapshotError) {
    let count = run.reduce(0) { $0 + $1.count }
    if count <= buffer.count - filled {
      let place = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
      try read(run, into: place)
      filled += count
    } else {
      // A leaf with large records needs a larger buffer.
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
    SnapshotError(.oldBytesChanged, "the bytes of the file have changed since it was saved", path: location.path)
  }
}

extension PiecedBytes.Stretch {
  /// This stretch and the adjacent next ones, removed from the pieces, up to a limit.
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
  /// The bytes of the old file have changed, so the content must be encoded again. Users do not see this code.
  static let oldBytesChanged = SnapshotError.Code(rawValue: "oldBytesChanged")
  /// The same for an old file that cannot be read. It does not tell whether the file was changed.
  static let oldBytesUnreadable = SnapshotError.Code(rawValue: "oldBytesUnreadable")
}
