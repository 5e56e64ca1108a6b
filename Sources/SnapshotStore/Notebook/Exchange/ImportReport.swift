/// What an import did.
public struct ImportReport: Equatable, Sendable {
  /// Notes that were added.
  public var addedNotes = 0
  /// Notes that were here, and were changed.
  public var changedNotes = 0
  /// Notes that were here already, the same.
  public var unchangedNotes = 0
  /// What was not taken over, with the reasons, in the order in which it was met.
  public var skipped: [Skipped] = []
  /// Tags that were added.
  public var addedTags = 0
  /// Attachments that were added.
  public var addedAttachments = 0
  /// Tombstones that were added, of notes that were deleted there and are not here.
  public var addedDeletions = 0
  /// What else is worth saying, one sentence each: columns that nobody knows, for example.
  public var remarks: [String] = []

  /// A report of nothing.
  public init() {}

  /// Something that was not taken over.
  public struct Skipped: Equatable, Sendable {
    /// Where it stands: `notes.csv:17`.
    public var place: String
    /// The id of the note, if it has one.
    public var id: Note.ID?
    /// Why: “was deleted here”.
    public var reason: String

    /// Something that was not taken over.
    public init(place: String, id: Note.ID? = nil, reason: String) {
      self.place = place
      self.id = id
      self.reason = reason
    }
  }
}
