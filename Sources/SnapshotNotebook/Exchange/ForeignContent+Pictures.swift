public import Foundation
public import SnapshotStore

/// Pictures of the notes in a folder.
extension ForeignContent {
  /// Takes the sizes of attachments from their files, if notes do not give them, and remembers where the files are.
  ///
  /// In Vesper's own folders, active and archived notes each have pictures beside them. Those may have the same name,
  /// and then the second one gets another id.
  mutating func measure(_ pictures: inout FolderPictures, _ reader: FolderReader) {
    for note in notes.indices {
      for index in notes[note].attachments.indices {
        var attachment = notes[note].attachments[index]
        guard let (path, isBeside) = pictures.find(attachment, of: notes[note].place) else { continue }
        if isBeside { attachment = attachment.named(freeID(attachment.id, for: path)) }
        picturePaths[attachment.id] = path
        if attachment.width == 0, attachment.height == 0,
          let size = PictureSize(reader.beginning(of: path, count: PictureSize.headerLength))
        {
          attachment = Attachment(
            id: attachment.id, mimeType: attachment.mimeType, height: size.height, width: size.width)
        }
        notes[note].attachments[index] = attachment
      }
    }
  }

  /// The id itself, or with a number behind it if it is that of another file.
  private func freeID(_ id: Attachment.ID, for path: String) -> Attachment.ID {
    var (free, number) = (id, 2)
    while let other = picturePaths[free], other != path {
      free = "\(id)-\(number)"
      number += 1
    }
    return free
  }

  /// Copies the files that notes refer to from the folder that they were read from to another one, under the names of
  /// their ids. A file that is there already stays.
  ///
  /// - Parameters:
  ///   - folder: the folder that the notes are from.
  ///   - target: where the files go; made if there is none.
  ///   - limits: how large a file may be.
  /// - Returns: how many were copied, and what was not, with the reason.
  /// - Throws: `SnapshotError`.
  public func copyPictures(
    from folder: URL, to target: URL, limits: ReadLimits = ReadLimits()
  ) throws -> (copied: Int, skipped: [SkippedItem]) {
    try folder.requireFile()
    try target.requireFile()
    let reader = try FolderReader(at: folder, limits: FolderReader.Limits(limits))
    defer { reader.close() }
    return try copyPictures(from: reader, limits: limits) { copy in
      try FolderWriter.write(at: target, intoExisting: true, copy)
    }
  }

  /// The same from a folder that is open, to one that `write` opens. If there is nothing to copy, it is not called.
  func copyPictures(
    from reader: FolderReader, limits: ReadLimits,
    to write: (_ copy: (inout FolderWriter) throws -> Void) throws -> Void
  ) throws -> (copied: Int, skipped: [SkippedItem]) {
    let paths = try reader.listing().files.map(\.path)
    let pictures = PictureFolder(
      paths.filter { path in NoteFolderFormat.allCases.contains { $0.isPicture(path) } }, known: picturePaths)
    let wanted = notes.flatMap(\.attachments).filter { pictures.path(of: $0) != nil }
    if wanted.isEmpty { return (0, []) }
    var copy = PictureCopy(reader: reader, pictures: pictures, limit: limits.fileSize)
    try write { writer in
      for attachment in wanted { try copy.copy(attachment, to: &writer, in: nil) }
    }
    return (copy.count, copy.skipped)
  }
}

extension Attachment {
  fileprivate func named(_ id: Attachment.ID) -> Attachment {
    id == self.id ? self : Attachment(id: id, mimeType: mimeType, height: height, width: width)
  }
}
