import Foundation
import SnapshotStore

/// Values derived from the text of a note: its title, its links.
extension Note {
  /// The first line that is not blank, trimmed of white space; empty if there is none.
  ///
  /// Front matter, the block between lines `---` at the beginning of a Markdown note, is skipped.
  public var title: String { NoteText(text).title }

  /// The first 500 characters of the text, enough for any list.
  public var truncatedText: String { NoteText(text).truncated }

  /// The web addresses in the text, as a person sees them: in order, each once, as they are written.
  ///
  /// An address is one of these:
  ///
  /// - text that begins with `http://`, `https://` or `www.` at the start of a word;
  /// - `mailto:` with a mail address;
  /// - a bare name such as `example.com/path` that ends in a common top-level domain.
  ///
  /// It ends at white space, a quotation mark, an angle bracket, or a closing bracket without its opening one. The
  /// punctuation of the sentence around it does not belong to it. File names, versions, and sentences without a space
  /// between them are no addresses. A bare name whose last label is also a word or a file extension (`.it`, `.md`)
  /// needs a path.
  ///
  /// O(length of the text).
  public var links: [String] { NoteLinks.links(in: text) }
}
