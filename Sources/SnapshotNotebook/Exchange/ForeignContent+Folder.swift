public import Foundation
import SnapshotFolders
public import SnapshotStore

/// Reading of notes from a folder of text files.
extension ForeignContent {
  /// The notes in a folder of text files. Nothing outside the folder is read.
  ///
  /// Hidden files are ignored. `skipped` lists these items:
  ///
  /// - symbolic links;
  /// - files that are no notes, too large, or not text in UTF-8 (or UTF-16 with a byte order mark);
  /// - pictures that no note refers to;
  /// - of several files of one note, all but the one with the latest modification date.
  ///
  /// A new note without dates gets the date of its file. If it has only that of its creation, it was changed at the
  /// date of its file. Front matter or a block of lines that cannot be read is text, never an error.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - format: the kind of folder.
  ///   - limits: the greatest sizes of a text, a file and all files together, the greatest depth, and the greatest
  ///     number of files.
  ///   - progress: receives the number of notes read from time to time. An error that it throws ends the reading.
  /// - Throws: `SnapshotError` if the folder cannot be read or exceeds a limit, and the errors of `progress`.
  public init(
    folder: URL, as format: NoteFolderFormat, limits: ReadLimits = ReadLimits(),
    progress: (Int) throws -> Void = { _ in }
  ) throws {
    let reader = try FolderReader(at: folder, limits: FolderReader.Limits(limits))
    defer { reader.close() }
    try self.init(reader, as: format, limits: limits, progress: progress)
  }

  /// The same from an open folder.
  init(
    _ reader: FolderReader, as format: NoteFolderFormat, limits: ReadLimits, timeZone: TimeZone = .current,
    progress: (Int) throws -> Void = { _ in }
  ) throws {
    let listing = try reader.listing(enters: format.reasonToSkip(folder:))
    self.init(skipped: listing.skipped.map { SkippedItem(place: $0.path, id: nil, reason: $0.reason) })
    let others = listing.files.map(\.path).filter { !format.isNote($0) }
    var pictures = FolderPictures(others.filter(format.isPicture))
    var context = NoteFileContext(timeZone: timeZone)
    var total = 0
    var newest: [Note.ID: Int] = [:]
    for file in listing.files where format.isNote(file.path) {
      do throws(SnapshotError) {
        let bytes = try reader.bytes(of: file.path)
        total += bytes.count
        context.fileDate = file.modificationDate
        context.pictures = pictures.names(beside: file.path)
        if let note = note(bytes, file.path, format, context) { take(note, &newest) }
      } catch {
        skip(file.path, error.message)
      }
      if total > limits.fileSize {
        throw SnapshotError(
          .tooLarge, "the files of the folder have more than \(limits.fileSize.counted("byte")), which is the limit",
          path: reader.path)
      }
      if notes.count % 100 == 0 { try progress(notes.count) }
    }
    measure(&pictures, reader)
    for path in others where !pictures.met.contains(path) {
      skip(path, format.isPicture(path) ? "is a file that no note refers to" : "is not a note")
    }
    remarks = Self.remarks(on: notes)
    try progress(notes.count)
  }

  private mutating func note(
    _ bytes: [UInt8], _ path: String, _ format: NoteFolderFormat, _ context: NoteFileContext
  ) -> ForeignNote? {
    guard let text = TextFile.text(of: bytes) else {
      skip(path, "is not text in UTF-8")
      return nil
    }
    var note = format.note(in: text, at: path, context: context)
    note.fileDate = context.fileDate
    return note
  }

  /// Adds a note. Of two notes with one id it keeps the newer one: a note with a changed title also has an old file.
  private mutating func take(_ note: ForeignNote, _ newest: inout [Note.ID: Int]) {
    guard let id = note.id else { return notes.append(note) }
    guard let index = newest[id] else {
      newest[id] = notes.count
      return notes.append(note)
    }
    let old = notes[index]
    let isNewer = Self.dates(note).lexicographicallyPrecedes(Self.dates(old)) == false
    let (winner, loser) = isNewer ? (note, old) : (old, note)
    notes[index] = winner
    skipped.append(
      SkippedItem(
        place: loser.place, id: id, reason: "is an older file of the note in \(winner.place), which is used instead"))
  }

  /// The dates that tell the newest file of a note.
  private static func dates(_ note: ForeignNote) -> [Date] {
    [note.modificationDate ?? .distantPast, note.fileDate ?? .distantPast]
  }

  private mutating func skip(_ path: String, _ reason: String) {
    skipped.append(SkippedItem(place: path, id: nil, reason: reason))
  }
}
