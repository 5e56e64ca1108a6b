import SnapshotStore

/// The effects of an import.
///
/// ```swift
/// let report = try notebook.importNotes(notes)
/// print("\(report.addedNotes) added, \(report.skipped.count) skipped")
/// ```
public struct ImportReport: Equatable, Sendable {
  /// The number of notes that were added.
  public var addedNotes = 0
  /// The number of existing notes that were changed.
  public var changedNotes = 0
  /// The number of notes that existed already with the same content.
  public var unchangedNotes = 0
  /// Items that were not imported, with the reasons, in the order of the file.
  public var skipped: [SkippedItem] = []
  /// The number of tags that were added.
  public var addedTags = 0
  /// The number of attachments that were added.
  public var addedAttachments = 0
  /// The number of tombstones that were added, for deleted notes that do not exist here.
  public var addedDeletions = 0
  /// Further remarks, one sentence each, for example on unknown columns.
  public var remarks: [String] = []

  /// An empty report.
  public init() {}
}
