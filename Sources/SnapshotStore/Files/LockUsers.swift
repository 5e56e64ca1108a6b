/// The stores that share a file and have it open. Each has a line in the lock file, from the third one on.
///
/// `Open: Notes (process 42) since 2026-11-24T07:40:00Z, shared`, filled up with spaces to 256 bytes. A line of spaces
/// is free, and so is that of a process that has ended. The holder of the lock takes a free line. A store that is
/// opened beside a holder appends one: the system gives each of two that append a place of its own. When no more can be
/// appended, it takes a free one too. Two that are opened at that moment may take the same one.
enum LockUsers {
  static let mark = "Open: "
  /// The offset of the first line.
  static let start = 2 * LockText.length
  /// The most lines. A store that finds no place is not listed.
  private static let most = 4_096

  /// Writes the line of a store.
  ///
  /// - Parameters:
  ///   - hasLock: otherwise others may write lines at the same time.
  ///   - slot: the number of a line that this store may have already.
  /// - Returns: the number of the line; nil if it could not be written.
  static func enter(
    _ file: OpenFile, on fileSystem: any FileSystem, hasLock: Bool, at slot: Int? = nil
  ) -> Int? {
    guard let lines = try? read(file, on: fileSystem) else { return nil }
    if let slot, lines.indices.contains(slot), lines[slot]?.process == fileSystem.process { return slot }
    let line = LockText.line(mark + LockText.process(fileSystem.process) + ", shared")
    let isFull = lines.count >= most
    let free = hasLock || isFull ? lines.indices.filter { lines[$0] == nil } : []
    guard let place = hasLock ? free.first : free.randomElement() else {
      return isFull ? nil : append(line, file, fileSystem)
    }
    return write(line, place, file, fileSystem) ? place : nil
  }

  /// Frees a line, if it is still one of this process. Another process may have taken this one for ended.
  static func leave(_ slot: Int, _ file: OpenFile, on fileSystem: any FileSystem) {
    guard let lines = try? read(file, on: fileSystem), lines.indices.contains(slot),
      lines[slot]?.process == fileSystem.process
    else { return }
    _ = write(LockText.line(""), slot, file, fileSystem)
  }

  /// The stores that have the file open, of processes that are running.
  ///
  /// - Parameter slot: the number of a line that is left out.
  static func list(
    _ file: OpenFile, on fileSystem: any FileSystem, without slot: Int? = nil
  ) throws(SystemError) -> [FileUser] {
    try read(file, on: fileSystem).enumerated().compactMap { $0.offset == slot ? nil : $0.element }
  }

  /// Returns nil if the line is not there, or not where lines are.
  private static func append(_ line: [UInt8], _ file: OpenFile, _ fileSystem: any FileSystem) -> Int? {
    guard let size = try? fileSystem.size(file) else { return nil }
    let end = max(start, (size + LockText.length - 1) / LockText.length * LockText.length)
    // The holder has not written its lines, or a line is cut off. A byte where it ends keeps its place.
    if size < end, [UInt8(0)].withUnsafeBytes({ try? fileSystem.write(file, $0, at: end - 1) }) != 1 { return nil }
    guard let place = try? line.withUnsafeBytes({ bytes throws(SystemError) in try fileSystem.append(file, bytes) }),
      place.count == LockText.length, place.lowerBound >= start, place.lowerBound.isMultiple(of: LockText.length)
    else { return nil }
    let slot = (place.lowerBound - start) / LockText.length
    return slot < most ? slot : nil
  }

  private static func write(_ line: [UInt8], _ slot: Int, _ file: OpenFile, _ fileSystem: any FileSystem) -> Bool {
    let count = line.withUnsafeBytes { try? fileSystem.write(file, $0, at: start + slot * LockText.length) }
    return count == LockText.length
  }

  /// The lines; nil for free ones.
  private static func read(_ file: OpenFile, on fileSystem: any FileSystem) throws(SystemError) -> [FileUser?] {
    let size = min(max(0, try fileSystem.size(file) - start), most * LockText.length)
    var bytes = [UInt8](repeating: 0, count: size)
    let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
      try fileSystem.read(file, into: UnsafeMutableRawBufferPointer(bytes), at: start)
    }
    return stride(from: 0, to: count, by: LockText.length).map { offset in
      guard let user = user(in: bytes[offset..<min(offset + LockText.length, count)]) else { return nil }
      return fileSystem.isRunning(user.process) ? user : nil
    }
  }

  private static func user(in line: ArraySlice<UInt8>) -> FileUser? {
    guard line.starts(with: mark.utf8), let last = line.lastIndex(where: { !isPadding($0) }) else { return nil }
    return FileUser(line: String(decoding: line[...last].dropFirst(mark.utf8.count), as: UTF8.self))
  }

  private static func isPadding(_ byte: UInt8) -> Bool { [UInt8(ascii: " "), UInt8(ascii: "\n"), 0].contains(byte) }
}

extension FileLock {
  /// What is known of those who share the file. It outlives the open lock file; see `detach`.
  struct Listing {
    /// The line of this store among them; nil if it has none.
    var slot: Int?
    /// Whether the lock file is another one than before, or was made beside a journal of stores that share the file.
    /// Then some of them may not be listed.
    var hasLostUsers = false
    /// Whether this store could not write its line. Others may have taken it for closed, and have removed the journal.
    var wasUnlisted = false
  }
}
