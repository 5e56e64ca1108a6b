public import SnapshotFoundation

/// Salvage of a file together with its journal.
extension Salvaged {
  /// Reads the readable content of the file of a store, with the changes in its journal that can be read. O(n log n).
  ///
  /// A damaged line of the journal is a loss. So is a journal that does not belong to the file.
  ///
  /// ```swift
  /// let salvaged = try Salvaged<Dashboard>(ofFileAt: url)
  /// print(salvaged.isComplete, salvaged.value.posts.count)
  /// ```
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - type: the model. It may be omitted if the result's type is known.
  ///   - limits: the limits for size and depth.
  /// - Throws: ``SnapshotError``: the errors of reading a file, and those of ``init(of:as:limits:path:)``.
  public init(ofFileAt url: URL, as type: Root.Type = Root.self, limits: ReadLimits = ReadLimits()) throws {
    let fileSystem = POSIXFileSystem()
    let path = try url.requiredPath()
    let content = try fileSystem.readJournaled(at: FileLocation(path, on: fileSystem), limit: limits.fileSize)
    let salvaged = try Salvaged(of: content.bytes, limits: limits, path: path)
    self = try salvaged.adding(content, limits)
  }

  /// The same content with the changes in the journal.
  private func adding(_ content: JournaledContent, _ limits: ReadLimits) throws(SnapshotError) -> Salvaged {
    guard let bytes = content.journal?.bytes else { return self }
    let journal = Journal(salvaging: bytes, limits: limits)
    var unused = unusedBytes
    func keep(_ range: Range<Int>) {
      unused += bytes[range]
      if unused.last != UInt8(ascii: "\n"), !range.isEmpty { unused.append(UInt8(ascii: "\n")) }
    }
    var losses = journal.losses.map { loss in
      SalvageLoss(
        of: "a line of the journal is damaged", .damagedJournal, Array(bytes[loss.range]), line: loss.fileLine,
        offset: loss.range.lowerBound)
    }
    for loss in journal.losses { keep(loss.range) }
    if journal.header == nil, losses.isEmpty {
      losses.append(
        SalvageLoss(of: "the first line of the journal is missing", .damagedJournal, bytes, line: 1, offset: 0))
    }
    var decoded = contentBeforeRepair
    if let (replayed, rest) = replay(journal, content, limits) {
      decoded = DecodedSnapshot(
        root: replayed.value, unknown: replayed.unknown, version: decoded.version, steps: decoded.steps)
      for line in rest { keep(line.range) }
      if let first = rest.first {
        let position = journal.source.position(first.range.lowerBound)
        losses.append(
          SalvageLoss(
            of: "\(rest.count.counted("line")) of the journal from here on cannot be used without the others",
            .damagedJournal, Array(bytes[first.range]), line: position.line ?? 1, offset: first.range.lowerBound))
      }
    } else if journal.header != nil || !journal.lines.isEmpty {
      unused = unusedBytes
      keep(bytes.indices)
      losses.append(
        SalvageLoss(
          of: "the journal does not fit the file; its changes are left out", .foreignJournal, bytes, line: 1, offset: 0)
      )
    }
    let isComplete = self.isComplete && losses.isEmpty
    var value = decoded.root
    if !isComplete { _ = value.repairLosses() }
    return Salvaged(
      value: value, contentBeforeRepair: decoded, lostValues: lostValues, format: format, checksum: checksum,
      losses: Array((self.losses + losses).prefix(SalvageLoss.listLimit)), lossCount: lossCount + losses.count,
      unusedBytes: unused,
      tables: SnapshotContent(value, decoded.unknown).tableCounts)
  }

  /// The content with the lines that can be replayed onto it, and the others; nil if the journal is another file's.
  private func replay(
    _ journal: Journal, _ content: JournaledContent, _ limits: ReadLimits
  ) -> (SnapshotContent<Root>, unused: ArraySlice<Journal.Line>)? {
    let document = try? Document(content.bytes, limits: limits, threads: Parallel.defaultThreads)
    // A damaged file has the size that it had, and often its checksum.
    var name = JournalBase(sum: .checksum(document?.header.checksum ?? 0), size: content.bytes.count)
    if let document, checksum != .mismatch { name = content.base(document) }
    let lines = journal.lines(since: name) ?? (document?.header.checksum == nil ? journal.lines[...] : nil)
    guard let lines, Root.isUntyped || journal.header?.version == contentBeforeRepair.version else { return nil }
    let (replayed, count) = journal.replayPrefix(
      of: lines, onto: SnapshotContent(contentBeforeRepair), .wholeFile, idKeys: document?.header.idKeys ?? [:],
      limits: limits)
    return (replayed, lines.dropFirst(count))
  }
}

extension SalvageLoss {
  /// A part of a journal that cannot be used.
  fileprivate init(of reason: String, _ code: SnapshotError.Code, _ bytes: [UInt8], line: Int, offset: Int) {
    self.init(
      kind: .bytes, table: nil, index: nil, id: nil,
      position: SnapshotError.Position(offset: offset, line: line, column: 1), byteCount: bytes.count, code: code,
      reason: reason, excerpt: String(decoding: bytes.prefix(Self.excerptLimit), as: UTF8.self))
  }
}
