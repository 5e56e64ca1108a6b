import SnapshotFoundation

/// The last values that a file held. A merge looks here for the base of another program's value.
///
/// The versions share their common content, so each costs only the changes after it. The newest two are always kept.
/// Older ones are kept up to a number, an age and a number of changed records. The history remembers that it evicted
/// versions, because another program may still hold one of them. The same is so with versions that others have saved
/// in between, and that nobody here has read.
struct ValueHistory<Root: Model>: Sendable {
  /// The limits for versions older than the newest two.
  struct Limits: Sendable {
    var versions = 32
    /// Seconds since a version was replaced in the file.
    var age: TimeInterval = 3_600
    /// The total number of records that differ between consecutive versions.
    var changes = 10_000
  }

  fileprivate struct Version: Sendable {
    let value: Root
    /// The content beside it that the schema does not know; not empty, oldest first. Of what other programs have put
    /// there one after the other, the last counts.
    var unknown: [UnknownContent]
    let date: Date
    /// The number of records that differ from the version before.
    let changes: Int
    /// What the file may have held between the version before and this one.
    var gap = HistoryGap.none

    /// Each content that the file had with this value.
    var contents: [SnapshotContent<Root>] { unknown.map { SnapshotContent(value, $0) } }
  }

  private var versions: [Version]
  /// Whether the history has evicted versions.
  private(set) var hasEvicted = false
  private let limits: Limits

  init(_ content: SnapshotContent<Root>, date: Date, limits: Limits = Limits()) {
    versions = [Version(value: content.value, unknown: [content.unknown], date: date, changes: 0)]
    self.limits = limits
  }

  /// Oldest first.
  var values: [Root] { versions.map(\.value) }

  /// What the file holds, as far as is known.
  var newest: SnapshotContent<Root> {
    let last = versions[versions.count - 1]
    return SnapshotContent(last.value, last.unknown[last.unknown.count - 1])
  }

  /// Adds what the file now holds. O(changes · log n), and O(unknown content) if that is not a copy of the newest.
  ///
  /// - Parameters:
  ///   - isForeign: whether a program that does not use this library has put it there.
  ///   - gap: what the file may have held since the last version here.
  mutating func append(
    _ content: SnapshotContent<Root>, date: Date, isForeign: Bool = false, behind gap: HistoryGap = .none
  ) {
    let newest = newest
    let isSame = content.value.hasSameTables(as: newest.value)
    let hasSameUnknown = content.hasSameUnknown(as: newest)
    if isSame, hasSameUnknown { return }
    let unknown = hasSameUnknown ? newest.unknown : content.sharingUnknown(with: newest).unknown
    if isSame {
      versions[versions.count - 1].note(unknown, isForeign: isForeign)
      // What was read meanwhile may have come from any older version.
      if gap == .foreign { versions[versions.count - 1].gap = gap }
    } else {
      let changes = content.value.changedRecordCount(from: newest.value)
      versions.append(Version(value: content.value, unknown: [unknown], date: date, changes: changes, gap: gap))
    }
    evict(date)
  }

  /// The history with a further version.
  func appending(
    _ content: SnapshotContent<Root>, date: Date, isForeign: Bool = false, behind gap: HistoryGap = .none
  ) -> Self {
    var history = self
    history.append(content, date: date, isForeign: isForeign, behind: gap)
    return history
  }

  private mutating func evict(_ date: Date) {
    var changes = versions.reduce(0) { $0 + $1.changes }
    var contents = versions.reduce(0) { $0 + $1.unknown.count }
    while versions.count > 2 {
      let age = abs(date.timeIntervalSince(versions[1].date))
      guard contents > limits.versions || age > limits.age || changes > limits.changes else { return }
      changes -= versions[1].changes
      contents -= versions[0].unknown.count
      versions.removeFirst()
      hasEvicted = true
    }
  }

  /// Finds the versions from which an external value may have been made.
  ///
  /// - Parameters:
  ///   - theirs: the external content. Its value must share its common content with the versions.
  ///   - isBehindMerge: whether another store may have merged the file of another program since the newest version.
  ///     Theirs may be that, or made from it.
  ///   - older: returns versions from before the history, oldest first. Called only if they may matter. A version
  ///     counts only if theirs has content of it that no later version has.
  func origins(
    of theirs: SnapshotContent<Root>, isBehindMerge: Bool = false, older: () -> [SnapshotContent<Root>] = { [] }
  ) -> MergeOrigins<Root> {
    let known = values
    let value = theirs.value
    // What it has of one version proves nothing about the rest.
    if isBehindMerge {
      let contents = versions.flatMap(\.contents)
      return hasEvicted || !value.isRelated(to: known) || value.hasNothing(of: newest.value)
        ? MergeOrigins(unknownAmong: contents) : MergeOrigins(contents, isNewest: contents.count == 1)
    }
    let evidence = OriginEvidence(theirs: value, versions: known)
    let plausible = evidence.plausible
    let gaps = versions.indices.filter { $0 >= evidence.earliest && versions[$0].gap != .none }
    let isUnknown =
      plausible.isEmpty || hasEvicted && (plausible.contains(0) || gaps.contains { versions[$0].gap == .foreign })
      || !value.isRelated(to: plausible.map { known[$0] })
    if isUnknown {
      let all = plausible.isEmpty ? versions : plausible.map { versions[$0] }
      return MergeOrigins(unknownAmong: all.flatMap(\.contents))
    }
    if value.replacesRecords(of: newest.value) {
      let older = older()
      let all = older.map(\.value) + known
      let plausible = OriginEvidence(theirs: value, versions: all).plausible
      if plausible.isEmpty { return MergeOrigins(unknownAmong: older + versions.flatMap(\.contents)) }
      if plausible.allSatisfy({ $0 < older.count }) {
        return MergeOrigins(plausible.map { older[$0] }, isNewest: false)
      }
    }
    let bounds = with(gaps, plausible)
    let contents = OriginEvidence.contents(of: bounds.flatMap { versions[$0].contents }, readBy: theirs)
    let isNewest =
      bounds == [known.count - 1] && contents.count == 1 && contents[0].unknown.isSame(as: newest.unknown)
    return MergeOrigins(contents, isNewest: isNewest)
  }

  /// The plausible versions, and those before the gaps in which theirs may have been read. A version among saves lies
  /// between its neighbours. One of another program may be like any older version.
  private func with(_ gaps: [Int], _ plausible: [Int]) -> [Int] {
    var all = Set(plausible)
    for index in gaps {
      switch versions[index].gap {
      case .none: break
      case .saves: all.insert(index - 1)
      case .foreign: all.formUnion(0..<index)
      }
    }
    return all.filter(versions.indices.contains).sorted()
  }
}

/// Versions of a file that nobody here has read.
enum HistoryGap {
  case none
  /// Each was made from the one before.
  case saves
  /// One of them may have come from another program, which had read any older version.
  case foreign
}

extension ValueHistory.Version {
  /// The most unknown contents that one value has had. Each shares what is the same with the one before.
  private static var most: Int { 8 }

  fileprivate mutating func note(_ content: UnknownContent, isForeign: Bool) {
    // Their authors have read each other's. If not, no more is lost than without this library.
    if isForeign { unknown.removeLast() }
    unknown.append(content)
    if unknown.count <= Self.most { return }
    unknown.remove(at: 1)
    // Whatever it was that is forgotten: a difference from nothing is a conflict.
    unknown[0] = UnknownContent()
  }
}

/// The versions from which an external value may have been made.
struct MergeOrigins<Root: Model>: Sendable {
  /// The possible bases; not empty. An empty value among them makes every difference from ours a conflict. A value is
  /// there once for each content beside it that the schema does not know.
  let contents: [SnapshotContent<Root>]
  /// Whether the newest version of the file is the only possible base.
  let isNewest: Bool
  /// Whether the real base may be unknown: a version that was evicted, or a value that this file never held.
  let isUnknown: Bool

  init(_ contents: [SnapshotContent<Root>], isNewest: Bool) {
    self.contents = contents
    self.isNewest = isNewest
    isUnknown = false
  }

  init(unknownAmong contents: [SnapshotContent<Root>]) {
    self.contents = [SnapshotContent(Root())] + contents
    isNewest = false
    isUnknown = true
  }

  /// The values of the possible bases, each once.
  var values: [Root] {
    contents.indices.filter { $0 == 0 || !contents[$0].value.hasSameTables(as: contents[$0 - 1].value) }
      .map { contents[$0].value }
  }
}

extension Model {
  /// The number of records that differ by identity. O(changes · log n).
  fileprivate func changedRecordCount(from other: Self) -> Int {
    var count = ChangeCount(old: other, new: self)
    Self.schema.visit(&count)
    return count.added + count.changed
  }

  /// Whether records of another value are different here, or missing.
  fileprivate func replacesRecords(of other: Self) -> Bool {
    var count = ChangeCount(old: other, new: self)
    Self.schema.visit(&count)
    return count.changed > 0
  }

  /// Whether all records of another value are different here, or missing. It is so with a file that was made anew.
  fileprivate func hasNothing(of other: Self) -> Bool {
    var count = ChangeCount(old: other, new: self)
    Self.schema.visit(&count)
    return count.total > 0 && count.changed == count.total
  }

  /// Whether this value has at least half of the records of one of the values. If they have few records, it may lack
  /// all.
  fileprivate func isRelated(to values: [Self]) -> Bool {
    values.contains { value in
      var count = ChangeCount(old: value, new: self)
      Self.schema.visit(&count)
      return count.changed < 8 || count.changed <= count.total / 2
    }
  }
}

/// Counts records that differ by identity, and single values that are written differently. `Model.sharing` gives values
/// from elsewhere the same identities first.
private struct ChangeCount<Root: Model>: FieldVisitor {
  let old: Root
  let new: Root
  /// Records that only the new value has.
  var added = 0
  /// Records of the old value that are different in the new one, or missing.
  var changed = 0
  /// The number of records in the old value.
  var total = 0

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    let (old, new) = (old[keyPath: path], new[keyPath: path])
    total += old.count
    var (added, changed) = (0, 0)
    new.tree.forEachDifference(from: old.tree, areSame: { $0 === $1 }) { _, before, _ in
      if before == nil { added += 1 } else { changed += 1 }
    }
    self.added += added
    self.changed += changed
  }

  /// Counts as one record that both values have.
  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {
    total += 1
    if !SingleValueCoding.areStoredAlike(old[keyPath: value], new[keyPath: value]) { changed += 1 }
  }
}
