import Foundation

/// The files that complete a path.
struct FileCandidates {
  /// The most entries of a folder that are looked at.
  private static let most = 10_000

  private let wanted: CompletionReply.Files
  private let home: String?

  init(_ wanted: CompletionReply.Files, home: String?) {
    self.wanted = wanted
    self.home = home
  }

  /// The names that complete the last part of a path. Folders end with a slash. If no file has one of the extensions,
  /// all files are there.
  func names(completing path: String) -> [Completed] {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let (folder, name) = (String(path[..<start]), String(path[start...]))
    let place = folder.isEmpty ? "." : folder.expandingTilde(home)
    // Hidden files are shown to a user who types their dot.
    let entries = ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).prefix(Self.most)
      .filter { $0.utf8.starts(with: name.utf8) && (name.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted()
    var isFolder = ObjCBool(false)
    var folders: [Completed] = []
    var files: [String] = []
    for entry in entries {
      guard FileManager.default.fileExists(atPath: place + "/" + entry, isDirectory: &isFolder) else { continue }
      if isFolder.boolValue {
        folders.append(Completed(entry + "/", isFinished: false))
      } else {
        files.append(entry)
      }
    }
    return CompletionReply(folders + chosen(files).map { Completed($0) }, beginningWith: name).values
  }

  private func chosen(_ files: [String]) -> [String] {
    guard case .files(let extensions) = wanted else { return [] }
    let matching = files.filter { file in extensions.contains { file.hasSuffix("." + $0) } }
    return matching.isEmpty ? files : matching
  }
}
