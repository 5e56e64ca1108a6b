public import Foundation
import SnapshotStore

/// What an export to a folder did.
public struct NoteFolderReport: Equatable, Sendable {
  /// Notes that were written.
  public internal(set) var notes = 0
  /// Files of pictures that were copied.
  public internal(set) var pictures = 0
  /// Pictures that were not copied, though there is a folder of pictures, and why.
  public internal(set) var skipped: [SkippedItem] = []
  /// Files that were there and got another name, which no import reads, and why: older files of notes that are called
  /// something else now, and files that were edited since they were exported.
  public internal(set) var setAside: [SkippedItem] = []
}

extension Notebook {
  /// Writes all notes to a folder, a text file each, named after its title. The dates of the files are those of the
  /// notes.
  ///
  /// The folder appears as a whole when all is written; a process that is killed leaves a hidden one beside it, whose
  /// name ends in `.tmp`. It must not be there, or be empty, unless `intoExisting`: then the file of a note that has
  /// one is replaced, and other notes get names that are free. Nothing is ever deleted: files of deleted notes stay,
  /// and a file of a note that has another name now, or one that was edited meanwhile, gets a name that ends in `.old`.
  /// Nothing is synced either; a power cut soon afterwards may leave files empty.
  ///
  /// - Parameters:
  ///   - folder: where to. Only the user may read what is made.
  ///   - format: what kind of folder.
  ///   - pictures: a folder with files of attachments, named after their ids, to copy.
  ///   - intoExisting: whether to write into a folder that has something in it.
  ///   - progress: is given the number of notes written, now and then; what it throws ends the export.
  /// - Throws: `SnapshotError` with code `fileExists` if something is there, `ioFailed`; and what `progress` throws.
  ///   A folder that was not there is not there then.
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

  /// The same to a folder that is open, with pictures from one that is open.
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

  /// A note with the names of its tags and with its attachments. A tag that leads nowhere is its own name.
  private func foreignNote(_ note: Note) -> ForeignNote {
    ForeignNote(
      id: note.id >= 0 ? note.id : nil, text: note.text, archived: note.archived, creationDate: note.creationDate,
      sortDate: note.sortDate, modificationDate: note.modificationDate,
      tagNames: note.tags.compactMap { TagName(tags[$0]?.name ?? $0)?.spelling },
      attachments: note.attachments.compactMap { attachments[$0] }, place: "notes \(note.id)")
  }
}
