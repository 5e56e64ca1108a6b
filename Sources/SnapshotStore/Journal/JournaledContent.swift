/// A file and the journal beside it, as they were at one moment. Both together are what the store holds.
struct JournaledContent {
  /// The bytes of the file.
  let bytes: [UInt8]
  let status: FileStatus
  /// The bytes of the journal and its status; nil if there is none.
  let journal: (bytes: [UInt8], status: FileStatus)?
  /// The path of the journal, for messages.
  let journalPath: String
}

extension FileSystem {
  /// Reads a file and the journal beside it.
  ///
  /// Without the lock, a store may append and fold meanwhile. It removes a journal only after it has replaced the file.
  /// So without a journal, a file that is read afterwards has all that was saved before. A journal belongs to a file
  /// that is the same before and after.
  ///
  /// - Throws: the errors of `readFile`; `changedExternally` if the file never stays the same.
  func readJournaled(at location: FileLocation, limit: Int) throws(SnapshotError) -> JournaledContent {
    for _ in 0..<1_000 {
      let hasJournal = JournalFile(beside: location, on: self).isNameTaken
      let (bytes, status) = try readFile(at: location, limit: limit)
      let path = location.sibling(SideName.journal(of: location.name)).path
      if !hasJournal { return JournaledContent(bytes: bytes, status: status, journal: nil, journalPath: path) }
      let journal = try readJournal(beside: location, limit: limit)
      if try isUnchanged(location, since: status) {
        return JournaledContent(bytes: bytes, status: status, journal: journal, journalPath: path)
      }
    }
    throw SnapshotError(
      .changedExternally, "the file was replaced again and again while it was read", path: location.path)
  }

  /// The bytes of the journal beside a file, without the NULs behind its lines, and its status; nil if there is none.
  ///
  /// - Parameter limit: the most bytes of lines.
  func readJournal(
    beside location: FileLocation, limit: Int
  ) throws(SnapshotError) -> (bytes: [UInt8], status: FileStatus)? {
    let place = location.sibling(SideName.journal(of: location.name))
    do throws(SnapshotError) {
      // A journal at the limit has space behind it.
      var (bytes, status) = try readFile(at: place, limit: max(limit, limit &+ JournalFile.mostSpace))
      bytes.removeLast(bytes.count - 1 - (bytes.lastIndex { $0 != 0 } ?? -1))
      if bytes.count <= limit { return (bytes, status) }
      throw .largeJournal(bytes.count, limit, path: place.path)
    } catch {
      if error.code == .fileNotFound { return nil }
      if error.systemError == SystemError.tooManyLinks {
        throw SnapshotError(
          .notRegularFile, "the journal is a symbolic link", advice: "Remove the link.", path: error.path)
      }
      throw error
    }
  }

  private func isUnchanged(_ location: FileLocation, since status: FileStatus) throws(SnapshotError) -> Bool {
    do throws(SystemError) {
      return try statusIfAny(at: location)?.isSameContent(as: status) == true
    } catch {
      throw SnapshotError(error, location.path)
    }
  }
}

extension JournaledContent {
  /// How far the journal was written; nil if there is none.
  var journalExtent: JournalExtent? { journal.map { JournalExtent($0.status, $0.bytes) } }

  /// The journal with its lines since the file was written; nil if there is none.
  ///
  /// - Throws: `damagedJournal`; `foreignJournal` if the journal belongs to another file.
  func changes(
    of document: Document, path: String
  ) throws(SnapshotError) -> (journal: Journal, lines: ArraySlice<Journal.Line>)? {
    guard let journal = try readJournal(document.limits) else { return nil }
    if let error = journal.strangeness(beside: document.header.schema, document.header.version) {
      throw error.at(path: journalPath)
    }
    guard let lines = journal.lines(since: base(document)) else { throw SnapshotError.foreignJournal(path: path) }
    return (journal, lines)
  }

  /// The journal as it was read; nil if there is none.
  ///
  /// - Throws: `damagedJournal`, also for one without its first line: it gets its name together with that line.
  func readJournal(_ limits: ReadLimits) throws(SnapshotError) -> Journal? {
    guard let journal else { return nil }
    do throws(SnapshotError) {
      let read = try Journal(journal.bytes, limits: limits, threads: Parallel.defaultThreads)
      if read.header != nil { return read }
      let start = SnapshotError.Position(offset: 0, line: 1, column: 1)
      throw JournalLines.damage("the first line of the journal is missing or cut off", start)
    } catch {
      throw error.at(path: journalPath)
    }
  }

  /// The same without the lines behind an end that is durable. Another process is saving them, and may fail.
  func upTo(_ end: JournalEnd?, _ limits: ReadLimits) -> JournaledContent {
    guard let end, let journal, end.size < journal.bytes.count,
      let known = try? Journal(Array(journal.bytes[..<end.size]), limits: limits),
      known.start == end.journal, known.end == JournalPosition(number: end.number, sum: end.sum)
    else { return self }
    // This may read the whole file, and most openings do not need it.
    let base = JournalBase(of: bytes, limits)
    if !known.stands(on: base) || isMarked(base, behind: known.end, limits) { return self }
    return JournaledContent(
      bytes: bytes, status: status, journal: (Array(journal.bytes[..<end.size]), journal.status),
      journalPath: journalPath)
  }

  /// Whether the journal says behind a line that this file has all of it. The fold may have had the bytes of the file
  /// before.
  private func isMarked(_ base: JournalBase, behind end: JournalPosition, _ limits: ReadLimits) -> Bool {
    let whole = journal.flatMap { try? Journal($0.bytes, limits: limits) }
    return whole?.lines.dropFirst(end.number).contains { $0.kind == .fold(base) } == true
  }

  /// What a journal calls this file.
  func base(_ document: Document) -> JournalBase { JournalBase(of: document, bytes) }

  /// The bytes of a file with all that the file and its journal hold. Those of the file if there is no journal.
  ///
  /// They are made without the types of the store, in the format of the file.
  ///
  /// - Throws: the errors of `changes`, and of reading the file if there is a journal.
  func folded(_ limits: ReadLimits, path: String) throws(SnapshotError) -> [UInt8] {
    if journal == nil { return bytes }
    let threads = Parallel.defaultThreads
    let document: Document
    let decoded: DecodedSnapshot<UntypedModel>
    do throws(SnapshotError) {
      document = try Document(bytes, limits: limits, threads: threads)
      decoded = try SnapshotCoder.decode(UntypedModel.self, from: document, .wholeFile)
    } catch {
      throw error.at(path: path)
    }
    guard let (journal, lines) = try changes(of: document, path: path), !lines.isEmpty else { return bytes }
    let content: SnapshotContent<UntypedModel>
    do throws(SnapshotError) {
      content = try journal.replay(
        lines, onto: SnapshotContent(decoded), .wholeFile, idKeys: document.header.idKeys, limits: limits)
    } catch {
      throw error.at(path: journalPath)
    }
    return try SnapshotCoder.encode(content.value, content.unknown, as: document.format, threads: threads)
  }
}

extension JournalBase {
  /// What a journal calls a file with these bytes.
  init(of bytes: [UInt8], _ limits: ReadLimits) {
    self.init(of: try? Document(bytes, limits: limits), bytes)
  }

  /// - Parameters:
  ///   - document: the bytes as a document; nil if they are none.
  ///   - threads: the most threads for the checksum of all bytes.
  init(of document: Document?, _ bytes: [UInt8], threads: Int = 1) {
    let sum: Sum
    if let document, document.checksum == .ok, let checksum = document.header.checksum {
      sum = .checksum(checksum)
    } else {
      sum = .digest(Checksum.cksum(bytes[...], threads: threads))
    }
    self.init(sum: sum, size: bytes.count)
  }
}

extension Journal {
  /// The error for a journal of another schema than its file, or of a newer version; nil for others.
  func strangeness(beside schema: String, _ version: Int) -> SnapshotError? {
    guard let header else { return nil }
    if header.schema != schema {
      return SnapshotError(
        .foreignJournal,
        "the journal beside the file has the schema \(header.schema.quotedForMessage()), and the file “\(schema)”",
        advice: "It is that of another program. Move the journal away, and open the file then.")
    }
    if header.version <= version { return nil }
    return SnapshotError(
      .newerVersion,
      "the journal beside the file has version \(header.version) of its schema, and \(version) was expected",
      advice: "Open it with the newer program.")
  }
}

extension SnapshotError {
  /// The error for a journal whose file is gone.
  static func journalAlone(path: String) -> SnapshotError {
    SnapshotError(
      .foreignJournal, "the file is gone, and its journal is there",
      advice: "Put the file back. To begin anew, move the hidden journal away.", path: path)
  }

  /// The error for a journal with more bytes than the limit.
  static func largeJournal(_ count: Int, _ limit: Int, path: String) -> SnapshotError {
    SnapshotError(.tooLarge, "the journal has \(count.counted("byte")); the limit is \(limit)", path: path)
  }

  /// The error for a journal that belongs to another file.
  static func foreignJournal(path: String) -> SnapshotError {
    SnapshotError(
      .foreignJournal,
      "the journal beside the file has changes for another version of it: the file was replaced or edited since",
      path: path
    ).advising(.foreignJournal, "Open the store for writing: that merges both.")
  }
}
