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

  private struct Version: Sendable {
    let value: Root
    let date: Date
    /// The number of records that differ from the version before.
    let changes: Int
    /// What the file may have held between the version before and this one.
    var gap = HistoryGap.none
  }

  private var versions: [Version]
  /// Whether the history has evicted versions.
  private(set) var hasEvicted = false
  private let limits: Limits

  init(_ value: Root, date: Date, limits: Limits = Limits()) {
    versions = [Version(value: value, date: date, changes: 0)]
    self.limits = limits
  }

  /// Oldest first.
  var values: [Root] { versions.map(\.value) }

  /// The value that the file holds, as far as is known.
  var newest: Root { versions[versions.count - 1].value }

  /// Adds the value that the file now holds. O(changes · log n).
  ///
  /// - Parameter gap: what the file may have held since the last version here.
  mutating func append(_ value: Root, date: Date, behind gap: HistoryGap = .none) {
    if value.hasSameTables(as: newest) { return }
    let changes = value.changedRecordCount(from: newest)
    versions.append(Version(value: value, date: date, changes: changes, gap: gap))
    evict(date)
  }

  /// The history with a further value.
  func appending(_ value: Root, date: Date, behind gap: HistoryGap = .none) -> Self {
    var history = self
    history.append(value, date: date, behind: gap)
    return history
  }

  private mutating func evict(_ date: Date) {
    var changes = versions.reduce(0) { $0 + $1.changes }
    while versions.count > 2 {
      let age = abs(date.timeIntervalSince(versions[1].date))
      guard versions.count > limits.versions || age > limits.age || changes > limits.changes else { return }
      changes -= versions[1].changes
      versions.removeFirst()
      hasEvicted = true
    }
  }

  /// Finds the versions from which an external value may have been made.
  ///
  /// - Parameters:
  ///   - theirs: the external value. It must share its common content with the versions.
  ///   - isBehindMerge: whether another store may have merged the file of another program since the newest version.
  ///     Theirs may be that, or made from it.
  ///   - older: returns versions from before the history, oldest first. Called only if they may matter. A version
  ///     counts only if theirs has content of it that no later version has.
  func origins(of theirs: Root, isBehindMerge: Bool = false, older: () -> [Root] = { [] }) -> MergeOrigins<Root> {
    let known = values
    // What it has of one version proves nothing about the rest.
    if isBehindMerge {
      return hasEvicted || !theirs.isRelated(to: known) || theirs.hasNothing(of: newest)
        ? MergeOrigins(unknownAmong: known) : MergeOrigins(values: known, isNewest: known.count == 1)
    }
    let evidence = OriginEvidence(theirs: theirs, versions: known)
    let plausible = evidence.plausible
    let gaps = versions.indices.filter { $0 >= evidence.earliest && versions[$0].gap != .none }
    let isUnknown =
      plausible.isEmpty || hasEvicted && (plausible.contains(0) || gaps.contains { versions[$0].gap == .foreign })
      || !theirs.isRelated(to: plausible.map { known[$0] })
    if isUnknown { return MergeOrigins(unknownAmong: plausible.isEmpty ? known : plausible.map { known[$0] }) }
    if theirs.replacesRecords(of: newest) {
      let older = older()
      let all = older + known
      let plausible = OriginEvidence(theirs: theirs, versions: all).plausible
      if plausible.isEmpty { return MergeOrigins(unknownAmong: all) }
      if plausible.allSatisfy({ $0 < older.count }) {
        return MergeOrigins(values: plausible.map { all[$0] }, isNewest: false)
      }
    }
    let bounds = with(gaps, plausible)
    return MergeOrigins(values: bounds.map { known[$0] }, isNewest: bounds == [known.count - 1])
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

/// The versions from which an external value may have been made.
struct MergeOrigins<Root: Model>: Sendable {
  /// The possible bases; not empty. An empty value among them makes every difference from ours a conflict.
  let values: [Root]
  /// Whether the newest version of the file is the only possible base.
  let isNewest: Bool
  /// Whether the real base may be unknown: a version that was evicted, or a value that this file never held.
  let isUnknown: Bool

  init(values: [Root], isNewest: Bool) {
    self.values = values
    self.isNewest = isNewest
    isUnknown = false
  }

  init(unknownAmong values: [Root]) {
    self.values = [Root()] + values
    isNewest = false
    isUnknown = true
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

extension Model {
  /// A copy of this value that shares memory with other values. Each record that is written the same as in one of them
  /// is replaced by that one, preferably of the last value. Comparisons among them then cost O(changes · log n). O(n).
  func sharing(with values: [Self]) -> Self {
    var sharing = Sharing(values: values, value: self)
    Self.schema.visit(&sharing)
    return sharing.value
  }
}

private struct Sharing<Root: Model>: FieldVisitor {
  let values: [Root]
  var value: Root

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    let tables = values.map { $0[keyPath: path] }
    guard var shared = tables.last else { return }
    let changes = value[keyPath: path].storedChanges(from: shared)
    _ = shared.remove(boxes: changes.map { $0.id })
    let boxes = changes.compactMap { change in
      change.after.map { box in
        tables.dropLast().lazy.compactMap { $0.tree[change.id] }.last { RecordBox.areStoredAlike($0, box) } ?? box
      }
    }
    // The records already fit together in one table.
    guard (try? shared.put(boxes)) != nil else { return }
    value[keyPath: path] = shared
  }

  /// Single values are compared as they are written.
  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}
