import SnapshotStore

/// The picture files of a folder, found by their attachments.
struct PictureFolder {
  private var paths: [String: String] = [:]
  /// Known paths of files, whatever their names.
  private let known: [Attachment.ID: String]

  /// - Parameter paths: the paths of the files. Of two that fit one attachment, the first counts.
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

  /// The path of an attachment's file, which is named after its id, with or without an extension.
  func path(of attachment: Attachment) -> String? {
    known[attachment.id] ?? paths[PictureName.fileName(of: attachment)] ?? paths[attachment.id]
      ?? paths[Self.key(attachment.id)]
  }

  /// No file name contains a slash.
  private static func key(_ id: String) -> String { "/" + id }
}

extension PictureName {
  /// The name for the file of an attachment; nil if its id cannot be part of a name, or would hide the file.
  static func safeFileName(of attachment: Attachment) -> String? {
    let name = fileName(of: attachment)
    let isSafe = !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    return isSafe && name.utf8.first != UInt8(ascii: ".") && (1...255).contains(name.utf8.count) ? name : nil
  }
}
