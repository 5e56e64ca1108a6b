public import SnapshotFoundation

/// How a schema declares tombstones.
extension Tombstones {
  /// Tombstones for the removed records of a table.
  ///
  /// Clocks go wrong. A removal counts as later than the last change of the record, by a second if the clock is not
  /// later. A clock that is not in the years 1 to 9999 gives an unknown date.
  ///
  /// - Parameters:
  ///   - records: the table of the records.
  ///   - tombstones: the table of their tombstones. It needs a ``Field`` of its own.
  ///   - now: the date of a removal, for a model with its own clock. By default it is the system's, and in an undo that
  ///     of the ``UndoHistory``.
  ///   - lastChange: the latest of the dates that the merge rules of a record name. By default the library encodes each
  ///     removed record to find it, which takes most of the time where very many are removed.
  public init<Target: Record>(
    of records: any WritableKeyPath<Root, Table<Target>> & Sendable,
    in tombstones: any WritableKeyPath<Root, Table<Tombstone<Target>>> & Sendable,
    now: (@Sendable (Root) -> Date)? = nil, lastChange: (@Sendable (Target) -> Date?)? = nil
  ) where Target.ID: Codable {
    hooks = TombstoneMaintainer(records: records, tombstones: tombstones, now: now, lastChange: lastChange)
  }
}

/// A table and its tombstones.
struct TombstoneMaintainer<Root: Model, Target: Record>: TombstoneHooks where Target.ID: Codable {
  let records: TablePath<Root, Target>
  let tombstones: TablePath<Root, Tombstone<Target>>
  let now: (@Sendable (Root) -> Date)?
  let lastChange: (@Sendable (Target) -> Date?)?

  var table: AnyKeyPath { tombstones }

  func follow(_ before: Root, _ value: inout Root) {
    if value[keyPath: records].isIdentical(to: before[keyPath: records]),
      value[keyPath: tombstones].isIdentical(to: before[keyPath: tombstones])
    {
      return
    }
    let changes = value[keyPath: records].changedBoxes(since: before[keyPath: records])
    revive(changes, before, &value)
    let removed = changes.compactMap { $0.after == nil ? $0.before : nil }
    if removed.isEmpty { return }
    let (earlier, present) = (before[keyPath: tombstones], value[keyPath: tombstones])
    let date = now?(value) ?? Date()
    bury(removed, &value) { id, latest in
      if let tombstone = present[id], tombstone.counts(after: latest, isNew: !earlier.contains(id)) { return nil }
      return Tombstone(id: id, deletionDate: date.removal(after: latest))
    }
  }

  func followUndo(_ before: Root, _ value: inout Root, at date: Date) {
    let changes = value[keyPath: records].changedBoxes(since: before[keyPath: records])
    revive(changes, before, &value)
    let removed = changes.compactMap { $0.after == nil ? $0.before : nil }
    let present = value[keyPath: tombstones]
    let date = now?(value) ?? date
    bury(removed, &value) { id, latest in
      let known = (present[id]?.dates ?? []) + [latest].compactMap(\.self)
      return Tombstone(id: id, deletionDate: date.removal(after: known.max()))
    }
  }

  /// Puts tombstones for removed records, unless `make` returns nil.
  private func bury(
    _ removed: [RecordBox<Target>], _ value: inout Root, _ make: (Target.ID, _ latest: Date?) -> Tombstone<Target>?
  ) {
    let dates = ChangeDates<Target>()
    let parts = Parallel.map(over: removed.count, atLeast: 256, threads: Parallel.defaultThreads) { range in
      removed[range].map { box in
        guard let lastChange else { return dates.latest(of: box.record) }
        return lastChange(box.record).flatMap { $0.timeIntervalSinceReferenceDate.isFinite ? $0 : nil }
      }
    }
    let boxes = zip(removed, parts.joined()).compactMap { make($0.record.id, $1) }.map(RecordBox.init)
    // Tombstones have no unique index, so the table refuses nothing.
    if !boxes.isEmpty { try? value[keyPath: tombstones].put(boxes) }
  }

  /// Removes the tombstones of records that exist now, for all changed records and tombstones.
  private func revive(_ changes: [Table<Target>.StoredChange], _ before: Root, _ value: inout Root) {
    let (earlier, present) = (before[keyPath: tombstones], value[keyPath: tombstones])
    if earlier.isEmpty, present.isEmpty { return }
    var removals: [Target.ID: [Date]] = [:]
    func note(_ tombstone: Tombstone<Target>?) {
      if let tombstone { removals[tombstone.id, default: []] += tombstone.dates }
    }
    for change in changes where change.after != nil {
      // A transaction that inserts a record may have removed the tombstone itself.
      if change.before == nil { note(earlier[change.id]) }
      note(present[change.id])
    }
    for change in present.changedBoxes(since: earlier) where value[keyPath: records].contains(change.id) {
      note(change.after?.record)
    }
    revive(removals, &value)
  }

  /// Removes the tombstones of existing records, and dates the records after their removals.
  private func revive(_ removals: [Target.ID: [Date]], _ value: inout Root) {
    if removals.isEmpty { return }
    let dates = ChangeDates<Target>()
    let renewed = removals.compactMap { id, removals in
      removals.max().flatMap { latest in value[keyPath: records][id].flatMap { dates.outliving(latest, $0) } }
    }
    // A unique index may already hold a new date. Then all dates stay as they are.
    if !renewed.isEmpty { try? value[keyPath: records].put(renewed.sorted { $0.id < $1.id }.map(RecordBox.init)) }
    value[keyPath: tombstones].remove(removals.keys)
  }
}

extension TombstoneMaintainer {
  func violations(of value: Root) -> [Violation] {
    let name = Root.schema.name(of: tombstones) ?? ""
    return common(value).map {
      Violation(
        place: "\(Root.schema.name(of: records) ?? "") \($0)",
        message: "it also has a tombstone in \(SnapshotError.quoted(name))")
    }
  }

  func keep(_ value: inout Root, of other: Root) {
    let (records, present) = (value[keyPath: records], value[keyPath: tombstones])
    let boxes = other[keyPath: tombstones].changedBoxes(since: present).compactMap(\.after)
      .filter { !records.contains($0.record.id) && !present.contains($0.record.id) }
    // Tombstones have no unique index, so the table refuses nothing.
    if !boxes.isEmpty { try? value[keyPath: tombstones].put(boxes) }
  }

  func repair(_ value: inout Root) -> [Violation] {
    let (ids, present) = (common(value), value[keyPath: tombstones])
    var removals: [Target.ID: [Date]] = [:]
    for id in ids { removals[id] = present[id]?.dates }
    revive(removals, &value)
    let name = Root.schema.name(of: tombstones) ?? ""
    return ids.map { Violation(place: "\(name) \($0)", message: "removed, because the record exists") }
  }

  func mayNeedRepair(_ value: Root, after changes: ChangeSet<Root>) -> Bool {
    let (before, records, tombstones) = (changes.before, value[keyPath: records], value[keyPath: tombstones])
    let after = changes.after
    return after[keyPath: self.records].changedBoxes(since: before[keyPath: self.records]).contains {
      records.contains($0.id) && tombstones.contains($0.id)
    }
      || after[keyPath: self.tombstones].changedBoxes(since: before[keyPath: self.tombstones]).contains {
        records.contains($0.id) && tombstones.contains($0.id)
      }
  }

  func prune(_ value: inout Root, _ salvaged: Root) {
    let records = salvaged[keyPath: records]
    value[keyPath: self.records].remove(salvaged[keyPath: tombstones].ids.filter { !records.contains($0) })
  }

  func leaveOut(_ value: inout Root, removedIn other: Root) {
    let (records, dates) = (value[keyPath: records], ChangeDates<Target>())
    let removed = other[keyPath: tombstones].compactMap { tombstone -> Target.ID? in
      guard let record = records[tombstone.id], !other[keyPath: self.records].contains(tombstone.id),
        let removal = tombstone.dates.first, let latest = dates.latest(of: record),
        latest.isCertainlyEarlier(than: removal)
      else { return nil }
      return tombstone.id
    }
    value[keyPath: self.records].remove(removed)
  }

  /// The ids of records that have a tombstone, ascending.
  private func common(_ value: Root) -> [Target.ID] {
    let (records, tombstones) = (value[keyPath: records], value[keyPath: tombstones])
    return records.count < tombstones.count
      ? records.ids.filter(tombstones.contains) : tombstones.ids.filter(records.contains)
  }
}

extension Tombstone {
  /// The date, if it is known.
  fileprivate var dates: [Date] { deletionDate.map { $0.isUsual ? [$0] : [] } ?? [] }

  /// Whether the tombstone of a removed record may stay as it is.
  ///
  /// - Parameters:
  ///   - latest: the last change of the record.
  ///   - isNew: whether it came with the removal. Then an unknown date stays unknown.
  fileprivate func counts(after latest: Date?, isNew: Bool) -> Bool {
    guard let deletionDate, deletionDate.isUsual else { return isNew }
    return latest.map { $0 < deletionDate } ?? true
  }
}

extension Date {
  /// The date of a removal at this date: later than another date. Nil if neither is known.
  fileprivate func removal(after latest: Date?) -> Date? {
    guard let latest else { return isUsual ? self : nil }
    return isUsual && self > latest ? self : latest.following
  }
}
