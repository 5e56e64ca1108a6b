/// Replaying a journal: its lines, applied to the value of its file.
extension Journal {
  /// Applies lines to a value and its unknown content.
  ///
  /// Lines are decoded on several threads. The last line that has a record decides, and each table is changed once, at
  /// the end. So a unique index counts for the result only. O(bytes + records · log n).
  ///
  /// - Parameters:
  ///   - lines: consecutive lines of this journal.
  ///   - content: the content of the file on which the lines stand.
  ///   - idKeys: where the records of tables have their ids, as the header of the file says. It counts for tables that
  ///     neither the content nor a line has.
  ///   - isPart: whether the content may lack what the lines remove. Then it is not the file on which they stand.
  /// - Throws: `wrongSchema`, `newerVersion` or `olderVersion` for a journal of another schema. `damagedJournal` for a
  ///   line whose checksum is right but which breaks the rules. The errors of decoding a file, with the line and the
  ///   place in the data. `uniqueKeyTaken` if a record does not fit. `recordNotFound` if, without types, a removed
  ///   record is not there.
  func replay<Root: Model>(
    _ lines: ArraySlice<Line>, onto content: SnapshotContent<Root>, _ options: DecodingOptions,
    idKeys: [ExactText: IDKey], limits: ReadLimits, isPart: Bool = false
  ) throws(SnapshotError) -> SnapshotContent<Root> {
    let changes = lines.filter { $0.kind == .changes }
    if changes.isEmpty { return content }
    var options = options
    try requireSchema(of: content, &options)
    let context = JournalContext(source: source, limits: limits, options: options, isPart: isPart)
    let threads = max(1, options.threads)
    // Some lines are much longer than others, so there are more parts than threads.
    let parts = source.bytes.count < 1 << 16 ? 1 : min(changes.count, threads == 1 ? 1 : threads * 8)
    let results = Parallel.map(parts, threads: threads) { part in
      let range = changes.count * part / parts..<changes.count * (part + 1) / parts
      return Result { () throws(SnapshotError) in try JournalReading<Root>(context, changes[range]) }
    }
    do throws(SnapshotError) {
      var readings: [JournalReading<Root>] = []
      for result in results { readings.append(try result.get()) }
      return try JournalReading.apply(readings, to: content, idKeys)
    } catch { throw error.inLine }
  }

  /// Applies as many lines as possible, from the first one on. A line may need one that is lost, or break the rules.
  /// O(log lines) replays.
  ///
  /// - Returns: the content, and the number of lines that it has.
  func replayPrefix<Root: Model>(
    of lines: ArraySlice<Line>, onto content: SnapshotContent<Root>, _ options: DecodingOptions,
    idKeys: [ExactText: IDKey], limits: ReadLimits
  ) -> (content: SnapshotContent<Root>, count: Int) {
    let replayed = { (count: Int) in
      try? replay(lines.prefix(count), onto: content, options, idKeys: idKeys, limits: limits)
    }
    if let all = replayed(lines.count) { return (all, lines.count) }
    var (found, good, bad) = (content, 0, lines.count)
    while bad - good > 1 {
      let middle = (good + bad) / 2
      if let value = replayed(middle) { (found, good) = (value, middle) } else { bad = middle }
    }
    return (found, good)
  }

  /// Refuses lines of another schema, or of another version.
  private func requireSchema<Root: Model>(
    of content: SnapshotContent<Root>, _ options: inout DecodingOptions
  ) throws(SnapshotError) {
    // A salvage may have lost the header.
    guard let header else { return }
    let known = content.unknown.header(of: Root.self)
    if header.schema != known.schema {
      throw SnapshotError(
        .wrongSchema, "the journal has the schema \(header.schema.quotedForMessage()), not “\(known.schema)”"
      ).advising(.otherSchema, Schema<Root>.adviceOnSchema(header.schema))
    }
    if header.version > known.version {
      guard options.acceptsNewerVersion else {
        throw SnapshotError(
          .newerVersion, "the journal has version \(header.version) of its schema, and \(known.version) was expected",
          advice: "Open it with the newer program.")
      }
      options.unknownKeys = .leaveOut
    } else if header.version < known.version {
      throw SnapshotError(
        .olderVersion, "the journal has version \(header.version) of its schema, and \(known.version) was expected",
        advice: "Replay it onto its file before the file is migrated.")
    }
  }
}

/// What all lines of a replay have in common.
struct JournalContext: Sendable {
  let source: SourceText
  let limits: ReadLimits
  let options: DecodingOptions
  /// Whether the content may lack what the lines remove.
  let isPart: Bool

  /// The error for a part of a line that breaks the rules.
  func damage(_ message: String, at offset: Int) -> SnapshotError {
    JournalLines.damage(message, source.position(offset))
  }
}
