/// A file and the journal beside it, as they were at one moment. Both together are what the store holds.
struct JournaledContent {
  /// The bytes of the file.
  let bytes: [UInt8]
  let status: FileStatus
  /// The bytes of the journal and its status; nil if there is none.
  let journal: (bytes: [UInt8], status: FileStatus)?
}

extension FileSystem {
  /// Reads a file and the journal beside it.
  ///
  /// Without the lock, a store may append and fold meanwhile. It removes a journal only after it has replaced the file.
  /// So a journal, or its absence, belongs to a file that is the same before and after.
  ///
  /// - Throws: the errors of `readFile`; `changedExternally` if the file never stays the same.
  func readJournaled(at location: FileLocation, limit: Int) throws(SnapshotError) -> JournaledContent {
    for _ in 0..<20 {
      let (bytes, status) = try readFile(at: location, limit: limit)
      guard let journal = try readJournal(beside: location, limit: limit) else {
        if try isUnchanged(location, since: status) {
          return JournaledContent(bytes: bytes, status: status, journal: nil)
        }
        continue
      }
      if try isUnchanged(location, since: status) {
        return JournaledContent(bytes: bytes, status: status, journal: journal)
      }
    }
    throw SnapshotError(
      .changedExternally, "the file was replaced again and again while it was read", path: location.path)
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
  /// The journal with its lines since the file was written; nil if there is none.
  ///
  /// - Throws: `damagedJournal`; `foreignJournal` if the journal belongs to another file.
  func changes(
    of document: Document, path: String
  ) throws(SnapshotError) -> (journal: Journal, lines: ArraySlice<Journal.Line>)? {
    guard let journal = try readJournal(document.limits) else { return nil }
    guard journal.header?.schema == document.header.schema, let lines = journal.lines(since: base(document)) else {
      throw SnapshotError.foreignJournal(path: path)
    }
    return (journal, lines)
  }

  /// The journal as it was read; nil if there is none.
  func readJournal(_ limits: ReadLimits) throws(SnapshotError) -> Journal? {
    guard let journal else { return nil }
    return try Journal(journal.bytes, limits: limits, threads: Parallel.defaultThreads)
  }

  /// What a journal calls this file.
  func base(_ document: Document) -> JournalBase {
    if document.checksum == .ok, let checksum = document.header.checksum {
      return JournalBase(sum: .checksum(checksum), size: bytes.count)
    }
    return JournalBase(sum: .digest(Checksum.cksum(bytes[...])), size: bytes.count)
  }

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
    let content = try journal.replay(
      lines, onto: SnapshotContent(decoded), .wholeFile, idKeys: document.header.idKeys, limits: limits)
    return try SnapshotCoder.encode(content.value, content.unknown, as: document.format, threads: threads)
  }
}

extension JournalBase {
  /// What a journal calls a file with these bytes.
  init(of bytes: [UInt8], _ limits: ReadLimits) {
    if let document = try? Document(bytes, limits: limits), document.checksum == .ok,
      let checksum = document.header.checksum
    {
      self.init(sum: .checksum(checksum), size: bytes.count)
    } else {
      self.init(sum: .digest(Checksum.cksum(bytes[...])), size: bytes.count)
    }
  }
}

extension SnapshotError {
  /// The error for a journal that belongs to another file.
  static func foreignJournal(path: String) -> SnapshotError {
    SnapshotError(
      .foreignJournal,
      "the journal beside the file has changes for another version of it: the file was replaced or edited since",
      advice: "Open the store for writing; it brings both together.", path: path)
  }
}
