/// Merging of two values that were made from one base.
extension Model {
  /// Merges two values that were made from one base.
  ///
  /// - A record or single value that only one side changed, added or removed is as on that side.
  /// - A record that both sides changed is merged property by property, by ``Record/mergeRules``.
  /// - If both changed the same property in different ways, the policy decides. The conflicts name the property.
  /// - A record that both sides added is merged by property too. Of a property that differs, the later value is taken,
  ///   by the dates of the rules. Without these dates it is a conflict.
  /// - A record that one side removed and the other changed stays with its change.
  /// - A removed record to which another one refers is restored by its ``Relation``, or by
  ///   ``RepairingModel/restoreReferenced(from:)``. References that are then still broken are repaired by
  ///   ``RepairingModel/repair()``.
  /// - Properties of the model that the schema does not name are taken from ours.
  ///
  /// Records are compared as they are written, not by `==`. O(changes · log n) for values that share their common
  /// content, O(n) for others, plus the cost of repair.
  ///
  /// - Parameters:
  ///   - base: the value that both were made from.
  ///   - ours: the side into which theirs is merged.
  ///   - theirs: the other side.
  ///   - policy: the winner where both sides changed the same property.
  public static func merging(
    base: Self, ours: Self, theirs: Self, policy: MergePolicy = .ours
  ) -> (value: Self, conflicts: [MergeConflict], repaired: [Violation]) {
    merging(bases: [base], ours: ours, theirs: theirs, policy: policy)
  }

  /// The same for several possible bases. A difference among them, and between the two sides, is a conflict.
  ///
  /// - Parameter bases: the possible bases; not empty.
  static func merging(
    bases: [Self], ours: Self, theirs: Self, policy: MergePolicy = .ours, options: MergeOptions = []
  ) -> (value: Self, conflicts: [MergeConflict], repaired: [Violation]) {
    var merge = ThreeWayMerge(bases: bases, theirs: theirs, policy: policy, options: options, value: ours)
    schema.visit(&merge)
    return merge.repaired(with: ours)
  }

  /// The same for values of one store, in which no reference is broken (a file may hold broken ones).
  ///
  /// O(tables) if one side changed nothing. Nothing is repaired if no record was removed and at most one side added
  /// records to several tables.
  static func mergingWhole(
    base: Self, ours: Self, theirs: Self, policy: MergePolicy, options: MergeOptions = []
  ) -> (value: Self, conflicts: [MergeConflict], repaired: [Violation]) {
    if theirs.hasSameTables(as: base) { return (ours, [], []) }
    if ours.hasSameTables(as: base) { return (ours.replacingTables(with: theirs), [], []) }
    var merge = ThreeWayMerge(bases: [base], theirs: theirs, policy: policy, options: options, value: ours)
    schema.visit(&merge)
    return merge.isSound ? (merge.value, merge.conflicts, []) : merge.repaired(with: ours)
  }
}

/// Options of a merge.
struct MergeOptions: OptionSet, Sendable {
  let rawValue: UInt8

  /// Reports a conflict even if both sides made the same change to a property or a record. Example: two sides that each
  /// count from five to six should together have counted to seven.
  static let reportsEqualChanges = MergeOptions(rawValue: 1)
  /// A record in which only dates of change differ counts as unchanged. It can be removed, and the dates of theirs are
  /// not taken.
  static let ignoresDates = MergeOptions(rawValue: 2)
  /// A record of ours that does not fit is left out, instead of one of theirs. For one base.
  static let keepsTheirs = MergeOptions(rawValue: 4)
  /// Among several bases, a change of ours counts only if it is newer than the last one. A record of ours that is as in
  /// the last base gives way to theirs, except that theirs removes only what all bases have.
  static let yieldsUnchanged = MergeOptions(rawValue: 8)
  /// Ours is what other transactions have published; see ``MergeRule/first(_:)``.
  static let oursIsPublished = MergeOptions(rawValue: 16)
}

/// The merge of two values, table by table.
struct ThreeWayMerge<Root: Model>: FieldVisitor {
  /// The possible bases; not empty.
  let bases: [Root]
  let theirs: Root
  let policy: MergePolicy
  let options: MergeOptions
  /// The value of ours, merged table by table.
  var value: Root
  /// The additions and removals of theirs, if known.
  var theirSide: MergeSide?
  /// Whether the cost is limited to O(log n) for each record that the side with fewer changes has changed; see
  /// `gaveUp`.
  var isQuick = false
  /// Whether the limit was exceeded. If so, the value must not be used.
  private(set) var gaveUp = false
  private(set) var conflicts: [MergeConflict] = []
  // Kept, because each use of a schema copies it.
  private let derived = Root.schema.derivedFields
  private var leftOut = false
  private var (ours, others) = (MergeSide(), MergeSide())

  init(
    bases: [Root], theirs: Root, policy: MergePolicy, options: MergeOptions, value: Root, theirSide: MergeSide? = nil
  ) {
    self.bases = bases
    self.theirs = theirs
    self.policy = policy
    self.options = options
    self.value = value
    self.theirSide = theirSide
  }

  /// Whether the merge is complete and no record was left out.
  var isWhole: Bool { !gaveUp && !leftOut }

  /// Whether nothing needs repair. If every record of all three values is in the result, no reference broke. But a
  /// record that one side added may contradict a record that the other side added to another table: a note and its
  /// tombstone.
  var isSound: Bool {
    let theirs = theirSide ?? others
    if !isWhole || ours.hasRemoved || theirs.hasRemoved { return false }
    return ours.added.isEmpty || theirs.added.isEmpty || ours.added.union(theirs.added).count == 1
  }

  func repaired(with ours: Root) -> (value: Root, conflicts: [MergeConflict], repaired: [Violation]) {
    var value = value
    let takenBack = value.restoreReferencedAsWhole(from: [ours, theirs] + bases)
    let repaired = value.repairAll()
    return (value, conflicts, takenBack + repaired)
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    if gaveUp { return }
    if derived.contains(name) {
      let isOurs = bases.contains { !value[keyPath: path].isStoredLike($0[keyPath: path], ignoresDates: true) }
      if !isOurs { value[keyPath: path] = theirs[keyPath: path] }
      return
    }
    var merge = TableMerge<Value>(name, policy, options)
    merge.isQuick = isQuick
    merge.isTheirSideKnown = theirSide != nil
    value[keyPath: path] = merge.run(
      bases: bases.map { $0[keyPath: path] }, ours: value[keyPath: path], theirs: theirs[keyPath: path])
    conflicts += merge.conflicts
    gaveUp = merge.gaveUp
    leftOut = leftOut || merge.hasLeftOut
    ours.formUnion(merge.ours)
    others.formUnion(merge.theirs)
  }

  /// Merges a single value that both sides changed: by its properties if it has any, else as a whole.
  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    if gaveUp { return }
    let known = options.contains(.yieldsUnchanged) ? bases.suffix(1) : bases[...]
    let (before, mine, their) = (known.map { $0[keyPath: path] }, value[keyPath: path], theirs[keyPath: path])
    if before.allSatisfy({ SingleValueCoding.areStoredAlike($0, their) }) { return }
    if before.allSatisfy({ SingleValueCoding.areStoredAlike($0, mine) }) { return value[keyPath: path] = their }
    if derived.contains(name) { return }
    if SingleValueCoding.areStoredAlike(mine, their) {
      if options.contains(.reportsEqualChanges) { report(name, .tookOurs) }
      return
    }
    let merge = RecordMerge(
      name, bases: before, ours: mine, theirs: their, rules: [], policy: policy,
      options: options)
    value[keyPath: path] = merge.record
    for (resolution, properties) in merge.conflicts { report(name, resolution, properties) }
  }

  private mutating func report(
    _ name: String, _ resolution: MergeConflict.Resolution, _ properties: [String] = []
  ) {
    conflicts.append(MergeConflict(table: name, id: "", properties: properties, resolution: resolution))
  }
}
