import Foundation
import SnapshotStore

/// The copies that sync services and this library put beside a file after concurrent changes.
enum ConflictedCopies {
  /// The patterns between the name and the extension of the file in the names of its copies.
  private static var forms: [Regex<Substring>] {
    [
      // Dropbox, Nextcloud, Box: “notes (Ada's conflicted copy 2026-11-21).json”
      /\ \(.*[cC]onflict.*\)/,
      // Syncthing: “notes.sync-conflict-20261121-153000-ABCDEFG.json”
      /\.sync-conflict-[0-9]{8}-[0-9]{6}-?.*/,
      // iCloud: “notes 2.json”; Google Drive: “notes (1).json”
      /\ [0-9]{1,2}/, /\ \([0-9]{1,2}\)/,
      // The library: the version of another program that wrote while a store was open.
      /\.conflict-20.*Z.*/,
    ]
  }

  /// The names of a file's conflicted copies in its folder, sorted. The copies need not be readable.
  static func names(beside path: String) -> [String] {
    guard let url = try? FileName.url(path) else { return [] }
    let (name, suffix) = (url.deletingPathExtension().lastPathComponent, url.pathExtension)
    let ending = suffix.isEmpty ? "" : ".\(suffix)"
    let folder = url.deletingLastPathComponent().path(percentEncoded: false)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { candidate in
      guard candidate.hasPrefix(name), candidate.hasSuffix(ending), candidate.count > name.count + ending.count else {
        return false
      }
      let middle = candidate.dropFirst(name.count).dropLast(ending.count)
      return forms.contains { middle.wholeMatch(of: $0) != nil }
    }.sorted()
  }
}
