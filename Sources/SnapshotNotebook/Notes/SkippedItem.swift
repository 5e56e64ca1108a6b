/// Something that was not taken over from elsewhere.
public struct SkippedItem: Equatable, Sendable {
  /// Where it stands: `notes.csv:17`.
  public var place: String
  /// The id of the note, if it has one.
  public var id: Note.ID?
  /// Why: “was deleted here”.
  public var reason: String

  /// Something at a place, with the reason why it was not taken over.
  public init(place: String, id: Note.ID? = nil, reason: String) {
    self.place = place
    self.id = id
    self.reason = reason
  }
}
