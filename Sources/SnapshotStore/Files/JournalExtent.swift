import SnapshotFoundation

/// How far a journal is written. Every line that is appended changes it, and so does a new journal.
///
/// The size of the file does not tell: NULs stand behind the lines, as space for the next ones. Nor does its date: two
/// appends may share it.
struct JournalExtent: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  /// The offset behind the last byte that is not NUL.
  private let end: Int

  init(_ status: FileStatus, end: Int) {
    device = status.device
    inode = status.inode
    self.end = end
  }

  /// The extent of a journal that was read. O(1), and O(NULs).
  init(_ status: FileStatus, _ bytes: [UInt8]) {
    self.init(status, end: (bytes.lastIndex { $0 != 0 } ?? -1) + 1)
  }

  /// The extent of the journal beside a file; nil if there is none. O(log n).
  static func find(beside location: FileLocation, on fileSystem: any FileSystem) throws(SystemError) -> Self? {
    let directory = try fileSystem.openDirectory(location.directory)
    defer { fileSystem.close(directory) }
    let file: OpenFile
    do {
      file = try fileSystem.open(SideName.journal(of: location.name), in: directory)
    } catch {
      if error.number == SystemError.noSuchFile { return nil }
      throw error
    }
    defer { fileSystem.close(file) }
    let status = try fileSystem.status(file)
    if status.kind != .regular { return nil }
    var (end, upper) = (0, status.size)
    while end < upper {
      let middle = end + (upper - end) / 2
      if try fileSystem.isWritten(file, at: middle) { end = middle + 1 } else { upper = middle }
    }
    return Self(status, end: end)
  }
}

extension FileSystem {
  /// Whether a file has a byte at an offset that is not NUL.
  func isWritten(_ file: OpenFile, at offset: Int) throws(SystemError) -> Bool {
    var byte: UInt8 = 0
    do {
      return try withUnsafeMutableBytes(of: &byte) { try read(file, into: $0, at: offset) == 1 } && byte != 0
    } catch {
      throw error as? SystemError ?? SystemError(call: "pread", number: SystemError.ioError)
    }
  }
}
