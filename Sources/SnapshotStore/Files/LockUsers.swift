/// The stores that share a file and have it open. Each has a line in the lock file, from the third one on.
///
/// `Open: Notes (process 42) since 2026-11-24T07:40:00Z, shared`, filled up with spaces to 256 bytes. A line of spaces
/// is free, and so is that of a process that has ended. The lines are written and read under the lock.
enum LockUsers {
  static let mark = "Open: "
  /// The offset of the first line.
  private static let start = 2 * LockText.length
  /// The most lines. A store that finds none free is not listed.
  private static let most = 1_024

  /// Writes the line of a store.
  ///
  /// - Returns: the number of the line; nil if it could not be written.
  static func enter(_ file: OpenFile, on fileSystem: any FileSystem) -> Int? {
    guard let lines = try? read(file, on: fileSystem) else { return nil }
    let slot = lines.firstIndex { $0 == nil } ?? lines.count
    guard slot < most else { return nil }
    let text = LockText.line(mark + LockText.process(fileSystem.process) + ", shared")
    return write(text, slot, file, fileSystem) ? slot : nil
  }

  /// Frees a line.
  static func leave(_ slot: Int, _ file: OpenFile, on fileSystem: any FileSystem) {
    _ = write(LockText.line(""), slot, file, fileSystem)
  }

  /// The stores that have the file open: the name of the process, its number, and since when.
  ///
  /// - Parameter slot: the number of a line that is left out.
  static func list(
    _ file: OpenFile, on fileSystem: any FileSystem, without slot: Int? = nil
  ) throws(SystemError) -> [String] {
    try read(file, on: fileSystem).enumerated().compactMap { $0.offset == slot ? nil : $0.element }
  }

  private static func write(_ line: [UInt8], _ slot: Int, _ file: OpenFile, _ fileSystem: any FileSystem) -> Bool {
    let count = line.withUnsafeBytes { try? fileSystem.write(file, $0, at: start + slot * LockText.length) }
    return count == LockText.length
  }

  /// The lines; nil for free ones.
  private static func read(_ file: OpenFile, on fileSystem: any FileSystem) throws(SystemError) -> [String?] {
    var bytes = [UInt8](repeating: 0, count: most * LockText.length)
    let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
      try fileSystem.read(file, into: UnsafeMutableRawBufferPointer(bytes), at: start)
    }
    return stride(from: 0, to: count, by: LockText.length).map { offset in
      let line = String(decoding: bytes[offset..<min(offset + LockText.length, count)], as: UTF8.self)
      guard line.hasPrefix(mark), let process = process(in: line), fileSystem.isRunning(process) else { return nil }
      return String(line.dropFirst(mark.count).prefix { $0 != "\n" && $0 != "\0" }).trimmingSuffix(" ")
    }
  }

  /// The number of the process in a line.
  private static func process(in line: String) -> Int32? {
    line.firstMatch(of: /\(process ([0-9]{1,9})\)/).flatMap { Int32($0.1) }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    String(prefix(upTo: lastIndex { $0 != character }.map { index(after: $0) } ?? startIndex))
  }
}
