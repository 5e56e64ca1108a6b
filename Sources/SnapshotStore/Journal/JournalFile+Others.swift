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
    let end: JournalEnd
    /// Whether nothing may be appended. Bytes follow that are no line, or a fold mark is among the lines.
    let isTorn: Bool
    /// Whether lines are missing that the journal had. The next journal begins a run then.
    var isCut = false
    fileprivate let status: FileStatus
  }

  /// Whether the journal on the disk has no more than this store knows. It reads one byte.
  ///
  /// - Parameter extent: how far it was written when it was read, for a store that does not have it open.
  func isAsKnown(_ extent: JournalExtent?) -> Bool {
    let known = state
    guard let known, let handle = known.handle, let status = known.status else {
      guard let found = try? JournalExtent.find(beside: location, on: fileSystem) else {
        return extent == nil && known?.extent == nil && !isNameTaken
      }
      return found == extent || found == known?.extent
    }
    do throws(SystemError) {
      guard let current = try fileSystem.statusIfAny(at: place), current.isSameFile(as: status),
        current.size >= known.size
      else { return false }
      return try !fileSystem.isWritten(handle, at: known.size)
    } catch {
      return false
    }
  }

  /// Notes whether lines are missing that were acknowledged. Then nothing is appended to the others.
  func noteCut(_ durable: JournalEnd?) {
    guard let known = state, let durable, durable.journal == known.start, durable.number > known.end.number
    else { return }
    endAppending()
    state?.isCut = true
  }

  /// The lines behind the known end of the open journal, made durable. Nil if all of the journal must be read.
  ///
  /// - Parameter durable: the end up to which it is durable, as far as that is known.
  func tail(durable: JournalEnd?, _ limits: ReadLimits) throws(SnapshotError) -> News? {
    let current = try call { () throws(SystemError) in try fileSystem.statusIfAny(at: place) }
    guard let current, let known = state, let handle = known.handle, let header = known.header,
      known.status?.isSameFile(as: current) == true, current.size >= known.size,
      current.size <= limits.fileSize &+ Self.mostSpace
    else { return nil }
    var bytes = try call { () throws(SystemError) in try read(handle, known.size..<current.size) }
    bytes.removeLast(bytes.count - 1 - (bytes.lastIndex { $0 != 0 } ?? -1))
    guard
      let tail = try? Journal(bytes, behind: known.end, of: header, limits: limits, threads: Parallel.defaultThreads),
      // The mark of a fold that has failed may name the file in place. Then the lines before it do not count.
      !tail.isMarked
    else { return nil }
    let end = JournalEnd(
      journal: known.start, size: known.size + bytes.count - tail.tornBytes, number: tail.end.number, sum: tail.end.sum)
    if end.size > limits.fileSize { throw .largeJournal(end.size, limits.fileSize, path: path) }
    if tail.lines.isEmpty { endAppending() }
    var status = current
    if durable != end, !tail.lines.isEmpty {
      status = try call { () throws(SystemError) in
        try fileSystem.writeAll(Array(bytes.prefix(end.size - known.size)), to: handle, at: known.size)
        try fileSystem.syncData(handle)
        return try fileSystem.status(handle)
      }
    }
    return News(journal: tail, isWhole: false, end: end, isTorn: tail.tornBytes > 0, status: status)
  }

  /// The lines behind the known end of the journal that this store has open, although another one has its name by now.
  /// Nil if none is open.
  func rest(_ limits: ReadLimits) throws(SnapshotError) -> Journal? {
    guard let known = state, let handle = known.handle, let header = known.header else { return nil }
    let end = try call { () throws(SystemError) in try fileSystem.size(handle) }
    guard end >= known.size, end - known.size <= limits.fileSize else { return nil }
    var bytes = try call { () throws(SystemError) in try read(handle, known.size..<end) }
    bytes.removeLast(bytes.count - 1 - (bytes.lastIndex { $0 != 0 } ?? -1))
    return try? Journal(bytes, behind: known.end, of: header, limits: limits, threads: Parallel.defaultThreads)
  }

  /// A journal that was read as a whole, made durable.
  func whole(
    _ journal: Journal, _ bytes: [UInt8], _ status: FileStatus, durable: JournalEnd?
  ) throws(SnapshotError) -> News {
    let end = JournalEnd(
      journal: journal.start, size: bytes.count - journal.tornBytes, number: journal.end.number, sum: journal.end.sum)
    let status = durable == end ? status : try makeDurable(bytes, status)
    let isCut = durable?.isMissing(in: journal) == true
    return News(
      journal: journal, isWhole: true, end: end, isTorn: journal.tornBytes > 0 || journal.isMarked, isCut: isCut,
      status: status)
  }

  /// Notes that the lines were taken in. The next line follows them.
  func adopt(_ news: News) {
    if news.isWhole { close() }
    let folder = try? fileSystem.folderStatus(of: location)
    let opened = news.isWhole ? (try? openForAppending(news.status)) ?? nil : nil
    let isCut = news.isCut || state.map { $0.isCut && $0.start == news.end.journal } == true
    let isTorn = news.isTorn || news.isWhole && opened == nil || isCut
    state = State(
      handle: opened ?? state?.handle, header: news.journal.header ?? state?.header, start: news.end.journal,
      end: JournalPosition(number: news.end.number, sum: news.end.sum),
      size: news.end.size, space: news.status.size, status: news.status, folder: folder, isTorn: isTorn, isCut: isCut,
      isUndecided: state?.isUndecided == true)
    if let past = news.journal.header?.past { latestPast = past }
    // Nothing may be appended behind bytes that do not count. The next change makes the journal anew.
    if isTorn { endAppending() }
  }

  /// Opens the journal that was read for appending, and makes its last lines durable.
  ///
  /// - Parameters:
  ///   - read: the bytes and the status of the journal when it was read.
  ///   - durable: the end up to which it is durable, as far as that is known.
  /// - Returns: whether lines can be appended.
  func resume(
    _ read: (bytes: [UInt8], status: FileStatus), durable: JournalEnd?
  ) throws(SnapshotError) -> Bool {
    guard let known = state, !known.isTorn, let handle = try openForAppending(read.status)
    else { return false }
    let new: FileStatus
    do throws(SystemError) {
      let lines = read.bytes.prefix(known.size)
      new = try makeDurable(lines.dropFirst(durable?.journal == known.start ? durable?.size ?? 0 : 0), handle)
    } catch {
      fileSystem.close(handle)
      throw SnapshotError(error, path)
    }
    state?.handle = handle
    state?.status = new
    state?.space = new.size
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
