import SnapshotStore

/// The pictures in a folder of notes. They are in one folder for all notes, or in folders beside the notes.
struct FolderPictures {
  private let all: PictureFolder
  /// Pictures by their folder, in lower case.
  private var byFolder: [String: (pictures: PictureFolder, names: Set<String>)] = [:]
  /// The paths of the pictures that were found.
  private(set) var met: Set<String> = []

  init(_ paths: [String]) {
    all = PictureFolder(paths)
    for (folder, paths) in Dictionary(grouping: paths, by: Self.folder) {
      byFolder[folder.lowercased()] = (PictureFolder(paths), Set(paths.map { String($0.dropFirst(folder.count + 1)) }))
    }
  }

  /// The names of the pictures in the folder beside a note.
  func names(beside note: String) -> Set<String> { byFolder[Self.pictureFolder(of: note)]?.names ?? [] }

  /// The path of an attachment's file, and whether it is beside the note.
  mutating func find(_ attachment: Attachment, of note: String) -> (path: String, isBeside: Bool)? {
    let beside = byFolder[Self.pictureFolder(of: note)]?.pictures.path(of: attachment)
    guard let path = beside ?? all.path(of: attachment) else { return nil }
    met.insert(path)
    return (path, beside != nil)
  }

  private static func pictureFolder(of note: String) -> String {
    (folder(note) + "/" + NoteFolderFormat.pictures).lowercased()
  }

  private static func folder(_ path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }
}
