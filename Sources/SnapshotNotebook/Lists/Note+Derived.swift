import Foundation
import SnapshotStore

/// What follows from the text of a note: its title, its links.
extension Note {
  /// The first line that is not blank, without the white space around it; empty if there is none. Front matter, the block
  /// between lines `---` at the beginning of a Markdown note, is passed over.
  public var title: String { NoteText(text).title }

  /// The first 500 characters of the text, enough for any list.
  public var truncatedText: String { NoteText(text).truncated }

  /// The web addresses in the text, as a person sees them, each once, in order and as they are written.
  ///
  /// An address is what begins with `http://`, `https://` or `www.` at the start of a word, `mailto:` with an address of
  /// mail, or a bare name such as `example.com/path` that ends in a common top-level domain. It goes on to white space,
  /// a quotation mark, an angle bracket, or a bracket that was not opened in it, and ends without the punctuation of the
  /// sentence around it. Names of files, versions, and sentences without a space between them are none: a bare name whose
  /// last part is also a word or an extension (`.it`, `.md`) is one only with a path.
  ///
  /// Takes time in proportion to the length of the text.
  public var links: [String] { NoteLinks.links(in: text) }
}
