import SnapshotFolders
import SnapshotStore

/// Copies the files of attachments from a folder to another one, each once. Existing files stay.
struct PictureCopy {
  let reader: FolderReader
  let pictures: PictureFolder
  let limit: Int
  /// The number of copied files.
  private(set) var count = 0
  /// Files that were not copied, with the reasons.
  private(set) var skipped: [SkippedItem] = []
  private var met: Set<Attachment.ID> = []
  /// Used names, ignoring case as many file systems do.
  private var names: Set<String> = []

  init(reader: FolderReader, pictures: PictureFolder, limit: Int) {
    self.reader = reader
    self.pictures = pictures
    self.limit = limit
  }

  mutating func copy(_ attachment: Attachment, to writer: inout FolderWriter, in folder: String?) throws {
    guard met.insert(attachment.id).inserted else { return }
    guard let path = pictures.path(of: attachment) else { return skip(attachment.id, "has no file") }
    guard let name = PictureName.safeFileName(of: attachment) else {
      return skip(path, "has an id that cannot be a file name")
    }
    guard names.insert(name.lowercased()).inserted else {
      return skip(path, "was not copied, because another picture has its name")
    }
    let bytes: [UInt8]
    do throws(SnapshotError) {
      bytes = try reader.bytes(of: path)
    } catch {
      return skip(path, error.message)
    }
    if try writer.holds(name, in: folder) {
      let isSame = try writer.file(name, in: folder, limit: bytes.count)?.bytes == bytes
      return isSame ? () : skip(path, "was not copied, because there is another file of its name")
    }
    try writer.write(bytes, to: name, in: folder)
    count += 1
  }

  private mutating func skip(_ place: String, _ reason: String) {
    skipped.append(SkippedItem(place: place, id: nil, reason: reason))
  }
}
