public import Foundation
import SnapshotStore

/// The part of a note that a list shows.
///
/// It shares the note's text and derives the other values each time they are asked for. A list of thousands of notes
/// costs only what is displayed.
public struct TimelineNote: Equatable, Identifiable, Sendable {
  /// The id of the note.
  public let id: Note.ID
  /// The date that lists are sorted by.
  public let sortDate: Date
  /// Whether the note is archived.
  public let archived: Bool
  /// The first picture of the note.
  public let thumbnailID: Attachment.ID?
  let text: String

  /// The first line that is not blank, trimmed of white space; empty if there is none.
  public var title: String { NoteText(text).title }

  /// The first 500 characters of the text, enough for any list.
  public var truncatedText: String { NoteText(text).truncated }

  /// The part of the truncated text after the title, trimmed of white space.
  public var remainingText: String { NoteText(text).remaining }

  /// The web addresses in the text, each once, in order; see ``Note/links``.
  public var links: [String] { NoteLinks.links(in: text) }
}
