/// A journal beside a file that is not the one on which it stands: someone else has replaced or edited the file.
extension JournalOpening {
  /// The value of a file that is not the one of the journal, merged with the changes of the journal.
  ///
  /// The base is the version that the journal names: the known one, or a generation. Without it, a record that both
  /// have is merged by the dates of its rules. What was removed stays, unless a tombstone says that it was removed
  /// later; the report says so. Both files are kept under other names.
  func joined(_ journal: Journal, _ theirs: SnapshotContent<Root>) throws(SnapshotError) -> Result {
    let lines: ArraySlice<Journal.Line>
    let merged: Merged
    let version = known.first { journal.lines(since: $0.name) != nil && ($0.end ?? journal.end) == journal.end }
    if let history, let version {
      lines = journal.lines(since: version.name) ?? []
      let ours = if let joined = version.joined { joined } else { try replay(journal, lines, onto: version.content) }
      merged = Self.merging(ours, of: version.content, theirs, history)
    } else if let original = try original(of: journal) {
      lines = original.lines
      merged = Merged(
        ours: original.ours, theirs,
        SnapshotContent.merging(base: original.base, ours: original.ours, theirs: theirs))
    } else if journal.header?.version == Root.schema.version {
      lines = journal.ownLines
      merged = try mergingWithoutBase(journal, theirs)
    } else {
      let problem = SnapshotError(
        .foreignJournal,
        "the journal beside the file has changes for another version of it, of version \(journal.header?.version ?? 0) of its schema",
        advice: "Open it with the program of that version, or move the journal away.", path: journalPath)
      return try setAside(journal, problem, theirs)
    }
    var result = Result(content: theirs, needsSave: true)
    if try merge(merged, lines, over: theirs, &result) {
      // The next one to save merges that journal with the same file.
      result.position = journal.header.map { $0.position(on: $0.base, start: journal.start, end: journal.end) }
      if let version {
        result.joined = Version(name: version.name, content: theirs, joined: result.content, end: journal.end)
      }
    }
    if !options.isReadOnly {
      // Even without a conflict: the journal may be an old copy, and what was removed since would be back.
      result.report.kept.append(
        try Quarantine.keep(session.location, on: session.fileSystem, as: "conflict", date: options.date()))
      result.report.kept += try session.journal.copyAside(date: options.date()).map { [$0] } ?? []
      // If it is refused, what is saved does not have it.
      session.journal.note(journal, isKnown: result.report.refusal == nil, durable: session.durableEnd)
    }
    return result
  }

  /// The merge of a file with a journal.
  struct Merged {
    /// What the journal has.
    let ours: SnapshotContent<Root>
    /// The side of which no record is left out, and the other one.
    var sides: (before: Root, other: Root)
    let content: SnapshotContent<Root>
    var conflicts: [MergeConflict]
    let repaired: [Violation]

    init(
      ours: SnapshotContent<Root>, _ theirs: SnapshotContent<Root>,
      _ merged: (content: SnapshotContent<Root>, conflicts: [MergeConflict], repaired: [Violation])
    ) {
      self.ours = ours
      sides = (ours.value, theirs.value)
      (content, conflicts, repaired) = merged
    }
  }

  /// The same in a store that has the file open. The file may have been made from any version that the store knows.
  ///
  /// - Parameters:
  ///   - ours: what a known version holds with the journal.
  ///   - base: that version.
  private static func merging(
    _ ours: SnapshotContent<Root>, of base: SnapshotContent<Root>, _ theirs: SnapshotContent<Root>,
    _ history: ValueHistory<Root>
  ) -> Merged {
    var theirs = theirs
    theirs.value = theirs.value.sharing(with: history.values)
    var origins = history.origins(of: theirs)
    var newest = history.newest
    // The other program knows no journal. It has read a version that it could see.
    let seen = origins.contents.filter { $0.hasSameUnknown(as: base) || !$0.hasSameUnknown(as: ours) }
    if origins.values.count == 1, origins.values[0].hasSameTables(as: base.value), !seen.isEmpty {
      origins = MergeOrigins(seen, isNewest: seen.count == 1)
      newest = base
    }
    let merge = ExternalMerge(theirs: theirs, origins: origins, newest: newest, ourUnknown: ours.unknown)
    let result = merge.run(ours.value)
    return Merged(ours: ours, theirs, (result.content, result.conflicts, result.repaired))
  }

  /// Merges the changes of a journal with content, without the version that both were made from.
  ///
  /// A record that the journal has removed stays if the content has it, because it may have been changed since. That is
  /// a conflict. A record that the content lacks is one if the journal may be in another file. What a fold has removed
  /// is in no line.
  func mergingWithoutBase(_ journal: Journal, _ theirs: SnapshotContent<Root>) throws(SnapshotError) -> Merged {
    // Lines name single members of a flattened value. One that no line names is as in the file.
    var base = SnapshotContent(FlattenedTaking.run(from: theirs.value, over: Root()))
    base.unknown.flattened = theirs.unknown.flattened
    // A table whose records have no ids of their own is one value. Its lines are applied to the one in the file.
    let plain = base
    base.unknown.set(theirs.unknown.tables.filter(\.lacksIDs))
    let ours: SnapshotContent<Root>
    do throws(SnapshotError) {
      ours = try replay(journal, journal.ownLines, onto: base, isPart: true)
    } catch {
      base = plain
      ours = try replay(journal, journal.ownLines, onto: base, isPart: true)
    }
    var merged = Merged(ours: ours, theirs, SnapshotContent.merging(over: base, ours: ours, theirs: theirs))
    // Without its base the journal alone is only a part of a value.
    merged.sides = (theirs.value, ours.value)
    // The changed properties of a single value cannot be told from the others, so all that differ are reported.
    let unknown = UnknownNames([ours.unknown, theirs.unknown], of: Root.self)
    merged.conflicts.removeAll { unknown.values.contains($0.table) && !unknown.contains($0) }
    merged.conflicts += DifferentValues.conflicts(in: merged.content.value, theirs.value, .tookOurs)
    let result = merged.content.value
    // A record of the journal may have the unique key of one that only the content has, and the merge does not.
    for content in [theirs, merged.content] {
      guard let applied = try? replay(journal, journal.ownLines, onto: content, isPart: true) else { continue }
      merged.conflicts += DifferentValues.conflicts(in: result, applied.value, .tookTheirs)
      merged.conflicts += ReturnedRecords.conflicts(
        from: content.value, to: applied.value, in: result, .keptTheirChange)
      merged.conflicts += merged.content.unknown.tables(largerThanIn: applied.unknown).map {
        MergeConflict(table: $0, id: "", resolution: .keptTheirChange)
      }
      break
    }
    if journal.mayBeInOtherFile || journal.isCut {
      merged.conflicts += ReturnedRecords.conflicts(from: ours.value, to: theirs.value, in: result, .keptOurChange)
      merged.conflicts += merged.content.unknown.tables(largerThanIn: theirs.unknown).map {
        MergeConflict(table: $0, id: "", resolution: .keptOurChange)
      }
    }
    return merged
  }

  /// Takes the result of a merge, unless a rule or a validation of the schema refuses it. Then what the journal has is
  /// kept as a store beside the file.
  ///
  /// - Returns: whether it was taken.
  @discardableResult
  func merge(
    _ merged: Merged, _ lines: ArraySlice<Journal.Line>, over theirs: SnapshotContent<Root>, _ result: inout Result
  ) throws(SnapshotError) -> Bool {
    result.report.outcome = MergeOutcome(conflicts: merged.conflicts, repaired: merged.repaired)
    func settled(over before: Root, with other: Root) -> Swift.Result<Settled<Root>, any Error> {
      let transaction = RuledTransaction(revision: 1, origin: .file)
      let settlement = Settlement(before: before, kind: .merge(with: [other]), transaction: transaction)
      return Swift.Result { try settlement.run(merged.content.value) }
    }
    // A fault that the file alone has is no reason against the changes of the journal.
    let (before, other) = merged.sides
    let first = settled(over: before, with: other)
    switch first.flatMapError({ error in settled(over: other, with: before).mapError { _ in error } }) {
    case .success(let settled):
      result.content = merged.content
      result.content.value = settled.value
    case .failure(let refusal):
      result.report.refusal = refusal
      if !options.isReadOnly { result.report.kept.append(try keepUnsaved(merged.ours)) }
      return false
    }
    result.report.changes = lines.count { $0.kind == .changes }
    return true
  }

  /// A version of the file, and the same with the changes of a journal.
  private typealias Original = (
    base: SnapshotContent<Root>, ours: SnapshotContent<Root>, lines: ArraySlice<Journal.Line>
  )

  /// The generation on which the journal stands; nil if there is none.
  private func original(of journal: Journal) throws(SnapshotError) -> Original? {
    let folder = session.generations
    for generation in (try? folder.generations()) ?? [] {
      guard let bytes = try? folder.bytes(of: generation, options.limits) else { continue }
      let name = JournalBase(of: bytes, options.limits)
      // A fold behind its lines may have put back what they remove.
      if journal.mayBeInOtherFile, name == journal.header?.base { continue }
      guard let lines = journal.lines(since: name),
        let document = try? Document(bytes, limits: options.limits, threads: options.threads),
        let decoded = try? SnapshotCoder.decode(Root.self, from: document, options.decoding)
      else { continue }
      let base = SnapshotContent(decoded)
      if decoded.olderVersion == nil, base.unknown.flattened.difference == .none {
        return (base, try replay(journal, lines, onto: base), lines)
      }
      let old = JournaledContent(
        bytes: bytes, status: content.status, journal: content.journal, journalPath: journalPath)
      return (base, try folded(old), lines)
    }
    return nil
  }

  /// Writes what the journal has beside the file, as a store. Returns the path.
  private func keepUnsaved(_ ours: SnapshotContent<Root>) throws(SnapshotError) -> String {
    let document = try? Document(content.bytes, limits: options.limits)
    let format = document?.format ?? FileFormat(fileName: session.location.name) ?? .json
    let encoding = try SnapshotEncoding(of: ours.value, as: format, unknown: ours.unknown, threads: options.threads)
    return try Quarantine.write(
      encoding.bytes, beside: session.location, on: session.fileSystem, as: "unsaved", date: options.date())
  }

  /// The content of the file alone, beside a journal of another program. The journal is kept under another name.
  func setAside(
    _ journal: Journal, _ problem: SnapshotError, _ decoded: SnapshotContent<Root>
  ) throws(SnapshotError) -> Result {
    guard problem.code == .foreignJournal, options.recovery >= .generations else { throw problem }
    var result = Result(content: decoded, needsSave: true)
    result.report.lostLines = journal.lines.count { $0.kind == .changes }
    if !options.isReadOnly {
      result.report.kept = try session.journal.copyAside(date: options.date()).map { [$0] } ?? []
    }
    return result
  }
}

/// The names of unknown content, to tell its conflicts from those of the schema's single values.
private struct UnknownNames {
  /// The single values of the schema.
  let values: Set<String>
  private let flattened: String?
  private let names: Set<ExactText>
  private let members: [String: Set<ExactText>]

  init<Root: Model>(_ sides: [UnknownContent], of type: Root.Type) {
    values = Set(Root.schema.fields.filter { !$0.isTable }.map(\.name))
    flattened = Root.schema.flattened?.text
    names = Set(sides.flatMap(\.names))
    members = Dictionary(
      uniqueKeysWithValues: values.map { name in
        (name, Set(sides.flatMap { $0.members(ofValue: name) }.map(\.key)))
      })
  }

  /// Whether a conflict under the name of a single value is one of unknown content.
  func contains(_ conflict: MergeConflict) -> Bool {
    if flattened == conflict.table { return names.contains(ExactText(conflict.table)) }
    let keys = members[conflict.table] ?? []
    return !conflict.properties.isEmpty && conflict.properties.allSatisfy { keys.contains(ExactText($0)) }
  }
}

extension UnknownContent {
  /// The names of the tables that have fewer records in other content, or are not there. O(tables).
  fileprivate func tables(largerThanIn other: UnknownContent) -> [String] {
    let others = other.tables.byName
    return tables.filter { $0.items.count > others[ExactText($0.name)]?.items.count ?? 0 }.map(\.name)
  }
}

extension UntypedTable {
  /// Whether it has records, and not each of them an id of its own under the key that the file names.
  fileprivate var lacksIDs: Bool {
    if isSingleValue || !items.allSatisfy({ $0.allMembers != nil }) { return false }
    return Self.keyOfIDs(in: [self]).map { items.byID($0) == nil } ?? true
  }
}

/// Puts the flattened value of a model into another one.
private struct FlattenedTaking<Root: Model>: FieldVisitor {
  let source: Root
  var root: Root

  static func run(from source: Root, over root: Root) -> Root {
    var taken = FlattenedTaking(source: source, root: root)
    Root.schema.visit(&taken)
    return taken.root
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {}

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    if Root.schema.flattened == ExactText(name) { root[keyPath: path] = source[keyPath: path] }
  }
}
