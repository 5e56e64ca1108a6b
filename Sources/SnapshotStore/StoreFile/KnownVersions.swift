/// The values that a store has read or written, by the moments of the file that had them. The newest ones.
///
/// A moment is noted before its value may be on the disk. So what a store finds there is what it knows, even if it does
/// not know whether its last save was made.
struct KnownVersions<Root: Model>: Sendable {
  private struct Version: Sendable {
    let position: FilePosition
    let content: Box<SnapshotContent<Root>>
    /// Whether it was on the disk.
    let isSure: Bool
    /// Whether what this store saves is said to be made from it.
    var isTip: Bool
  }

  /// A moment of the file with its content.
  typealias Found = (position: FilePosition, content: SnapshotContent<Root>)

  private var versions: [Version] = []
  private static var most: Int { 64 }

  mutating func note(_ position: FilePosition, _ content: SnapshotContent<Root>, isSure: Bool = true) {
    // The value of a moment never changes.
    if !isSure, versions.contains(where: { $0.position == position && $0.isSure }) { return }
    versions.removeAll { $0.position == position }
    versions.append(Version(position: position, content: Box(content), isSure: isSure, isTip: isSure))
    versions.removeFirst(max(0, versions.count - Self.most))
  }

  /// Forgets a moment that has not come.
  mutating func withdraw(_ position: FilePosition) { versions.removeAll { $0.position == position && !$0.isSure } }

  /// Notes the file of another program.
  ///
  /// - Parameters:
  ///   - alone: what is in that file alone.
  ///   - isAmbiguous: whether the stores that know the newest moment may make different things of it. Then what they
  ///     save is made from that file alone. Otherwise it goes on from that moment.
  mutating func accept(_ base: JournalBase, _ alone: SnapshotContent<Root>?, isAmbiguous: Bool) {
    let newest = versions.last { $0.isSure }
    if isAmbiguous { for index in versions.indices { versions[index].isTip = false } }
    if let alone { note(FilePosition(base: base), alone) }
    if !isAmbiguous, let newest { note(newest.position, newest.content.value) }
  }

  /// The newest version that was on the disk.
  var newest: Found? {
    versions.last { $0.isSure }.map { ($0.position, $0.content.value) }
  }

  /// The newest version that led to what is on the disk.
  func newest(before disk: FileDescent) -> Found? {
    versions.last { disk.includes($0.position, isSure: $0.isSure) }.map { ($0.position, $0.content.value) }
  }

  /// Whether a moment on a journal is known, or the file on which it was begun.
  func hasMoment(of journal: Journal) -> Bool {
    versions.contains { $0.position.journal == journal.start || $0.position.base == journal.header?.base }
  }

  /// Whether the newest moment that was on the disk led to what is there. Otherwise lines are missing.
  func leads(to disk: FileDescent) -> Bool {
    versions.last { $0.isSure }.map { disk.includes($0.position, isSure: true) } ?? true
  }

  /// The newest moments of the last journals. If lines of a journal were cut off, also the last moment before that.
  var tips: [FilePosition] {
    var tips: [FilePosition] = []
    for position in versions.lazy.reversed().filter(\.isTip).map(\.position)
    where !tips.contains(where: { $0.isOnJournal(behind: position) }) {
      tips.append(position)
      if tips.count == 4 { break }
    }
    return tips.reversed()
  }
}

/// What the file in place was made from, as its journal says it.
struct FileDescent {
  /// The file in place.
  let base: JournalBase
  /// The journal beside it, with all of its lines.
  let journal: Journal?
  /// How far the journal was, as the lock file says it.
  let lockFile: JournalEnd?

  /// Whether the journal had lines, and all of them are gone.
  private var isEmptied: Bool {
    journal.map { $0.lines.isEmpty && lockFile?.isMissing(in: $0) == true } == true
  }

  /// Whether what is on the disk was made from a moment of the file.
  ///
  /// - Parameter isSure: whether the moment was on the disk. Otherwise another line may have its number, and an older
  ///   file may be the same as one that was never put in place.
  func includes(_ position: FilePosition, isSure: Bool) -> Bool {
    if position.end.number == 0, position.base == base || isSure && position.base == journal?.header?.base {
      return true
    }
    if let journal, position.journal == journal.start, position.end.number > 0 {
      let index = position.end.number - 1
      // The value at a fold mark is that of the file that the mark names, if that was put in place.
      guard journal.lines.indices.contains(index), journal.lines[index].sum == position.end.sum else { return false }
      return position.base == base || position.base == journal.header?.base
    }
    // A mark of this journal names the file that was in place. The lines before it do not count there.
    if let journal, isSure, position.journal == journal.start {
      return journal.lines.contains { $0.kind == .fold(position.base) }
    }
    // What came before may have been in lines that are gone.
    guard let past = journal?.header?.past, !isEmptied, let end = past.end(behind: position) else { return false }
    return isSure || position.end.number > 0 && end.end == position.end
  }

  /// Whether a program without the types has made a version of the file since.
  func hasUntypedChanges(since position: FilePosition) -> Bool {
    guard let journal else { return false }
    if journal.header?.base != base, position.base != base { return true }
    guard position.base != base, position.journal != journal.start else { return false }
    return journal.header?.past?.hasUntyped(since: position) == true
  }

  /// How many versions of the file have followed.
  func gap(since position: FilePosition) -> HistoryGap {
    guard let past = journal?.header?.past, position.base != base, past.includes(position) else { return .none }
    if past.hasMerge(since: position) { return .foreign }
    return past.hasMany(since: position) ? .saves : .none
  }
}
