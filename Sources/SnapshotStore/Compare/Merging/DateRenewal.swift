public import SnapshotFoundation

/// New dates of change for records that an undo restores.
extension RepairingModel {
  /// Sets the dates that the records' merge rules name.
  public mutating func dateUndo(since before: Self, at date: Date) { renewDates(since: before, at: date) }
}

extension Model {
  /// Sets the dates after an undo, first in the parts of the model, then in the model.
  mutating func dateUndoAsWhole(since before: Self, at date: Date) {
    UndoDates(date: date).visit(&self, before: before)
  }

  /// Makes an edit of an older value that takes the place of another: with new dates, and with the tombstones of both.
  mutating func restore(over present: Self, at date: Date) {
    dateUndoAsWhole(since: present, at: date)
    KeptTombstones().visit(&self, before: present)
  }

  /// Sets new dates of change on everything that differs from an earlier value.
  ///
  /// ``Record/mergeRules`` name the dates. Each property that differs gets a new date, with the properties of the same
  /// rule, and so does each record. A record that the earlier value does not have is new as a whole.
  ///
  /// The new date is `date`, but at least one second after the earlier value's date. A date that is later still stays.
  /// A number in place of a date is increased by one. A missing date is set if the record's type accepts one.
  /// Properties that are the same in both values get the later of the two dates.
  ///
  /// The records of a part are left to the part. O(changes · log n) if one value was made from the other.
  ///
  /// - Parameters:
  ///   - before: the earlier value.
  ///   - date: the date of the change.
  public mutating func renewDates(since before: Self, at date: Date) {
    renewDates(since: before, at: date, keepsGiven: false)
  }

  /// - Parameter keepsGiven: whether a date stays if it differs from the earlier value, because the change has set it.
  fileprivate mutating func renewDates(since before: Self, at date: Date, keepsGiven: Bool) {
    var renewal = DateRenewal(before: before, date: date, keepsGiven: keepsGiven, value: self)
    Self.schema.visitOwn(&renewal)
    self = renewal.value
  }
}

/// Sets the dates of an edit, where its author has set none. Also in the parts of a model.
struct EditDates: ModelVisitor {
  let date: Date

  func visit<Root: Model>(_ value: inout Root, before: Root) {
    for part in Root.schema.parts { part.hooks.visit(self, &value, before: before) }
    value.renewDates(since: before, at: date, keepsGiven: true)
  }
}

/// Sets the dates after an undo: by the model's own function, or by the rules of its records.
private struct UndoDates: ModelVisitor {
  let date: Date

  func visit<Root: Model>(_ value: inout Root, before: Root) {
    for part in Root.schema.parts { part.hooks.visit(self, &value, before: before) }
    if let hooks = Root.schema.repairHooks {
      hooks.dateUndo(&value, before, date)
    } else {
      value.renewDates(since: before, at: date)
    }
    for tombstones in Root.schema.tombstones { tombstones.hooks.followUndo(before, &value, at: date) }
  }
}

/// Keeps the tombstones of a value that is replaced.
private struct KeptTombstones: ModelVisitor {
  func visit<Root: Model>(_ value: inout Root, before: Root) {
    for part in Root.schema.parts { part.hooks.visit(self, &value, before: before) }
    for tombstones in Root.schema.tombstones { tombstones.hooks.keep(&value, of: before) }
  }
}

/// Sets new dates in the records of tables.
private struct DateRenewal<Root: Model>: FieldVisitor {
  let before: Root
  let date: Date
  let keepsGiven: Bool
  var value: Root

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    let rules = Value.mergeRules.filter { $0.dateKey != nil }
    // A tombstone has the date of a removal, which no undo changes. `followUndo` makes the tombstones of new removals.
    if rules.isEmpty || Root.schema.tombstones.contains(where: { $0.hooks.table == path }) { return }
    if Root.schema.derivedFields.contains(name) { return }
    let pairs = value[keyPath: path].changedBoxes(since: before[keyPath: path]).filter { $0.after != nil }
    let parts = Parallel.map(over: pairs.count, atLeast: 256, threads: Parallel.defaultThreads) { range in
      pairs[range].compactMap { pair in
        pair.after.flatMap {
          $0.record.dated(date, since: pair.before?.record, by: rules, keepsGiven: keepsGiven)
        }.map(RecordBox.init)
      }
    }
    let renewed = parts.flatMap { $0 }
    // A unique index may already hold a new date. Then all dates stay as they are.
    if !renewed.isEmpty { try? value[keyPath: path].put(renewed) }
  }

  /// A single value has no merge rules, and so no dates.
  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}

extension Record {
  /// The record with new dates of change; nil if no date changes.
  ///
  /// - Parameters:
  ///   - date: the date of the change.
  ///   - old: the earlier record; nil if the record is new as a whole.
  ///   - rules: the merge rules that name dates.
  ///   - keepsGiven: whether a date stays if it differs from that of the earlier record.
  func dated(_ date: Date, since old: Self?, by rules: [MergeRule], keepsGiven: Bool = false) -> Self? {
    guard var dates = RecordDates(of: self, since: old, keepsGiven: keepsGiven) else { return nil }
    dates.renew(by: rules, at: date.timeIntervalSinceReferenceDate, fillsIn: true)
    guard dates.isChanged else { return nil }
    if let record = try? ItemDecoder.decodeWritten(Self.self, from: dates.item) { return record }
    // The missing property may be a number, not a date.
    guard var known = RecordDates(of: self, since: old, keepsGiven: keepsGiven) else { return nil }
    known.renew(by: rules, at: date.timeIntervalSinceReferenceDate, fillsIn: false)
    return known.isChanged ? try? ItemDecoder.decodeWritten(Self.self, from: known.item) : nil
  }
}

/// The dates of one record, among its other properties.
private struct RecordDates {
  private let old: [ExactText: Item]?
  private let keepsGiven: Bool
  /// What a rule has computed is nobody's change.
  private let derivedKeys: Set<ExactText>
  private var members: [Item.Member]
  private(set) var isChanged = false

  /// Nil if the record is not a dictionary.
  init?<Value: Record>(of new: Value, since old: Value?, keepsGiven: Bool) {
    guard let members = [Item.Member](of: new) else { return nil }
    self.members = members
    self.keepsGiven = keepsGiven
    derivedKeys = Value.derivedKeys
    self.old = old.flatMap { [Item.Member](of: $0)?.byKey }
  }

  var item: Item { Item(.dictionary(members)) }

  /// - Parameter fillsIn: whether to set a date that is missing.
  mutating func renew(by rules: [MergeRule], at date: Double, fillsIn: Bool) {
    let dateKeys = Set(rules.compactMap(\.dateKey))
    let changed = changedKeys.subtracting(dateKeys).subtracting(derivedKeys)
    for rule in rules {
      guard let key = rule.dateKey else { continue }
      let isNew = old == nil || (rule.datedKeys.map { !changed.isDisjoint(with: $0) } ?? !changed.isEmpty)
      let (mine, other) = (value(of: key), old?[key])
      if keepsGiven, old == nil ? mine?.comparableDate != nil : !Item.areSame(mine, other) { continue }
      if let next = isNew ? Self.renewed(mine, after: other, old == nil, date) : Self.later(mine, other) {
        set(key, to: next)
      } else if isNew, fillsIn, mine?.comparableDate == nil, other?.comparableDate == nil {
        set(key, to: Item(.date(date)))
      }
    }
  }

  private var changedKeys: Set<ExactText> { old.map(members.byKey.keysDiffering(from:)) ?? [] }

  private func value(of key: ExactText) -> Item? { members.first { $0.key == key }?.value }

  private mutating func set(_ key: ExactText, to item: Item) {
    if let position = members.firstIndex(where: { $0.key == key }) {
      if Item.areSame(members[position].value, item) { return }
      members[position].value = item
    } else {
      members.append(Item.Member(key: key, value: item))
    }
    isChanged = true
  }

  /// The date of a change made now; nil if no value shows the form of dates in this property.
  private static func renewed(_ mine: Item?, after other: Item?, _ isBack: Bool, _ date: Double) -> Item? {
    guard let latest = later(mine, other) else { return nil }
    // A date that is later than the other by more than the resolution of a sync has been renewed already.
    let floor = isBack ? mine : other
    switch latest.content {
    case .date(let seconds):
      let least = max(date, floor?.comparableDate.map { $0 + 1 } ?? date)
      return Item(.date(isBack ? least : max(least, seconds)))
    case .integer(let number):
      return Item(.integer(number < .max ? number + 1 : number))
    case .real(let number):
      return Item(.real(number + 1 > number ? number + 1 : number.nextUp))
    default: return nil
    }
  }

  private static func later(_ a: Item?, _ b: Item?) -> Item? {
    guard let first = a?.comparableDate, first.isFinite else { return b?.comparableDate?.isFinite == true ? b : nil }
    guard let second = b?.comparableDate, second.isFinite else { return a }
    return first < second ? b : a
  }
}
