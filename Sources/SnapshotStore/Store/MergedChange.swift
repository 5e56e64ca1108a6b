/// The changes of a draft, merged with the transactions that others have published since the draft was made.
struct MergedChange<Root: Model>: BesideChange {
  private let base: Root
  private let draft: Root
  private let policy: MergePolicy
  /// Whether equal changes of both sides are conflicts, and whether properties beside the tables are merged too.
  private let isTransaction: Bool
  private var options: MergeOptions {
    isTransaction ? [.reportsEqualChanges, .oursIsPublished] : .oursIsPublished
  }
  private let requirement: (MergedChange) throws -> Void
  /// The additions and removals of the draft. They decide whether the merge needs repair.
  private var side: MergeSide
  private let areOtherPropertiesNew: Bool

  private(set) var value: Root
  private(set) var others: [Root] = []
  private(set) var conflicts: [MergeConflict] = []
  private(set) var repaired: [Violation] = []
  /// Whether both sides changed properties beside the tables, and these could not be merged.
  private(set) var areOtherPropertiesInConflict = false

  /// - Parameters:
  ///   - draft: the value that was made from `base`.
  ///   - policy: the winner of conflicts. The other writers are *ours*.
  ///   - isTransaction: whether the result must be the same as if the draft had been made from the newest value.
  ///   - requirement: throws if the result must not be published.
  init(
    _ draft: Root, madeFrom base: Root, policy: MergePolicy, isTransaction: Bool,
    requirement: @escaping (MergedChange) throws -> Void
  ) {
    self.base = base
    self.draft = draft
    self.policy = policy
    self.isTransaction = isTransaction
    self.requirement = requirement
    side = MergeSide(draft, since: base)
    areOtherPropertiesNew = isTransaction && !PropertySameness.areSame(draft.replacingTables(with: base), base)
    value = isTransaction ? draft : base.replacingTables(with: draft)
  }

  func requireSound() throws { try requirement(self) }

  mutating func settle(_ settled: Settled<Root>, over seen: Root) {
    if settled.value.hasSameTables(as: value) { return }
    value = settled.value
    side = MergeSide(value, since: seen)
  }

  mutating func rebase(from old: Root, onto new: Root, isQuick: Bool) -> Bool {
    var tables = new.replacingTables(with: value)
    let before = value
    if !new.hasSameTables(as: old) {
      if let step = step(from: old, onto: new) {
        tables = step
        others = [before]
      } else if isQuick {
        return false
      } else {
        tables = mergeAnew(onto: new)
        others = [draft]
      }
    }
    value = withOtherProperties(tables)
    return true
  }

  /// Merges only the newest transactions, if there is no conflict so far. With a conflict, the result could depend on
  /// the number of rounds.
  private func step(from old: Root, onto new: Root) -> Root? {
    if !conflicts.isEmpty || !repaired.isEmpty { return nil }
    var merge = ThreeWayMerge(
      bases: [old], theirs: value, policy: policy, options: options, value: new, theirSide: side)
    merge.isQuick = true
    Root.schema.visit(&merge)
    guard merge.isWhole, merge.conflicts.isEmpty else { return nil }
    let isSound =
      merge.isSound || !merge.value.mayNeedRepairAsWhole(after: ChangeSet(before: old, after: new, revision: 0))
    return isSound ? merge.value : nil
  }

  private mutating func mergeAnew(onto ours: Root) -> Root {
    let merge = Root.mergingWhole(
      base: base, ours: ours, theirs: draft, policy: policy, options: options)
    (conflicts, repaired) = (merge.conflicts, merge.repaired)
    return merge.value
  }

  /// Takes the properties beside the tables from the side that changed them, if only one did.
  private mutating func withOtherProperties(_ merged: Root) -> Root {
    var merged = merged
    areOtherPropertiesInConflict = areOtherPropertiesNew && !merged.mergeBesideTables(base: base, theirs: draft)
    return merged
  }
}
