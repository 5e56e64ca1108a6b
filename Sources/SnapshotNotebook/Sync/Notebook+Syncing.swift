import SnapshotStore

/// Merging of changes that another copy made.
extension Notebook {
  /// Takes over the newer values of another copy, property by property. All or nothing. O(m log n) for m incoming
  /// records.
  ///
  /// The properties are a note's text, `archived`, sort date, tags and attachments, and the spelling of a tag. Each is
  /// taken over if its own modification date is later there. Dates count to the second, because other programs keep no
  /// more. An unknown date never wins against a known one. Where dates do not decide, the values are compared: the
  /// longer text or list wins, the note that is not archived, the later sort date. The modification date of the note is
  /// the later one, its creation date the earlier one. The order of tags is kept.
  ///
  /// A note that either side deleted stays deleted, unless the other side changed it in a later second. A tombstone
  /// without a date deletes only notes without a dated property. A tombstone with an unreadable date deletes nothing.
  /// The report lists the notes that stay in spite of such deletions. Of two tombstones the one with a date counts.
  /// Tags and attachments have no tombstones: the result has those of either side.
  ///
  /// Merging the same content again changes nothing. With ``SyncPolicy/newest``, merging A into B and B into A gives
  /// the same result. Three copies reach the same result in any order as long as no tombstone is involved. With
  /// tombstones of known dates, they agree in any order about which notes exist, and about the dates of deletions. A
  /// tombstone keeps no properties. If a deleted note returns, edits merged in the meantime are missing until it is
  /// merged with a copy that has them. Copies that merge in turn, in both directions, always agree in the end.
  ///
  /// To merge into a store, use a transaction. It merges into the latest value, and edits made while the content was
  /// fetched are newer than the content. With ``SyncPolicy/ours`` they stay even if the other side's clock is ahead.
  ///
  /// ```swift
  /// let incoming = try SyncContent(vesper: bytes)
  /// let report = try store.write(origin: "sync") { try $0.merge(incoming) }
  /// ```
  ///
  /// - Throws: `SnapshotError` with code `invalidValue` or `recordNotFound`, if a record breaks a rule of the notebook;
  ///   see `allViolations()`. The notebook is then unchanged.
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
