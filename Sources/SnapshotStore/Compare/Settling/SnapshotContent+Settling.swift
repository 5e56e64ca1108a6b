/// Merges of contents outside a store that keep what the model promises.
extension SnapshotContent {
  /// Merges two contents as a store does: with the rules, tombstones and validations of the schema.
  ///
  /// ```swift
  /// let merged = try SnapshotContent.settledMerge(
  ///   base: base, ours: ours, theirs: theirs)
  /// try SnapshotFile.create(merged.content, as: .json, at: url)
  /// ```
  ///
  /// Rules look at the differences from both sides. What they compute is right for the result, and is no conflict.
  /// Validations look at what differs from ours.
  ///
  /// - Parameters:
  ///   - base: the content that both were made from; nil if it is not known. Then dates and tombstones decide, as in
  ///     ``merging(ours:theirs:)``, and the policy has no effect.
  ///   - ours: the side into which theirs is merged.
  ///   - theirs: the other side.
  ///   - policy: the winner where both sides changed the same property.
  /// - Throws: the error of a rule; ``TransactionRefusal`` with the violations of validations, or with the conflicts if
  ///   the policy is `fail`.
  public static func settledMerge(
    base: SnapshotContent?, ours: SnapshotContent, theirs: SnapshotContent, policy: MergePolicy = .ours
  ) throws -> (content: SnapshotContent, conflicts: [MergeConflict], repaired: [Violation]) {
    var merged =
      base.map { merging(base: $0, ours: ours, theirs: theirs, policy: policy) } ?? merging(ours: ours, theirs: theirs)
    if case .fail = policy, !merged.conflicts.isEmpty { throw TransactionRefusal(conflicts: merged.conflicts) }
    merged.repaired += try merged.content.settle(over: ours, mergedWith: [theirs])
    return merged
  }

  /// The content as the rules would compute it if all of it were new, and without the tombstones of records that exist.
  ///
  /// A program without the types may have edited a file. Then the result differs from its content.
  ///
  /// - Throws: the error of a rule; ``TransactionRefusal`` if what the rules have changed breaks a validation.
  public func settledAnew() throws -> Self {
    let settlement = Settlement(
      before: value, kind: .anew, transaction: RuledTransaction(revision: 1, origin: .file))
    var content = self
    content.value = try settlement.run(value).value
    return content
  }

  /// Makes the content as a store would publish it: the rules have run, tombstones are there, and the validations hold.
  /// For a merge of your own.
  ///
  /// - Parameters:
  ///   - before: the content in place of which it comes. Validations look at the differences from it.
  ///   - others: the other sides of a merge. Rules look at the differences from each of them too.
  /// - Returns: what was repaired, because the validations had refused it.
  /// - Throws: the error of a rule; ``TransactionRefusal``.
  public mutating func settle(
    over before: SnapshotContent, mergedWith others: [SnapshotContent] = []
  ) throws -> [Violation] {
    let settlement = Settlement(
      before: before.value, kind: .merge(with: others.map(\.value)),
      transaction: RuledTransaction(revision: 1, origin: .file))
    do {
      value = try settlement.run(value).value
      return []
    } catch let refusal as TransactionRefusal {
      var draft = value
      let repaired = draft.repairAll()
      if repaired.isEmpty { throw refusal }
      value = try settlement.run(draft).value
      return repaired
    }
  }
}
