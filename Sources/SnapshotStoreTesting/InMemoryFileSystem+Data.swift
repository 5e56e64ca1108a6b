package import SnapshotStore
// In release builds a small lock is a mutex of this module.
import Synchronization

/// Reading, writing and syncing.
extension InMemoryFileSystem {
  package func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try read("read", file, into: buffer, at: nil)
  }

  package func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    try read("pread", file, into: buffer, at: offset)
  }

  private func read(
    _ call: String, _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int?
  ) throws(SystemError) -> Int {
    let chunk = try perform(call, "") { state throws(SystemError) in
      let open = try state.handle(file, call)
      guard let inode = open.inode, let content = state.files[inode] else {
        throw SystemError(call: call, number: SystemError.isDirectory)
      }
      let chunk = Array(content.bytes.dropFirst(offset ?? open.position).prefix(buffer.count))
      if offset == nil { state.open[file.number]?.position += chunk.count }
      return chunk
    }
    buffer.copyBytes(from: chunk)
    return chunk.count
  }

  package func write(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    try write("write", file, buffer) { open, _ in open.position }.count
  }

  package func write(
    _ file: OpenFile, _ buffer: UnsafeRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    try write("pwrite", file, buffer) { _, _ in offset }.count
  }

  package func append(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Range<Int> {
    try write("write", file, buffer) { _, size in size }
  }

  /// - Parameter offset: the place of the bytes, from the open file and its size.
  private func write(
    _ call: String, _ file: OpenFile, _ buffer: UnsafeRawBufferPointer, at offset: (Open, Int) -> Int
  ) throws(SystemError) -> Range<Int> {
    let bytes = Array(buffer)
    return try perform(call, "") { state throws(SystemError) in
      let open = try state.handle(file, call)
      guard let inode = open.inode else { throw SystemError(call: call, number: SystemError.badDescriptor) }
      let count = min(bytes.count, state.writeLimit, state.nextWriteLimit)
      state.nextWriteLimit = .max
      let start = offset(open, state.files[inode]?.bytes.count ?? 0)
      state.files[inode]?.write(bytes.prefix(count), at: start)
      if call == "write" { state.open[file.number]?.position = start + count }
      state.touch(inode)
      return start..<start + count
    }
  }

  package func sync(_ file: OpenFile) throws(SystemError) {
    try sync("fsync", file)
  }

  package func syncData(_ file: OpenFile) throws(SystemError) {
    try sync("fdatasync", file)
  }

  private func sync(_ call: String, _ file: OpenFile) throws(SystemError) {
    let hasMissedFailure: Bool
    do {
      hasMissedFailure = try perform(call, "") { state throws(SystemError) in
        let open = try state.handle(file, call)
        defer { state.ignoresSync = false }
        if state.ignoresSync { return false }
        if let inode = open.inode { state.files[inode]?.sync() } else { state.syncDirectory(open.path) }
        state.open[file.number]?.hasMissedFailure = false
        return open.hasMissedFailure
      }
    } catch {
      state.withLock { $0.noteFailedSync(of: file) }
      throw error
    }
    if hasMissedFailure { throw SystemError(call: call, number: SystemError.ioError) }
  }
}
