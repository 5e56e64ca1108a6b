public import Foundation
import SnapshotFolders
import SnapshotStore

/// The effects of an export to a folder.
///
/// ```swift
/// let report = try notebook.export(toFolder: folder, as: .markdown)
/// print(report.notes)
/// for item in report.skipped { print(item.place, item.reason) }
/// ```
public struct NoteFolderReport: Equatable, Sendable {
  /// The number of notes that were written.
  public internal(set) var notes = 0
  /// The number of picture files that were copied.
  public internal(set) var pictures = 0
  /// Pictures that were not copied although a folder of pictures was given, with the reasons.
  public internal(set) var skipped: [SkippedItem] = []
  /// Existing files that were renamed so that no import reads them, with the reasons. They are older files of notes
  /// with a changed title, and files that were edited after their export.
  public internal(set) var setAside: [SkippedItem] = []
}

extension Notebook {
  /// Writes all notes to a folder, one text file per note, named after its title. The files have the dates of their
  /// notes.
  ///
  /// The folder appears as a whole after everything is written. If the process is killed, a hidden folder whose name
  /// ends in `.tmp` stays beside it. The folder must not exist or must be empty, unless `intoExisting` is true. Then
  /// the existing file of a note is replaced, and other notes get free names. Nothing is ever deleted: files of deleted
  /// notes stay. A file with an old name of a note, and a file that was edited since its export, is renamed to end in
  /// `.old`. Nothing is synced to the disk either: a power cut soon afterwards may leave files empty.
  ///
  /// - Parameters:
  ///   - folder: the target. Only the user may read the new files.
  ///   - format: the kind of folder.
  ///   - pictures: a folder with files of attachments, named after their ids, to copy.
  ///   - intoExisting: whether to write into a folder that is not empty.
  ///   - progress: receives the number of notes written from time to time. An error that it throws ends the export.
  /// - Throws: `SnapshotError` with code `fileExists` if the folder is not empty, or `ioFailed`; and the errors of
  ///   `progress`. If the folder did not exist before, it does not exist afterwards.
  public func export(
    toFolder folder: URL, as format: NoteFolderFormat, pictures: URL? = nil, intoExisting: Bool = false,
    progress: (Int) throws -> Void = { _ in }
  ) throws -> NoteFolderReport {
    try folder.requireFile()
    let reader = try pictures.map { try FolderReader(at: $0) }
    defer { reader?.close() }
    return try FolderWriter.write(at: folder, intoExisting: intoExisting) { writer in
      try export(to: &writer, as: format, pictures: reader, progress: progress)
    }
  }

  /// The same export to an open folder, with pictures from an open folder.
  func export(
    to writer: inout FolderWriter, as format: NoteFolderFormat, pictures reader: FolderReader? = nil,
    progress: (Int) throws -> Void = { _ in }
  ) throws -> NoteFolderReport {
    var export = NoteFolderExport(format: format)
    for folder in format.folders + (reader == nil ? [] : [NoteFolderFormat.pictures]) {
      try writer.requireFolderOrNothing(folder)
    }
    try export.findOldFiles(&writer)
    for folder in format.folders { try writer.makeFolder(folder) }
    for note in notes {
      try export.write(foreignNote(note), to: &writer)
      if export.report.notes % 100 == 0 { try progress(export.report.notes) }
    }
    if let reader { try copyPictures(reader, to: &writer, &export.report) }
    try progress(export.report.notes)
    return export.report
  }

  private func copyPictures(
    _ reader: FolderReader, to writer: inout FolderWriter, _ report: inout NoteFolderReport
  ) throws {
    let pictures = PictureFolder(try reader.listing().files.map(\.path))
    var copy = PictureCopy(reader: reader, pictures: pictures, limit: ReadLimits().fileSize)
    for note in notes {
      for id in note.attachments {
        if let attachment = attachments[id] { try copy.copy(attachment, to: &writer, in: NoteFolderFormat.pictures) }
      }
    }
    (report.pictures, report.skipped) = (copy.count, copy.skipped)
  }

  /// A note with the names of its tags and with its attachments.
  private func foreignNote(_ note: Note) -> ForeignNote {
    ForeignNote(
      id: note.id >= 0 ? note.id : nil, text: note.text, archived: note.archived, creationDate: note.creationDate,
      sortDate: note.sortDate, modificationDate: note.modificationDate,
      tagNames: tagNames(of: note), attachments: note.attachments.compactMap { attachments[$0] },
      place: "notes \(note.id)")
  }
}
