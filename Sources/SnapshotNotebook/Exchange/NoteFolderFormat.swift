import SnapshotStore

/// The formats of folders with one text file per note, for export and import.
///
/// ```swift
/// let content = try ForeignContent(folder: folder, as: .markdown)
/// ```
///
/// Texts come back byte by byte. Ids, tags, attachments, the creation, sort and modification dates, and whether a note
/// is archived come back too. The folders do not contain the change dates of a note's parts, tags without a note, the
/// dates of a tag's spelling, or deleted notes. A notebook does not contain the bytes of pictures. They can be copied
/// from one folder to another.
public enum NoteFolderFormat: String, CaseIterable, Sendable {
  /// The folder that Vesper exported: `Active Notes`, `Archived Notes` and `Pictures`, with text files that end in a
  /// block of lines with tags and dates.
  ///
  /// Vesper's own folders have `Pictures` in each of the first two, and dates in the language of the device. They can
  /// be read as well. Their dates are to the minute. If a file was copied with its date, that date is better, and it
  /// also tells the time zone of the device. Otherwise the zone of this process is taken.
  case vesper
  /// Markdown files with front matter, as Obsidian, Bear and site generators have them, in folders of any depth.
  case markdown
}

extension NoteFolderFormat {
  /// The folder for pictures, in both formats.
  static let pictures = "Pictures"
  private static let active = "Active Notes"
  private static let archived = "Archived Notes"

  var fileExtension: String { self == .vesper ? "txt" : "md" }

  /// The folders that an export always makes.
  var folders: [String] { self == .vesper ? [Self.active, Self.archived] : [] }

  // MARK: Writing

  /// The folder for a note; nil for the top folder.
  func folder(archived: Bool) -> String? {
    self == .vesper ? (archived ? Self.archived : Self.active) : nil
  }

  /// The text that the file of a note is named after.
  func title(of note: ForeignNote) -> String {
    self == .vesper ? NoteText(note.text).title : MarkdownNoteFile.heading(of: note.text)
  }

  /// The text of the file of a note.
  func text(of note: ForeignNote) -> String {
    self == .vesper ? VesperNoteFile.text(of: note) : MarkdownNoteFile.text(of: note)
  }

  // MARK: Reading

  /// The name of a note in a TextBundle, which is a folder with a file `text.md`; nil for any other folder.
  private static func bundleName(of folder: Substring) -> String? {
    let name = folder.split(separator: "/").last ?? ""
    return name.lowercased().hasSuffix(".textbundle") ? String(name.dropLast(".textbundle".count)) : nil
  }

  /// The reason why a folder is not read; nil if it is read.
  func reasonToSkip(folder: String) -> String? {
    let known = (folders + pictureFolders).map { $0.lowercased() }
    if self == .markdown || known.contains(folder.lowercased()) { return nil }
    let name = folder.utf8.lastIndex(of: UInt8(ascii: "/")).map { folder[$0...].dropFirst() } ?? folder[...]
    return name.lowercased().hasPrefix("vesper export")
      ? "is an export of its own; import it by its path" : "is none of the folders that Vesper exports"
  }

  /// The folders of pictures: one for all notes, or, in the folders of Vesper's own program, one beside the notes.
  private var pictureFolders: [String] { [Self.pictures] + folders.map { "\($0)/\(Self.pictures)" } }

  /// Whether the file at a path is a picture.
  func isPicture(_ path: String) -> Bool {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
    if self == .markdown { return path.lowercased().hasPrefix(Self.pictures.lowercased() + "/") }
    let folder = path[..<slash].lowercased()
    return pictureFolders.contains { $0.lowercased() == folder }
  }

  /// Whether the file at a path is a note.
  func isNote(_ path: String) -> Bool {
    let fileExtension = path.utf8.lastIndex(of: UInt8(ascii: ".")).map { path[$0...].lowercased() }
    return fileExtension == "." + self.fileExtension || self == .markdown && fileExtension == ".markdown"
  }

  /// The note in the text of a file.
  func note(in text: String, at path: String, context: NoteFileContext = NoteFileContext()) -> ForeignNote {
    let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    let name = path[start...].utf8.lastIndex(of: UInt8(ascii: ".")).map { String(path[start..<$0]) }
    if self == .markdown {
      return MarkdownNoteFile.note(in: text, place: path, name: Self.bundleName(of: path[..<start]) ?? name)
    }
    var note = VesperNoteFile.note(in: text, place: path, name: name ?? "", context: context)
    switch path[..<start].lowercased() {
    case Self.active.lowercased() + "/": note.archived = false
    case Self.archived.lowercased() + "/": note.archived = true
    default: break
    }
    return note
  }
}
