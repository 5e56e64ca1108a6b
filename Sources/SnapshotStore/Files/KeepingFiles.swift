/// Keeps a file under another name, so that a replacement does not delete it.
extension FileSystem {
  /// Gives a file another name. Under that name it stays unchanged when the file is replaced. Durable on return.
  ///
  /// On a file system with hard links that copies nothing. On others the bytes are copied.
  ///
  /// - Throws: `EEXIST` if the new name exists; that file is not touched.
  func keep(
    _ name: String, in directory: OpenFile, as newName: String, in newDirectory: OpenFile
  ) throws(SystemError) {
    do throws(SystemError) {
      try link(name, in: directory, to: newName, in: newDirectory)
    } catch {
      guard SystemError.hardLinkRefusals.contains(error.number) else { throw error }
      try copy(name, in: directory, to: newName, in: newDirectory)
    }
    try sync(newDirectory)
  }

  private func copy(
    _ name: String, in directory: OpenFile, to newName: String, in newDirectory: OpenFile
  ) throws(SystemError) {
    let old = try open(name, in: directory)
    defer { close(old) }
    let status = try status(old)
    guard status.kind == .regular else { throw SystemError(call: "link", number: SystemError.invalid) }
    // The copy has a temporary name until it is complete, because a killed process must not leave a partial file.
    let temporaryName = TemporaryName(for: name)
    removeLeftoverFiles(temporaryName, in: newDirectory, owner: status.owner)
    let temporary = temporaryName.with(.random(in: .min ... .max))
    let new = try create(temporary, in: newDirectory)
    defer { close(new) }
    do throws(SystemError) {
      let size = try copyBytes(from: old, to: new)
      // A partial copy would be worse than none.
      guard size == status.size else { throw SystemError(call: "read", number: SystemError.ioError) }
      try setAccess(new, like: status, of: name, in: directory, attributes: true)
      try sync(new)
      if try statusIfAny(of: newName, in: newDirectory) != nil {
        throw SystemError(call: "link", number: SystemError.exists)
      }
      try rename(temporary, to: newName, in: newDirectory)
    } catch {
      try? remove(temporary, in: newDirectory)
      throw error
    }
  }

  /// Creates a file with bytes and syncs it. Its name is not synced.
  func writeNew(_ bytes: [UInt8], _ name: String, in directory: OpenFile) throws(SystemError) {
    let file = try create(name, in: directory)
    defer { close(file) }
    do throws(SystemError) {
      try writeAll(bytes, to: file)
      try sync(file)
    } catch {
      try? remove(name, in: directory)
      throw error
    }
  }

  package func writeAll(_ bytes: [UInt8], to file: OpenFile) throws(SystemError) {
    try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
      try writeAll(UnsafeRawBufferPointer(bytes), to: file)
    }
  }

  /// Writes all bytes at an offset, independent of the other writes.
  func writeAll(_ bytes: [UInt8], to file: OpenFile, at offset: Int) throws(SystemError) {
    try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
      try writeAll(UnsafeRawBufferPointer(bytes), to: file, at: offset)
    }
  }

  private func writeAll(
    _ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: Int? = nil
  ) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let next = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 20))
      let written =
        if let offset { try write(file, next, at: offset + bytes.count - rest.count) } else { try write(file, next) }
      if written == 0 { throw SystemError(call: "write", number: SystemError.ioError) }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  private func copyBytes(from old: OpenFile, to new: OpenFile) throws(SystemError) -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var total = 0
    while true {
      let count = try read(old, into: buffer)
      if count == 0 { return total }
      try writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: new)
      total += count
    }
  }
}
