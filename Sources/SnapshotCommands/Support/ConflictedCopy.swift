import Foundation
import SnapshotStore

/// The copies that sync services and this library put beside a file after concurrent changes.
///
/// Each service has names of its own, in the language of its user. So a copy is known by what it has: its name begins
/// as that of the file and has the same extension, its schema is the same, and it has a record of the file.
struct ConflictedCopy {
  let name: String
  /// What it is, and what to do with it. `merge` stands for the command.
  let note: String

  /// The larger files are known by their names and schemas alone, because reading them takes too long.
  private static let sizeLimit = 32 << 20

  /// The names that the library gives, between the name and the extension of the file.
  private static var forms: [(pattern: Regex<Substring>, note: String?)] {
    [
      (/\.before-merge-20.*Z.*/, "has what a merge took out of a store; “merge” takes it in"),
      (/\.unsaved-20.*Z.*/, "has changes that a program could not save; “merge” takes them in"),
      // A damaged file is no copy, even if it can be read.
      (/\.damaged-20.*/, nil),
    ]
  }

  /// The conflicted copies of a file in its folder, sorted.
  ///
  /// - Parameter input: the content of the file.
  static func all(beside path: String, with input: FileInput) -> [ConflictedCopy] {
    guard let url = try? FileName.url(path) else { return [] }
    let (name, suffix) = (url.deletingPathExtension().lastPathComponent, url.pathExtension)
    let ending = suffix.isEmpty ? "" : ".\(suffix)"
    let folder = url.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
    lazy var ids = Self.ids(in: input)
    return names.sorted().compactMap { candidate in
      guard candidate.hasPrefix(name), candidate.hasSuffix(ending), candidate.count > name.count + ending.count else {
        return nil
      }
      let middle = candidate.dropFirst(name.count).dropLast(ending.count)
      if let form = forms.first(where: { middle.wholeMatch(of: $0.pattern) != nil }) {
        return form.note.map { ConflictedCopy(name: candidate, note: $0) }
      }
      guard let copy = try? FileInput(url: folder.appending(path: candidate)),
        copy.header?.schema == input.header?.schema,
        copy.bytes.count > sizeLimit || !ids.isDisjoint(with: Self.ids(in: copy))
      else { return nil }
      return ConflictedCopy(name: candidate, note: "looks like a conflicted copy; “merge” merges it")
    }
  }

  /// The ids of all records, each with its table.
  private static func ids(in input: FileInput) -> Set<[ExactText]> {
    let options = ReadOptions(acceptsChecksumMismatch: true)
    let content = try? SnapshotFile.decodeContent(UntypedModel.self, from: input.bytes, options: options)
    return (content?.tables ?? []).reduce(into: []) { ids, table in
      guard let key = table.idKey else { return }
      for value in table.values {
        if let id = value.record?[key]?.json { ids.insert([ExactText(table.name), ExactText(id)]) }
      }
    }
  }
}
