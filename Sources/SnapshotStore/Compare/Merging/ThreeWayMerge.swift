/// Merging of two values that were made from one.
extension Model {
  /// What comes of two values that were made from one: every record that one side alone changed, added or removed is as
  /// that side has it, and every single value; of one that both changed, so is every property, by ``Record/mergeRules``. Where both changed the same
  /// property in different ways, the policy decides, and the conflicts name it. A record that both sides added is merged by property
  /// too: of one that differs the later is taken, by the dates of the rules, and only without such dates it is a conflict.
  ///
  /// A record that one side removed and the other changed stays, as it was changed. A record that the other side removed
  /// is taken back where something refers to it, by ``MendingModel/takeBackReferenced(from:)``. What then leads nowhere
  /// is mended by ``MendingModel/mendAfterLosses()``. What the schema does not name is ours. O(changes · log n) for values that share what they have in
  /// common, O(n) for others, and what mending takes.
  ///
  /// Records are compared as they are written, not by `==`.
  ///
  /// - Parameters:
  ///   - base: what both were made from.
  ///   - ours: the side that is merged into.
  ///   - theirs: the other side.
  ///   - policy: who wins where both changed the same.
  public static func merging(
    base: Self, ours: Self, theirs: Self, policy: MergePolicy = .ours
  ) -> (value: Self, conflicts: [MergeConflict], mended: [Violation]) {
    merging(bases: [base], ours: ours, theirs: theirs, policy: policy)
  }

  /// The same where it is not known which of several values both were made from: what these have in different ways, and the two
  /// sides too, is a conflict.
  ///
  /// - Parameter bases: not empty.
  static func merging(
    bases: [Self], ours: Self, theirs: Self, policy: MergePolicy = .ours
  ) -> (value: Self, conflicts: [MergeConflict], mended: [Violation]) {
    var merge = ThreeWayMerge(bases: bases, theirs: theirs, policy: policy, options: [], value: ours)
    schema.visit(&merge)
    return merge.mended(with: ours)
  }

  /// The same for values of one store, in which nothing leads nowhere: O(tables) if one side has changed nothing, and without
  /// mending where nothing was removed and not both sides have added records to several tables. A file may hold anything.
  ///
  static func mergingWhole(
    base: Self, ours: Self, theirs: Self, policy: MergePolicy, options: MergeOptions = []
  ) -> (value: Self, conflicts: [MergeConflict], mended: [Violation]) {
    if theirs.hasSameTables(as: base) { return (ours, [], []) }
    if ours.hasSameTables(as: base) { return (ours.replacingTables(with: theirs), [], []) }
    var merge = ThreeWayMerge(bases: [base], theirs: theirs, policy: policy, options: options, value: ours)
    schema.visit(&merge)
    return merge.isSound ? (merge.value, merge.conflicts, []) : merge.mended(with: ours)
  }
}

/// What else counts in a merge.
struct MergeOptions: OptionSet, Sendable {
  let rawValue: UInt8

  /// It is a conflict too if both sides did the same to a property or a record. Two who count to six from five have not counted to
  /// seven.
  static let reportsEqualChanges = MergeOptions(rawValue: 1)
  /// A record in which nothing but dates of changes has changed counts as it was: it can be removed, and theirs is not taken.
  static let ignoresDates = MergeOptions(rawValue: 2)
}

/// The merge of two values, table by table.
struct ThreeWayMerge<Root: Model>: FieldVisitor {
  /// What both may have been made from; not empty.
  let bases: [Root]
  let theirs: Root
  let policy: MergePolicy
  let options: MergeOptions
  /// Ours, as far as it is not merged yet.
  var value: Root
  /// What theirs has done, if that is known.
  var theirSide: MergeSide?
  /// Whether it may cost no more than O(log n) for each record that the side with fewer changes has changed; see `gaveUp`.
  var isQuick = false
  /// Whether it would have cost more; then the value is of no use.
  private(set) var gaveUp = false
  private(set) var conflicts: [MergeConflict] = []
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

  /// Whether it was merged to the end, and every record is in it that should be.
  var isWhole: Bool { !gaveUp && !leftOut }

  /// Whether nothing has to be mended. Where every record of all three is there, what referred to something still does. Only what one
  /// side has added to a table may not go together with what the other has added to another one: a note, and its tombstone.
  var isSound: Bool {
    let theirs = theirSide ?? others
    if !isWhole || ours.hasRemoved || theirs.hasRemoved { return false }
    return ours.added.isEmpty || theirs.added.isEmpty || ours.added.union(theirs.added).count == 1
  }

  func mended(with ours: Root) -> (value: Root, conflicts: [MergeConflict], mended: [Violation]) {
    var value = value
    let takenBack = value.takeBackReferencedAsWhole(from: [ours, theirs] + bases)
    let mended = value.mendAsWhole()
    return (value, conflicts, takenBack + mended)
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    if gaveUp { return }
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

  /// A value that both have changed is merged by its properties if it has any, else as a whole.
  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    if gaveUp { return }
    let (before, mine, their) = (bases.map { $0[keyPath: path] }, value[keyPath: path], theirs[keyPath: path])
    if before.allSatisfy({ SingleValueCoding.areStoredAlike($0, their) }) { return }
    if before.allSatisfy({ SingleValueCoding.areStoredAlike($0, mine) }) { return value[keyPath: path] = their }
    if SingleValueCoding.areStoredAlike(mine, their) {
      if options.contains(.reportsEqualChanges) { report(name, .tookOurs) }
      return
    }
    let merge = RecordMerge(
      name, bases: before, ours: mine, theirs: their, rules: [], policy: policy,
      reportsEqualChanges: options.contains(.reportsEqualChanges))
    value[keyPath: path] = merge.record
    if let side = merge.wholeSide {
      report(name, .took(side))
    } else {
      if !merge.tookOurs.isEmpty { report(name, .tookOurs, merge.tookOurs) }
      if !merge.tookTheirs.isEmpty { report(name, .tookTheirs, merge.tookTheirs) }
      if !merge.tookBase.isEmpty { report(name, .tookBase, merge.tookBase) }
    }
  }

  private mutating func report(
    _ name: String, _ resolution: MergeConflict.Resolution, _ properties: [String] = []
  ) {
    conflicts.append(MergeConflict(table: name, id: "", properties: properties, resolution: resolution))
  }
}
