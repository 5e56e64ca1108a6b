/// The changes of a draft, merged with what others have published since it was made.
struct MergedChange<Root: Model>: BesideChange {
  private let base: Root
  private let draft: Root
  private let policy: MergePolicy
  /// Whether it is a conflict too if both sides did the same, and whether what stands beside the tables is brought along.
  private let isTransaction: Bool
  private var options: MergeOptions { isTransaction ? .reportsEqualChanges : [] }
  private let requirement: (MergedChange) throws -> Void
  /// What the draft has done, as far as the other side matters for whether anything must be mended.
  private let side: MergeSide
  private let isBesideNew: Bool

  private(set) var value: Root
  private(set) var conflicts: [MergeConflict] = []
  private(set) var mended: [Violation] = []
  /// Whether both sides have changed what stands beside the tables, and it could not be merged.
  private(set) var isBesideInConflict = false

  /// - Parameters:
  ///   - draft: what was made of `base`.
  ///   - policy: who wins; ours are the others.
  ///   - isTransaction: whether it must come to the same as if the draft had been made of the newest value.
  ///   - requirement: throws if what came of it must not be published.
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
    isBesideNew = isTransaction && !PropertySameness.areSame(draft.replacingTables(with: base), base)
    value = isTransaction ? draft : base.replacingTables(with: draft)
  }

  func requireSound() throws { try requirement(self) }

  mutating func rebase(from old: Root, onto new: Root, isQuick: Bool) -> Bool {
    var tables = new.replacingTables(with: value)
    if !new.hasSameTables(as: old) {
      if let step = step(from: old, onto: new) {
        tables = step
      } else if isQuick {
        return false
      } else {
        tables = mergeAnew(onto: new)
      }
    }
    value = withBeside(tables)
    return true
  }

  /// Meets only what is new, if nothing is in conflict. Else what comes of it might depend on how often others were met.
  private func step(from old: Root, onto new: Root) -> Root? {
    if !conflicts.isEmpty || !mended.isEmpty { return nil }
    var merge = ThreeWayMerge(
      bases: [old], theirs: value, policy: policy, options: options, value: new, theirSide: side)
    merge.isQuick = true
    Root.schema.visit(&merge)
    guard merge.isWhole, merge.conflicts.isEmpty else { return nil }
    let isSound =
      merge.isSound || !merge.value.mayNeedMendingAsWhole(after: ChangeSet(before: old, after: new, revision: 0))
    return isSound ? merge.value : nil
  }

  private mutating func mergeAnew(onto ours: Root) -> Root {
    let merge = Root.mergingWhole(
      base: base, ours: ours, theirs: draft, policy: policy, options: options)
    (conflicts, mended) = (merge.conflicts, merge.mended)
    return merge.value
  }

  /// What stands beside the tables is taken from the one side that has changed it, if one alone has.
  private mutating func withBeside(_ merged: Root) -> Root {
    var merged = merged
    isBesideInConflict = isBesideNew && !merged.mergeBesideTables(base: base, theirs: draft)
    return merged
  }
}
