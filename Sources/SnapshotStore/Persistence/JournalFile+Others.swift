import SnapshotFoundation
import Synchronization

/// What other processes have appended to a journal that a store shares with them. All of it under the lock of the file.
extension JournalFile {
  /// Lines that this store does not know.
  struct News {
    /// The lines, and the bytes that they are in.
    let journal: Journal
    /// Whether they are all lines of the journal. Otherwise they follow the known end.
    let isWhole: Bool
    /// The place behind the last line.
    let end: Lineage.JournalEnd
    /// Whether nothing may be appended. Bytes follow that were not acknowledged, or a fold mark is among the lines, or
    /// all of it is neither acknowledged nor known here.
    let isTorn: Bool
    fileprivate let status: FileStatus
  }

  /// What is behind the lines that this store knows.
  enum Look {
    case nothing
    case news(News)
    /// The journal does not have all that was acknowledged. Someone has removed or replaced it, or cut it off.
    case incomplete
  }

  /// Reads what others have appended since this store looked last.
  ///
  /// Lines behind the acknowledged end are left out: their process was killed before it told anyone.
  ///
  /// - Parameters:
  ///   - header: what the first line of the journal says, if it is the known one.
  ///   - acknowledged: the end of the journal; nil if the file needs none.
  /// - Throws: `damagedJournal`, `ioFailed`.
  func news(
    _ header: JournalHeader, upTo acknowledged: Lineage.JournalEnd?, _ limits: ReadLimits
  ) throws(SnapshotError) -> Look {
    let current = try call { () throws(SystemError) in try fileSystem.statusIfAny(at: place) }
    let known = state.withLock { $0 }
    guard let acknowledged else {
      if current != nil { return try wholeNews(upTo: nil, limits) }
      forget()
      return .nothing
    }
    // If someone has removed it or cut it off, what it had is in memory. The next save writes the file.
    let isComplete = acknowledged == acknowledgedEnd
    guard let current, current.size >= acknowledged.size else { return isComplete ? .nothing : .incomplete }
    guard let known, let handle = known.handle, known.status?.isSameFile(as: current) == true,
      acknowledged.size >= known.size
    else { return try wholeNews(upTo: acknowledged, limits) }
    let isTorn = try holdsMore(handle, behind: acknowledged.size)
    if acknowledged.size == known.size {
      if isTorn { endAppending() }
      return isComplete ? .nothing : .incomplete
    }
    if acknowledged.size > limits.fileSize { throw .largeJournal(acknowledged.size, limits.fileSize, path: path) }
    let bytes = try call { () throws(SystemError) in try read(handle, known.size..<acknowledged.size) }
    if !acknowledged.isAtEnd(of: bytes) { return .incomplete }
    let tail = try Journal(bytes, behind: known.end, of: header, limits: limits, threads: Parallel.defaultThreads)
    guard tail.end == JournalPosition(number: acknowledged.number, sum: acknowledged.sum) else { return .incomplete }
    // The mark of a fold that has failed may name the file in place. Then the lines before it do not count.
    if tail.isMarked { return try wholeNews(upTo: acknowledged, limits) }
    return .news(
      News(journal: tail, isWhole: false, end: acknowledged, isTorn: isTorn, status: current))
  }

  /// Whether the journal on the disk has all up to an end. O(1): the last checksum there depends on all of it.
  func isOnDisk(upTo end: Lineage.JournalEnd) -> Bool {
    do throws(SystemError) {
      guard let status = try fileSystem.statusIfAny(at: place), status.kind == .regular, status.size >= end.size
      else { return false }
      let directory = try fileSystem.openDirectory(location.directory)
      defer { fileSystem.close(directory) }
      let handle = try fileSystem.open(place.name, in: directory)
      defer { fileSystem.close(handle) }
      return try end.isAtEnd(of: read(handle, max(0, end.size - 64)..<end.size))
    } catch {
      return false
    }
  }

  /// The lines behind the known end of the journal that this store has open, even if another one has its name by now.
  /// Nil if none is open, or its end was not written completely.
  ///
  /// - Parameter header: what its first line says.
  func rest(_ header: JournalHeader, _ limits: ReadLimits) throws(SnapshotError) -> Journal? {
    guard let known = state.withLock({ $0 }), let handle = known.handle else { return nil }
    let end = try call { () throws(SystemError) in try fileSystem.size(handle) }
    guard end > known.size, end - known.size <= limits.fileSize else { return nil }
    var bytes = try call { () throws(SystemError) in try read(handle, known.size..<end) }
    bytes.removeLast(bytes.count - 1 - (bytes.lastIndex { $0 != 0 } ?? -1))
    return try? Journal(bytes, behind: known.end, of: header, limits: limits, threads: Parallel.defaultThreads)
  }

  /// Notes that the lines were taken in. The next line follows them.
  func adopt(_ news: News) {
    if news.isWhole { close() }
    let folder = try? fileSystem.folderStatus(of: location)
    let opened = news.isWhole ? (try? openForAppending(news.status)) ?? nil : nil
    let isTorn = news.isTorn || news.isWhole && opened == nil
    state.withLock { state in
      state = State(
        handle: opened ?? state?.handle, end: JournalPosition(number: news.end.number, sum: news.end.sum),
        size: news.end.size, space: news.status.size, status: news.status, folder: folder, isTorn: isTorn,
        isUndecided: state?.isUndecided == true)
    }
    // Nothing may be appended behind bytes that do not count. The next change makes the journal anew.
    if isTorn { endAppending() }
  }

  /// Opens the journal that was read for appending, and makes its last lines durable.
  ///
  /// - Parameters:
  ///   - read: the bytes and the status of the journal when it was read.
  ///   - acknowledged: the end that was acknowledged; nil if none was.
  /// - Returns: whether lines can be appended.
  func resume(
    _ read: (bytes: [UInt8], status: FileStatus), behind acknowledged: Lineage.JournalEnd?
  ) throws(SnapshotError) -> Bool {
    guard let known = state.withLock({ $0 }), !known.isTorn, let handle = try openForAppending(read.status)
    else { return false }
    let new: FileStatus
    do throws(SystemError) {
      let lines = read.bytes.prefix(known.size)
      new = try makeDurable(lines.dropFirst(acknowledged?.size ?? 0), handle)
    } catch {
      fileSystem.close(handle)
      throw SnapshotError(error, path)
    }
    state.withLock { state in
      state?.handle = handle
      state?.status = new
      state?.space = new.size
    }
    return true
  }

  /// Makes all of a journal durable that was read, and its name. From then on it counts as saved.
  ///
  /// - Returns: its status.
  func makeDurable(_ bytes: [UInt8], _ status: FileStatus) throws(SnapshotError) -> FileStatus {
    let handle: OpenFile
    do throws(SnapshotError) {
      guard let opened = try openForAppending(status) else {
        throw SnapshotError(
          .changedExternally, "another program has replaced the journal meanwhile; nothing was saved", path: path)
      }
      handle = opened
    } catch {
      // It cannot be written, and so nothing can be appended to it. Its bytes are not known to be lost.
      guard [SystemError.accessDenied, SystemError.readOnlyFileSystem].contains(error.systemError) else { throw error }
      try fileSystem.makeDurable(at: place)
      return status
    }
    defer { fileSystem.close(handle) }
    return try call { () throws(SystemError) in
      let new = try makeDurable(bytes[...], handle)
      let directory = try fileSystem.openDirectory(location.directory)
      defer { fileSystem.close(directory) }
      try fileSystem.sync(directory)
      return new
    }
  }

  /// Makes lines durable that another process has written. It was killed before they were, or its sync has failed. The
  /// system may take them for written then, and another sync does nothing. So they are written once more.
  private func makeDurable(_ lines: ArraySlice<UInt8>, _ handle: OpenFile) throws(SystemError) -> FileStatus {
    try fileSystem.writeAll(Array(lines), to: handle, at: lines.startIndex)
    try fileSystem.syncData(handle)
    return try fileSystem.status(handle)
  }

  private func wholeNews(
    upTo acknowledged: Lineage.JournalEnd?, _ limits: ReadLimits
  ) throws(SnapshotError) -> Look {
    guard let (bytes, found) = try read(limit: limits.fileSize) else { return .incomplete }
    // Another journal may have its name: one that was made anew by a process that was killed then has other lines.
    if let acknowledged, !acknowledged.isIn(bytes) { return .incomplete }
    let size = min(acknowledged?.size ?? bytes.count, bytes.count)
    let journal = try Journal(Array(bytes[..<size]), limits: limits, threads: Parallel.defaultThreads)
    let end = Lineage.JournalEnd(
      size: size - journal.tornBytes, number: journal.end.number, sum: journal.end.sum)
    // If nobody has noted the journal, its process was killed, or has failed, before all of it was durable.
    let status = if acknowledged == nil { try makeDurable(bytes, found) } else { found }
    let isKnown = acknowledged != nil || acknowledgedEnd?.isIn(bytes) == true
    let isTorn = !isKnown || bytes.count > end.size || journal.isMarked
    return .news(News(journal: journal, isWhole: true, end: end, isTorn: isTorn, status: status))
  }

  /// Opens the journal that was read. Nil if another one has its name by now.
  private func openForAppending(_ status: FileStatus) throws(SnapshotError) -> OpenFile? {
    try call { () throws(SystemError) in
      let directory = try fileSystem.openDirectory(location.directory)
      defer { fileSystem.close(directory) }
      let handle = try fileSystem.openLockFile(place.name, in: directory)
      do throws(SystemError) {
        if try fileSystem.status(handle).isSameContent(as: status) { return handle }
      } catch {
        fileSystem.close(handle)
        throw error
      }
      fileSystem.close(handle)
      return nil
    }
  }

  /// Whether a byte that is not NUL stands at an offset.
  private func holdsMore(_ handle: OpenFile, behind offset: Int) throws(SnapshotError) -> Bool {
    try call { () throws(SystemError) in try fileSystem.isWritten(handle, at: offset) }
  }

  private func read(_ handle: OpenFile, _ range: Range<Int>) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var count = 0
    while count < bytes.count {
      let read = try bytes.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
        let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count...]))
        return try fileSystem.read(handle, into: rest, at: range.lowerBound + count)
      }
      if read == 0 { break }
      count += read
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  private func call<Value>(_ body: () throws(SystemError) -> Value) throws(SnapshotError) -> Value {
    do {
      return try body()
    } catch {
      throw SnapshotError(error, path, committed: "; nothing was saved")
    }
  }
}
