import Foundation
import SnapshotFolders
import SnapshotStore

/// Writes notes to a folder, one after the other.
struct NoteFolderExport {
  let format: NoteFolderFormat
  var report = NoteFolderReport()
  /// The names in each folder.
  private var names: [String?: NoteFileNames] = [:]
  /// The existing files, by the notes in them.
  private var oldFiles: [Note.ID: [OldFile]] = [:]

  /// A file of a note.
  private struct OldFile {
    let name: String
    let folder: String?
    /// Whether the file was changed after its export, judging by its dates.
    let isEdited: Bool
  }

  init(format: NoteFolderFormat) { self.format = format }

  /// Finds the files of notes in the target folders, before anything is written.
  mutating func findOldFiles(_ writer: inout FolderWriter) throws {
    let folders: [String?] = format.folders.isEmpty ? [nil] : format.folders
    for folder in folders where try folder == nil || writer.holds(folder ?? "", in: nil) {
      for name in try writer.names(in: folder) where format.isNote(name) && name.utf8.first != UInt8(ascii: ".") {
        guard let file = try writer.file(name, in: folder, limit: Self.limit), let note = note(in: file.bytes, name),
          let id = note.id
        else {
          continue
        }
        // An export gives a file the date of its note.
        let isEdited = note.modificationDate.map { Self.isEdited(file.modificationDate, exportedAt: $0) } ?? true
        oldFiles[id, default: []].append(OldFile(name: name, folder: folder, isEdited: isEdited))
      }
    }
  }

  mutating func write(_ note: ForeignNote, to writer: inout FolderWriter) throws {
    let folder = format.folder(archived: note.archived ?? false)
    // Removed while in use, so that the set is not copied.
    var names = try self.names.removeValue(forKey: folder) ?? Self.names(in: folder, format, &writer)
    let bytes = TextFile.bytes(of: format.text(of: note))
    let name = try names.name(title: format.title(of: note), id: note.id ?? 0) { name in
      try isFile(name, in: folder, of: note, &writer)
    }
    self.names[folder] = names
    try setAsideOldFiles(of: note, for: name, in: folder, bytes, &writer)
    try writer.write(bytes, to: name, in: folder, created: note.creationDate, modified: note.modificationDate)
    report.notes += 1
  }

  /// Renames old files of the note that an import would read for it, and files that a user has edited. An import
  /// ignores the new names.
  private mutating func setAsideOldFiles(
    of note: ForeignNote, for name: String, in folder: String?, _ bytes: [UInt8], _ writer: inout FolderWriter
  ) throws {
    for file in note.id.flatMap({ oldFiles.removeValue(forKey: $0) }) ?? [] {
      let isReplaced = file.folder == folder && file.name.hasSameBytes(as: name)
      if isReplaced {
        guard file.isEdited, try writer.file(name, in: folder, limit: Self.limit)?.bytes != bytes else { continue }
      }
      let newName = try writer.setAside(file.name, in: file.folder)
      let path = (file.folder.map { $0 + "/" } ?? "") + file.name
      let reason = isReplaced ? "was edited after its export" : "is another file of the same note"
      report.setAside.append(
        SkippedItem(place: path, id: note.id, reason: "\(reason); it was renamed to \(newName)"))
    }
  }

  private static func names(
    in folder: String?, _ format: NoteFolderFormat, _ writer: inout FolderWriter
  ) throws -> NoteFileNames {
    var names = NoteFileNames(fileExtension: format.fileExtension)
    for name in try writer.names(in: folder) { names.reserve(name) }
    return names
  }

  /// Whether an existing file belongs to the note, so that it may be replaced.
  private func isFile(
    _ name: String, in folder: String?, of note: ForeignNote, _ writer: inout FolderWriter
  ) throws -> Bool {
    guard let bytes = try writer.file(name, in: folder, limit: Self.limit)?.bytes else { return false }
    return note.id != nil && self.note(in: bytes, name)?.id == note.id
  }

  private func note(in bytes: [UInt8], _ name: String) -> ForeignNote? {
    TextFile.text(of: bytes).map { format.note(in: $0, at: name) }
  }

  private static let limit = ReadLimits().fileSize

  /// Whether a file has another date than its export gave it. No export sets a date beyond the range of file dates.
  private static func isEdited(_ date: Date, exportedAt exported: Date) -> Bool {
    abs(exported.timeIntervalSince1970) >= 9e9 || abs(date.timeIntervalSince(exported)) > 2
  }
}
