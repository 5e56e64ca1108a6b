import Foundation
import SnapshotStore

/// The copies that sync services and this library put beside a file after concurrent changes.
///
/// Each service has names of its own, in the language of its user. So a copy is known by what it has. Its name begins
/// as that of the file, and has the same extension. Its schema is the same, and it has a record of the file.
struct ConflictedCopy {
  let name: String
  /// What it is, and what to do with it. `merge` stands for the command.
  let note: String

  /// The most bytes that are read of all copies together. A copy beyond it is known by its beginning alone.
  private static let readLimit = 32 << 20
  /// The bytes of a beginning.
  private static let beginning = 1 << 16

  private static let maybe = "may be a conflicted copy; “merge” merges it"

  /// The names that the library gives, between the name and the extension of the file.
  private static var forms: [(pattern: Regex<Substring>, note: String?)] {
    [
      (/\.conflict-20.*Z.*/, maybe),
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
    guard let url = try? FileName.url(path), let own = status(of: url) else { return [] }
    let (name, suffix) = (url.deletingPathExtension().lastPathComponent, url.pathExtension)
    let folder = url.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
    var left = readLimit
    lazy var ids = input.bytes.count > readLimit ? [] : Self.ids(in: input.bytes)
    return names.sorted().compactMap { candidate in
      let other = folder.appending(path: candidate)
      guard candidate.hasPrefix(name), other.pathExtension == suffix, candidate != url.lastPathComponent else {
        return nil
      }
      let middle = other.deletingPathExtension().lastPathComponent.dropFirst(name.count)
      if let form = forms.first(where: { middle.wholeMatch(of: $0.pattern) != nil }) {
        return form.note.map { ConflictedCopy(name: candidate, note: $0) }
      }
      // A link to the file is the file itself.
      guard let found = status(of: other), found.st_ino != own.st_ino || found.st_dev != own.st_dev,
        found.st_mode & S_IFMT == S_IFREG, let handle = try? FileHandle(forReadingFrom: other)
      else { return nil }
      defer { try? handle.close() }
      let isWhole = Int(found.st_size) <= left
      guard let data = try? handle.read(upToCount: isWhole ? left : beginning) else { return nil }
      let bytes = Array(data)
      guard let header = try? SnapshotHeader(of: bytes), header.schema == input.header?.schema else { return nil }
      if isWhole {
        left -= bytes.count
        // A file of single values has no records to share, and those of a large file are not looked at.
        if !ids.isEmpty, ids.isDisjoint(with: Self.ids(in: bytes)) { return nil }
      }
      return ConflictedCopy(name: candidate, note: maybe)
    }
  }

  private static func status(of url: URL) -> stat? {
    var status = stat()
    return stat(url.path(percentEncoded: false), &status) == 0 ? status : nil
  }

  /// The ids of all records, each with its table.
  private static func ids(in bytes: [UInt8]) -> Set<[ExactText]> {
    let options = ReadOptions(acceptsChecksumMismatch: true)
    let content = try? SnapshotFile.decodeContent(UntypedModel.self, from: bytes, options: options)
    return (content?.tables ?? []).reduce(into: []) { ids, table in
      guard let key = table.idKey else { return }
      for value in table.values {
        if let id = value.record?[key]?.json { ids.insert([ExactText(table.name), ExactText(id)]) }
      }
    }
  }
}
