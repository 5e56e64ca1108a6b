import SnapshotFoundation

/// The last values that a file held, so that a merge can find the one that another program's value was made from.
///
/// The versions share what they have in common, so each costs what was changed after it. The newest two are always kept; older ones
/// up to a number, an age and a number of changed records. That some were evicted is remembered, since another program may still
/// hold one of them.
struct ValueHistory<Root: Model>: Sendable {
  /// What is kept of versions older than the newest two.
  struct Limits: Sendable {
    var versions = 32
    /// Seconds since a version was replaced in the file.
    var age: TimeInterval = 3_600
    /// Records that differ from one version to the next, in all.
    var changes = 10_000
  }

  private struct Version: Sendable {
    let value: Root
    let date: Date
    /// The records that differ from the version before.
    let changes: Int
  }

  private var versions: [Version]
  /// Whether there were versions that are not known any more.
  private(set) var hasEvicted = false
  private let limits: Limits

  init(_ value: Root, date: Date, limits: Limits = Limits()) {
    versions = [Version(value: value, date: date, changes: 0)]
    self.limits = limits
  }

  /// Oldest first.
  var values: [Root] { versions.map(\.value) }

  /// What the file holds, as far as is known.
  var newest: Root { versions[versions.count - 1].value }

  /// Adds what the file holds from now on. O(changes · log n).
  mutating func append(_ value: Root, date: Date) {
    if value.hasSameTables(as: newest) { return }
    versions.append(Version(value: value, date: date, changes: value.changedRecordCount(from: newest)))
    var changes = versions.reduce(0) { $0 + $1.changes }
    while versions.count > 2 {
      let age = abs(date.timeIntervalSince(versions[1].date))
      guard versions.count > limits.versions || age > limits.age || changes > limits.changes else { return }
      changes -= versions[1].changes
      versions.removeFirst()
      hasEvicted = true
    }
  }

  /// Finds what someone else's value may have been made from.
  ///
  /// - Parameters:
  ///   - theirs: the value, sharing what it has in common with the versions.
  ///   - older: versions from before the history, oldest first; asked for only if they may matter. One counts only if theirs has
  ///     something of it that no later version has.
  func origins(of theirs: Root, older: () -> [Root] = { [] }) -> MergeOrigins<Root> {
    let known = values
    let plausible = OriginEvidence(theirs: theirs, versions: known).plausible
    let isUnknown =
      plausible.isEmpty || hasEvicted && plausible.contains(0) || !theirs.isRelated(to: plausible.map { known[$0] })
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
    return MergeOrigins(values: plausible.map { known[$0] }, isNewest: plausible == [known.count - 1])
  }
}

/// What someone else's value may have been made from.
struct MergeOrigins<Root: Model>: Sendable {
  /// The merge bases; not empty. An empty value among them makes a conflict of every difference from ours.
  let values: [Root]
  /// Whether the newest version of the file is the only one.
  let isNewest: Bool
  /// Whether it may have been made from something else: a version that was evicted, or nothing that this file has held.
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
  /// The number of records that are not in the same place in memory. O(changes · log n).
  fileprivate func changedRecordCount(from other: Self) -> Int {
    var count = ChangeCount(old: other, new: self)
    Self.schema.visit(&count)
    return count.added + count.changed
  }

  /// Whether records that another value has are different here, or missing.
  fileprivate func replacesRecords(of other: Self) -> Bool {
    var count = ChangeCount(old: other, new: self)
    Self.schema.visit(&count)
    return count.changed > 0
  }

  /// Whether it has half of the records of one of the values as they are there. Of a few records it may lack all.
  fileprivate func isRelated(to values: [Self]) -> Bool {
    values.contains { value in
      var count = ChangeCount(old: value, new: self)
      Self.schema.visit(&count)
      return count.changed < 8 || count.changed <= count.total / 2
    }
  }
}

/// Counts records that differ by identity, and single values that are stored in another way. A value of others shares what is stored
/// alike: see `Model.sharing`.
private struct ChangeCount<Root: Model>: FieldVisitor {
  let old: Root
  let new: Root
  /// Records of the new value only.
  var added = 0
  /// Records of the old value that the new one has in another way, or not.
  var changed = 0
  /// Records of the old value.
  var total = 0

  init(old: Root, new: Root) {
    self.old = old
    self.new = new
  }

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

  /// Counts as one record, which both have.
  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {
    total += 1
    if !SingleValueCoding.areStoredAlike(old[keyPath: value], new[keyPath: value]) { changed += 1 }
  }
}

extension Model {
  /// The same value, with every record that is stored as in one of several values in the memory of that one, preferably the last, so
  /// that they are compared with each other in O(changes · log n) from then on. O(n).
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
    _ = shared.remove(boxes: changes.map(\.id))
    let boxes = changes.compactMap { change in
      change.after.map { box in
        tables.dropLast().lazy.compactMap { $0.tree[change.id] }.last { RecordBox.areStoredAlike($0, box) } ?? box
      }
    }
    // They fit beside each other in a table already.
    guard (try? shared.put(boxes)) != nil else { return }
    value[keyPath: path] = shared
  }

  /// Single values are compared by what is stored.
  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}
