public import Foundation
public import SnapshotStore

/// Notes in a folder of text files.
extension ForeignContent {
  /// The notes in a folder of text files. Nothing outside of the folder is read.
  ///
  /// What is hidden by a dot is passed over. Symbolic links, files that are no notes, are not text in UTF-8 (or UTF-16
  /// with a mark) or are too large, and pictures that no note refers to are listed in `skipped`; so are all files of
  /// one note but the one with the latest modification date. A new note without dates gets that of its file. Front
  /// matter or a block of lines that cannot be read is text, never an error.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - format: what kind of folder it is.
  ///   - limits: what is refused for its size: a text, a file and all of them together, the depth and the number of
  ///     files.
  ///   - progress: is given the number of notes read, now and then; what it throws ends the reading.
  /// - Throws: `SnapshotError` if the folder cannot be read or has too much in it, and what `progress` throws.
  public init(
    folder: URL, as format: NoteFolderFormat, limits: ReadLimits = ReadLimits(),
    progress: (Int) throws -> Void = { _ in }
  ) throws {
    let reader = try FolderReader(at: folder, limits: FolderReader.Limits(limits))
    defer { reader.close() }
    try self.init(reader, as: format, limits: limits, progress: progress)
  }

  /// The same from a folder that is open.
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

  /// Adds a note, or what is newer of it and another one with its id: a note that got another title has an old file
  /// too.
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
        place: loser.place, id: id, reason: "is an older file of the note in \(winner.place), which counts"))
  }

  /// What tells the newest file of a note.
  private static func dates(_ note: ForeignNote) -> [Date] {
    [note.modificationDate ?? .distantPast, note.fileDate ?? .distantPast]
  }

  private mutating func skip(_ path: String, _ reason: String) {
    skipped.append(SkippedItem(place: path, id: nil, reason: reason))
  }
}
