/// The merge of two records, property by property.
///
/// A property that one side changed is taken from that side. If both changed it differently, that is a conflict, and a
/// `Choice` decides. The rules of the record type say which properties go together, and which are merged as lists.
///
/// If both sides added the record, there is no base. Every property that differs then counts as changed by both. The
/// later one is taken, if a date says which that is. Otherwise it is a conflict.
///
/// If there are several possible bases, a property counts as changed by a side that differs from any of them. So a
/// property in which the bases differ is a conflict. A property in which they agree is merged as from one base.
struct PropertyMerge {
  typealias Choice = (_ properties: [String], _ later: MergePolicy.Side) -> MergePolicy.Side
  private typealias Properties = [ExactText: Item]

  /// Properties that are taken from one side together, including the date of their last change.
  private struct Unit {
    let keys: [ExactText]
    let modified: ExactText?

    init(_ keys: [ExactText], modified: ExactText? = nil) {
      self.keys = keys + (modified.map { [$0] } ?? [])
      self.modified = modified
    }
  }

  /// The possible bases. Empty if both sides added the record.
  private let bases: [Properties]
  /// Whether both sides added the record.
  private let isAdded: Bool
  private let ours: Properties
  private let theirs: Properties
  private let keys: [ExactText]
  private let rules: [MergeRule]
  var options: MergeOptions = []
  /// Whether properties that both sides changed in the same way are reported among those of which ours was taken.
  private var reportsEqualChanges: Bool { options.contains(.reportsEqualChanges) }
  private var merged: Properties
  private(set) var isChanged = false
  private(set) var tookOurs: [String] = []
  private(set) var tookTheirs: [String] = []
  private(set) var tookBase: [String] = []

  /// Nil if the records are not dictionaries.
  init?<Value: SingleValue>(bases: [Value], ours: Value, theirs: Value, rules: [MergeRule]) {
    guard let ourMembers = [Item.Member](of: ours), let theirMembers = [Item.Member](of: theirs) else { return nil }
    self.bases = bases.isEmpty ? [[:]] : bases.map { [Item.Member](of: $0)?.byKey ?? [:] }
    isAdded = bases.isEmpty
    self.ours = ourMembers.byKey
    self.theirs = theirMembers.byKey
    let ours = self.ours
    keys = ourMembers.map(\.key) + theirMembers.map(\.key).filter { ours[$0] == nil }
    self.rules = rules
    merged = self.ours
  }

  /// The properties that both changed, by the side that was taken.
  var conflicts: [(MergeConflict.Resolution, [String])] {
    [(.tookOurs, tookOurs), (.tookTheirs, tookTheirs), (.tookBase, tookBase)].filter { !$0.1.isEmpty }
  }

  /// The result, as the item from which a record is decoded.
  var item: Item {
    Item(.dictionary(merged.sorted { $0.key < $1.key }.map { Item.Member(key: $0.key, value: $0.value) }))
  }

  /// - Parameter choose: returns the side for properties that both changed, given the side of the later change.
  mutating func run(_ choose: Choice) {
    var rest = keys
    for rule in rules {
      switch rule {
      case .together(let names, let modified):
        let keys = names.map { ExactText($0) }
        let unit = Unit(keys, modified: modified.map { ExactText($0) })
        merge(unit, named: keys, choose)
        rest.removeAll(where: unit.keys.contains)
      case .elements(let name, let date):
        let (key, modified) = (ExactText(name), date.map { ExactText($0) })
        mergeElements(key, modified, choose)
        rest.removeAll { $0 == key || $0 == modified }
      case .modified(let name):
        let key = ExactText(name)
        takeLater(key)
        rest.removeAll { $0 == key }
      case .derived(let name):
        let key = ExactText(name)
        // A rule computes it again from what the merge has made of the other properties.
        if !isAdded, !isChanged(key, in: ours) { set(key, to: theirs[key]) }
        rest.removeAll { $0 == key }
      case .first: continue
      }
    }
    for key in rest { merge(Unit([key]), named: [key], choose) }
  }

  /// The side that changed the record later; ours if no date decides.
  var laterSide: MergePolicy.Side {
    for case .modified(let key) in rules { return laterSide(by: ExactText(key)) }
    return .ours
  }

  private func laterSide(by key: ExactText) -> MergePolicy.Side {
    guard let theirs = theirs[key]?.comparableDate else { return .ours }
    return ours[key]?.comparableDate.map { $0 < theirs } ?? true ? .theirs : .ours
  }

  /// The side that added the later value; nil if no date decides.
  private func laterAddition(_ unit: Unit) -> MergePolicy.Side? {
    guard isAdded else { return nil }
    let recordDates = rules.filter { $0.datedKeys == nil }.compactMap(\.dateKey)
    let keys = (unit.modified.map { [$0] } ?? []) + recordDates
    guard let key = keys.first(where: { ours[$0]?.comparableDate != nil || theirs[$0]?.comparableDate != nil }),
      ours[key]?.comparableDate != theirs[key]?.comparableDate
    else { return nil }
    return laterSide(by: key)
  }

  private mutating func merge(_ unit: Unit, named keys: [ExactText], _ choose: Choice) {
    // A date alone is no change. The properties that it dates are.
    let ourChange = isAdded || keys.contains { isChanged($0, in: ours) }
    let theirChange = isAdded || keys.contains { isChanged($0, in: theirs) }
    let differ = keys.contains { !Item.areSame(ours[$0], theirs[$0]) }
    let names = keys.map(\.text)
    guard differ else {
      // If both sides added the record, an equal id is no conflict. Nor are equal properties with a date: a date is no
      // counter.
      let agrees = isAdded && (unit.modified != nil || keys == ["id"])
      if ourChange, reportsEqualChanges, !agrees { tookOurs += names }
      if let modified = unit.modified { takeLater(modified) }
      return
    }
    if !theirChange { return }
    if isAdded, options.contains(.oursIsPublished), names.allSatisfy({ rules.contains(.first($0)) }) { return }
    if let side = laterAddition(unit) {
      if side == .ours { return }
    } else if ourChange {
      let side = choose(names, unit.modified.map(laterSide(by:)) ?? laterSide)
      switch side {
      case .ours: return tookOurs += names
      case .theirs: tookTheirs += names
      case .base:
        tookBase += names
        for key in unit.keys { set(key, to: bases[bases.count - 1][key]) }
        return
      }
    }
    for key in unit.keys { set(key, to: theirs[key]) }
  }

  /// Merges a list. Elements that theirs added are added, and elements that theirs removed are removed.
  private mutating func mergeElements(_ key: ExactText, _ modified: ExactText?, _ choose: Choice) {
    guard let mine = ours[key]?.elements, let changed = theirs[key]?.elements, let common = commonElements(key) else {
      return merge(Unit([key], modified: modified), named: [key], choose)
    }
    if reportsEqualChanges, isChanged(key, in: ours), isChanged(key, in: theirs) { tookOurs.append(key.text) }
    let merged = [Item].merging(base: common, ours: mine, theirs: changed, by: Item.isOrderedBefore)
    set(key, to: Item(.array(merged)))
    if let modified { takeLater(modified) }
  }

  /// The list of the bases; nil if they differ.
  private func commonElements(_ key: ExactText) -> [Item]? {
    bases.allSatisfy { Item.areSame($0[key], bases[0][key]) } ? bases[0][key]?.elements : nil
  }

  private func isChanged(_ key: ExactText, in side: Properties) -> Bool {
    bases.contains { !Item.areSame(side[key], $0[key]) }
  }

  private mutating func takeLater(_ key: ExactText) {
    guard let date = theirs[key]?.comparableDate else { return }
    if merged[key]?.comparableDate.map({ $0 < date }) ?? true { set(key, to: theirs[key]) }
  }

  private mutating func set(_ key: ExactText, to item: Item?) {
    if Item.areSame(merged[key], item) { return }
    merged[key] = item
    isChanged = true
  }
}

extension Item {
  /// The number by which merges compare dates: a date's seconds, or a number.
  var comparableDate: Double? {
    switch content {
    case .date(let seconds), .real(let seconds): seconds
    case .integer(let number): Double(number)
    default: nil
    }
  }
}
