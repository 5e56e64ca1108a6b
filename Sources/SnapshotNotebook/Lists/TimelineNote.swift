public import Foundation
import SnapshotStore

/// What a list shows of a note.
///
/// It shares the note's text, and derives from it only what is asked for, each time anew: a list of thousands costs what
/// is seen of it.
public struct TimelineNote: Equatable, Identifiable, Sendable {
  /// The id of the note.
  public let id: Note.ID
  /// What lists are ordered by.
  public let sortDate: Date
  /// Whether the note is put away.
  public let archived: Bool
  /// The first picture of the note.
  public let thumbnailID: Attachment.ID?
  let text: String

  /// The first line that is not blank, without the white space around it; empty if there is none.
  public var title: String { NoteText(text).title }

  /// The first 500 characters of the text, enough for any list.
  public var truncatedText: String { NoteText(text).truncated }

  /// What follows the title in the truncated text, without the white space around it.
  public var remainingText: String { NoteText(text).remaining }

  /// The web addresses in the text, each once, in order; see ``Note/links``.
  public var links: [String] { NoteLinks.links(in: text) }
}
