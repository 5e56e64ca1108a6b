import SnapshotStore

/// Changes that another copy made come in.
extension Notebook {
  /// Takes over what another copy has that is newer, property by property. All or nothing.
  ///
  /// The text of a note, `archived`, the sort date, the tags and the attachments, and the spelling of a tag, are taken over
  /// if they were changed later there, by their own modification dates. To the second: other programs keep no more. A date
  /// that is not known never wins against one that is. What differs within a second, or without dates, is decided by
  /// comparing the values: the longer text or list, the note that is not archived, the later sort date. The modification date
  /// of the note is the later one, its creation date the earlier one; the order of tags is kept.
  ///
  /// A note that was deleted, on either side, stays deleted unless the other side changed it in a later second. A tombstone
  /// without a date deletes only notes none of whose properties has one, and a tombstone whose date cannot be read deletes
  /// nothing; which notes stay in spite of such deletions is in the report. Of two tombstones the one with a date counts. Tags
  /// and attachments have no tombstones: what either side has is there.
  ///
  /// Merging the same content again changes nothing. By ``SyncPolicy/newest``, merging A into B and B into A give the same.
  /// Three copies come to the same in any order as long as no tombstone is involved. With tombstones whose dates are known,
  /// they agree in any order about which notes are there and since when the others are deleted; but what was merged while a
  /// note was deleted is not in it when it comes back, until it meets a copy that has it: a tombstone keeps no properties.
  /// Copies that meet in turn, in both directions, agree in the end in any case.
  ///
  /// To merge into a store, do it in a transaction: then it is the latest value that is merged into, and what was changed
  /// while the content was being fetched and read is newer than it. With ``SyncPolicy/local`` it stays even if the other
  /// side's clock is ahead.
  ///
  /// ```swift
  /// let incoming = try SyncContent(vesper: bytes)
  /// let report = try store.write(origin: "sync") { try $0.merge(incoming) }
  /// ```
  ///
  /// O(m log n) for m records that come in.
  ///
  /// - Throws: `SnapshotError` with code `invalidValue` or `recordNotFound`, if a record breaks a rule of the notebook, see
  ///   ``violations()``; nothing is changed then.
  @discardableResult
  public mutating func merge(_ incoming: SyncContent, policy: SyncPolicy = .newest) throws -> SyncReport {
    try incoming.requireSound()
    var merge = SyncMerge(into: self, by: SyncRule(policy))
    merge.take(incoming)
    let result = merge.result()
    try merge.requireReferences(in: result)
    self = result
    return merge.report()
  }
}
