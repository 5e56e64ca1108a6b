public import Foundation
import SnapshotFolders
public import SnapshotStore

/// The pictures of the notes in a folder.
extension ForeignContent {
  /// Takes the sizes of attachments from their files where notes do not give them, and remembers the paths of the
  /// files.
  ///
  /// In Vesper's own folders, active and archived notes each have pictures beside them. If two have the same name, the
  /// second gets another id.
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

  /// The id, or the id with a number if it belongs to another file.
  private func freeID(_ id: Attachment.ID, for path: String) -> Attachment.ID {
    var (free, number) = (id, 2)
    while let other = picturePaths[free], other != path {
      free = "\(id)-\(number)"
      number += 1
    }
    return free
  }

  /// Copies the files of the notes' attachments to another folder, under the names of their ids. Existing files stay.
  ///
  /// - Parameters:
  ///   - folder: the folder that the notes were read from.
  ///   - target: the folder for the copies; it is made if it does not exist.
  ///   - limits: the greatest size of a file.
  /// - Returns: the number of copies, and the files that were not copied, with the reason.
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

  /// The same from an open folder, to a folder that `write` opens. It does not call `write` if there is nothing to
  /// copy.
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
