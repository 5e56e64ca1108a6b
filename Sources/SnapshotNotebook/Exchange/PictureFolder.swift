import SnapshotStore

/// The files of pictures in a folder, found by the attachments they belong to.
struct PictureFolder {
  private var paths: [String: String] = [:]
  /// Where a file is known to be, whatever its name.
  private let known: [Attachment.ID: String]

  /// - Parameter paths: of the files; of two that would do for one attachment, the first one counts.
  init(_ paths: [String], known: [Attachment.ID: String] = [:]) {
    self.known = known
    for path in paths {
      let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
      let name = String(path[start...])
      for key in [name, Self.key(PictureName.attachment(inFile: name).id)] where self.paths[key] == nil {
        self.paths[key] = path
      }
    }
  }

  /// The path of the file of an attachment: one named after its id, with an extension or without.
  func path(of attachment: Attachment) -> String? {
    known[attachment.id] ?? paths[PictureName.fileName(of: attachment)] ?? paths[attachment.id]
      ?? paths[Self.key(attachment.id)]
  }

  /// Names of files never have a slash.
  private static func key(_ id: String) -> String { "/" + id }
}

extension PictureName {
  /// The name for the file of an attachment in a folder; nil if its id cannot be in a name, or would hide the file.
  static func safeFileName(of attachment: Attachment) -> String? {
    let name = fileName(of: attachment)
    let isSafe = !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    return isSafe && name.utf8.first != UInt8(ascii: ".") && (1...255).contains(name.utf8.count) ? name : nil
  }
}
