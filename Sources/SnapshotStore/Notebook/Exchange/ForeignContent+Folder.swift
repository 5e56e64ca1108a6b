public import Foundation

extension ForeignContent {
  /// The notes in a folder of text files. Nothing outside of the folder is read.
  ///
  /// What is hidden by a dot is passed over. Symbolic links, files that are no notes, are not text in UTF-8 (or UTF-16 with a
  /// mark) or are too large, and pictures that no note refers to are listed in `skipped`; so are all files of one note but
  /// the one with the latest modification date. A new note without dates gets that of its file. Front matter or a block of
  /// lines that cannot be read is text, never an error.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - format: what kind of folder it is.
  ///   - limits: what is refused for its size: a text, a file and all of them together, the depth and the number of files.
  ///   - progress: is given the number of notes read, now and then; what it throws ends the reading.
  /// - Throws: ``SnapshotError`` if the folder cannot be read or has too much in it, and what `progress` throws.
  public init(
    folder: URL, as format: NoteFolderFormat, limits: ReadLimits = ReadLimits(),
    progress: (Int) throws -> Void = { _ in }
  ) throws {
    try self.init(
      folder: try folder.requiredPath(), as: format, on: POSIXFileSystem(), limits: limits, progress: progress)
  }

  /// The same on any file system.
  init(
    folder: String, as format: NoteFolderFormat, on fileSystem: any FileSystem, limits: ReadLimits,
    progress: (Int) throws -> Void = { _ in }
  ) throws {
    let reader = try FolderReader(folder, on: fileSystem, limits: FolderReader.Limits(limits))
    defer { reader.close() }
    let listing = try reader.listing(enters: format.reasonToSkip(folder:))
    self.init(skipped: listing.skipped.map { ImportReport.Skipped(place: $0.path, id: nil, reason: $0.reason) })
    var total = 0
    var newest: [Note.ID: Int] = [:]
    for file in listing.files where format.isNote(file.path) {
      do throws(SnapshotError) {
        let bytes = try reader.bytes(of: file.path)
        total += bytes.count
        if let note = note(bytes, file, format) { take(note, &newest) }
      } catch {
        skip(file.path, error.message)
      }
      if total > limits.fileSize {
        throw SnapshotError(
          .tooLarge, "the files of the folder have more than \(limits.fileSize.counted("byte")), which is the limit",
          path: folder
        )
      }
      if notes.count % 100 == 0 { try progress(notes.count) }
    }
    measurePictures(listing.files.map(\.path).filter { !format.isNote($0) }, reader)
    remarks = Self.remarks(on: notes)
    try progress(notes.count)
  }

  private mutating func note(
    _ bytes: [UInt8], _ file: (path: String, status: FileStatus), _ format: NoteFolderFormat
  ) -> ForeignNote? {
    guard let text = TextFile.text(of: bytes) else {
      skip(file.path, "is not text in UTF-8")
      return nil
    }
    var note = format.note(in: text, at: file.path)
    note.fileDate = Date(timeIntervalSince1970: Double(file.status.modified) / 1e9)
    return note
  }

  /// Adds a note, or what is newer of it and another one with its id: a note that got another title has an old file too.
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
      ImportReport.Skipped(
        place: loser.place, id: id, reason: "is an older file of the note in \(winner.place), which counts"))
  }

  /// What tells the newest file of a note.
  private static func dates(_ note: ForeignNote) -> [Date] {
    [note.modificationDate ?? .distantPast, note.fileDate ?? .distantPast]
  }

  private mutating func skip(_ path: String, _ reason: String) {
    skipped.append(ImportReport.Skipped(place: path, id: nil, reason: reason))
  }

  // MARK: Pictures

  /// Takes the sizes of attachments from their files, if notes do not give them, and lists files that nothing refers to.
  private mutating func measurePictures(_ paths: [String], _ reader: FolderReader) {
    let pictures = PictureFolder(paths.filter(Self.isPicture))
    var met: Set<String> = []
    for note in notes.indices {
      for index in notes[note].attachments.indices {
        let attachment = notes[note].attachments[index]
        guard let path = pictures.path(of: attachment) else { continue }
        met.insert(path)
        guard attachment.width == 0, attachment.height == 0 else { continue }
        guard let size = PictureSize(reader.beginning(of: path, count: PictureSize.headerLength)) else { continue }
        notes[note].attachments[index] = Attachment(
          id: attachment.id, mimeType: attachment.mimeType, height: size.height, width: size.width)
      }
    }
    for path in paths where !met.contains(path) {
      skip(path, Self.isPicture(path) ? "is a file that no note refers to" : "is not a note")
    }
  }

  private static func isPicture(_ path: String) -> Bool {
    path.lowercased().hasPrefix(NoteFolderFormat.pictures.lowercased() + "/")
  }

  /// Copies the files that notes refer to from the folder that they were read from to another one, under the names of their
  /// ids. A file that is there already stays.
  ///
  /// - Parameters:
  ///   - folder: the folder that the notes are from.
  ///   - target: where the files go; made if there is none.
  ///   - limits: how large a file may be.
  /// - Returns: how many were copied, and what was not, with the reason.
  /// - Throws: ``SnapshotError``.
  public func copyPictures(
    from folder: URL, to target: URL, limits: ReadLimits = ReadLimits()
  ) throws -> (copied: Int, skipped: [ImportReport.Skipped]) {
    try copyPictures(
      from: try folder.requiredPath(), to: try target.requiredPath(), on: POSIXFileSystem(), limits: limits)
  }

  /// The same on any file system.
  func copyPictures(
    from folder: String, to target: String, on fileSystem: any FileSystem, limits: ReadLimits
  ) throws -> (copied: Int, skipped: [ImportReport.Skipped]) {
    let reader = try FolderReader(folder, on: fileSystem, limits: FolderReader.Limits(limits))
    defer { reader.close() }
    let pictures = PictureFolder(try reader.listing().files.map(\.path).filter(Self.isPicture))
    let wanted = notes.flatMap(\.attachments).filter { pictures.path(of: $0) != nil }
    if wanted.isEmpty { return (0, []) }
    var copy = PictureCopy(reader: reader, pictures: pictures, limit: limits.fileSize)
    try FolderWriter.write(target, intoExisting: true, on: fileSystem) { writer in
      for attachment in wanted { try copy.copy(attachment, to: &writer, in: nil) }
    }
    return (copy.count, copy.skipped)
  }
}

extension FolderReader.Limits {
  init(_ limits: ReadLimits) {
    self.init(fileSize: min(limits.fileSize, limits.textSize), depth: limits.depth, count: limits.elementCount)
  }
}
