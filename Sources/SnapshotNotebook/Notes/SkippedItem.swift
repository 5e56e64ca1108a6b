/// An item that an import or a merge did not take over.
public struct SkippedItem: Equatable, Sendable {
  /// The place of the item: `notes.csv:17`.
  public var place: String
  /// The id of the note, if it has one.
  public var id: Note.ID?
  /// The reason: “was deleted here”.
  public var reason: String

  /// An item with its place and the reason why it was not taken over.
  public init(place: String, id: Note.ID? = nil, reason: String) {
    self.place = place
    self.id = id
    self.reason = reason
  }
}
