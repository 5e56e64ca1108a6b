import SnapshotStore

/// The folders with one text file a note that notebooks are exported to and imported from.
///
/// Every text comes back byte by byte, and so do ids, tags, attachments, creation, sort and modification dates, and
/// whether a note is archived. What the folders do not hold: when a part of a note was changed, tags that no note has
/// and when a tag's spelling was changed, and deleted notes. The bytes of pictures are not in a notebook; they can be
/// copied from a folder, and to one.
public enum NoteFolderFormat: String, CaseIterable, Sendable {
  /// What Vesper exported: `Active Notes`, `Archived Notes` and `Pictures`; text files that end in a block of lines
  /// with tags and dates. Vesper's own folders have `Pictures` in each of the first two, and dates in the language of
  /// the device; they are read as well. Their dates are to the minute. The date of a file is better, and also tells the
  /// time zone of the device, if the file was copied with its date; otherwise the zone of this process is taken.
  case vesper
  /// Markdown files with front matter, as Obsidian, Bear and site generators have them, in folders of any depth.
  case markdown
}

extension NoteFolderFormat {
  /// The folder for pictures in either kind.
  static let pictures = "Pictures"
  private static let active = "Active Notes"
  private static let archived = "Archived Notes"

  var fileExtension: String { self == .vesper ? "txt" : "md" }

  /// The folders that are always there.
  var folders: [String] { self == .vesper ? [Self.active, Self.archived] : [] }

  // MARK: Writing

  /// The folder for a note; nil if it stands at the top.
  func folder(archived: Bool) -> String? {
    self == .vesper ? (archived ? Self.archived : Self.active) : nil
  }

  /// What the file of a note is named after.
  func title(of note: ForeignNote) -> String {
    self == .vesper ? NoteText(note.text).title : MarkdownNoteFile.heading(of: note.text)
  }

  /// The text of the file of a note.
  func text(of note: ForeignNote) -> String {
    self == .vesper ? VesperNoteFile.text(of: note) : MarkdownNoteFile.text(of: note)
  }

  // MARK: Reading

  /// Why a folder is not looked into; nil if it is.
  func reasonToSkip(folder: String) -> String? {
    let known = (folders + pictureFolders).map { $0.lowercased() }
    if self == .markdown || known.contains(folder.lowercased()) { return nil }
    let name = folder.utf8.lastIndex(of: UInt8(ascii: "/")).map { folder[$0...].dropFirst() } ?? folder[...]
    return name.lowercased().hasPrefix("vesper export")
      ? "is an export of its own, to be imported by its path" : "is none of the folders that Vesper exports"
  }

  /// Where pictures may be: in one folder, or, as Vesper's own program has it, in one beside the notes.
  private var pictureFolders: [String] { [Self.pictures] + folders.map { "\($0)/\(Self.pictures)" } }

  /// Whether a file is one of a picture, by its path.
  func isPicture(_ path: String) -> Bool {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
    if self == .markdown { return path.lowercased().hasPrefix(Self.pictures.lowercased() + "/") }
    let folder = path[..<slash].lowercased()
    return pictureFolders.contains { $0.lowercased() == folder }
  }

  /// Whether a file is one of a note, by its path.
  func isNote(_ path: String) -> Bool {
    let fileExtension = path.utf8.lastIndex(of: UInt8(ascii: ".")).map { path[$0...].lowercased() }
    return fileExtension == "." + self.fileExtension || self == .markdown && fileExtension == ".markdown"
  }

  /// The note in the text of a file.
  func note(in text: String, at path: String, context: NoteFileContext = NoteFileContext()) -> ForeignNote {
    let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    let name = path[start...].utf8.lastIndex(of: UInt8(ascii: ".")).map { String(path[start..<$0]) }
    if self == .markdown { return MarkdownNoteFile.note(in: text, place: path, name: name) }
    var note = VesperNoteFile.note(in: text, place: path, name: name ?? "", context: context)
    switch path[..<start].lowercased() {
    case Self.active.lowercased() + "/": note.archived = false
    case Self.archived.lowercased() + "/": note.archived = true
    default: break
    }
    return note
  }
}
