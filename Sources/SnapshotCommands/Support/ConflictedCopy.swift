import Foundation
import SnapshotStore

/// The copies that sync services and this library put beside a file after concurrent changes.
struct ConflictedCopy {
  let name: String
  /// What it is, and what to do with it. `merge` stands for the command.
  let note: String

  /// The patterns between the name and the extension of the file in the names of its copies.
  private static var forms: [(pattern: Regex<Substring>, note: String)] {
    let conflict = "looks like a conflicted copy; “merge” merges it"
    return [
      // Dropbox, Nextcloud, Box: “notes (Ada's conflicted copy 2026-11-21).json”
      (/\ \(.*[cC]onflict.*\)/, conflict),
      // Syncthing: “notes.sync-conflict-20261121-153000-ABCDEFG.json”
      (/\.sync-conflict-[0-9]{8}-[0-9]{6}-?.*/, conflict),
      // iCloud: “notes 2.json”; Google Drive: “notes (1).json”
      (/\ [0-9]{1,2}/, conflict), (/\ \([0-9]{1,2}\)/, conflict),
      // The library: the version of another program that wrote while a store was open, or what lost in it.
      (/\.conflict-20.*Z.*/, conflict),
      (/\.before-merge-20.*Z.*/, "has what a merge took out of a store; “merge” takes it in"),
      (/\.unsaved-20.*Z.*/, "has changes that a program could not save; “merge” takes them in"),
    ]
  }

  /// The conflicted copies of a file in its folder, sorted. The copies need not be readable.
  static func all(beside path: String) -> [ConflictedCopy] {
    guard let url = try? FileName.url(path) else { return [] }
    let (name, suffix) = (url.deletingPathExtension().lastPathComponent, url.pathExtension)
    let ending = suffix.isEmpty ? "" : ".\(suffix)"
    let folder = url.deletingLastPathComponent().path(percentEncoded: false)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().compactMap { candidate in
      guard candidate.hasPrefix(name), candidate.hasSuffix(ending), candidate.count > name.count + ending.count else {
        return nil
      }
      let middle = candidate.dropFirst(name.count).dropLast(ending.count)
      return forms.first { middle.wholeMatch(of: $0.pattern) != nil }
        .map { ConflictedCopy(name: candidate, note: $0.note) }
    }
  }
}
