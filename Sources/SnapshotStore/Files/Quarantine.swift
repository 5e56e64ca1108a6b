import SnapshotFoundation

/// Keeps a file that the store must not overwrite: a damaged one, or one with an external change.
enum Quarantine {
  /// Gives a file another name, under which it stays when it is replaced. Returns that path. No other file is touched.
  static func keep(
    _ location: FileLocation, on fileSystem: any FileSystem, as word: String = "damaged", date: Date
  ) throws(SnapshotError) -> String {
    try withFreeName(beside: location, on: fileSystem, word, date) { name, directory throws(SystemError) in
      try fileSystem.keep(location.name, in: directory, as: name, in: directory)
    }
  }

  /// Gives another file beside it such a name, and returns that path.
  static func keep(
    _ other: FileLocation, as word: String, beside location: FileLocation, on fileSystem: any FileSystem, date: Date
  ) throws(SnapshotError) -> String {
    try withFreeName(beside: location, on: fileSystem, word, date) { name, directory throws(SystemError) in
      try fileSystem.keep(other.name, in: directory, as: name, in: directory)
    }
  }

  /// Writes bytes beside a file, durably, and returns the path.
  static func write(
    _ content: PiecedBytes, beside location: FileLocation, on fileSystem: any FileSystem, as word: String, date: Date
  ) throws(SnapshotError) -> String {
    guard let bytes = content.array() else { fatalError("the content has pieces of another file") }
    return try withFreeName(beside: location, on: fileSystem, word, date) { name, directory throws(SystemError) in
      try fileSystem.writeNew(bytes, name, in: directory)
      try fileSystem.sync(directory)
    }
  }

  /// The path of a copy that is beside the file already; nil if there is none. An old one may be removed soon, so it
  /// does not count.
  ///
  /// O(entries of the folder, and bytes of the copies of the same length).
  static func copy(
    of bytes: [UInt8], beside location: FileLocation, on fileSystem: any FileSystem, as word: String, date: Date
  ) -> String? {
    guard let directory = try? fileSystem.openDirectory(location.directory) else { return nil }
    defer { fileSystem.close(directory) }
    let names = (try? fileSystem.names(in: directory)) ?? []
    return copies(of: location.name, word, among: names, in: directory, on: fileSystem).lazy
      .filter { $0.byteCount == bytes.count && $0.date.distance(from: date) < CopyBound().age / 2 }
      .map { path(of: $0.name, beside: location) }
      .first { path in
        guard let copy = try? FileLocation(path, on: fileSystem) else { return false }
        return (try? fileSystem.readFile(at: copy, limit: bytes.count).bytes) == bytes
      }
  }

  /// Calls `body` with one name after another until a name is unused. `body` throws `EEXIST` for a used one.
  private static func withFreeName(
    beside location: FileLocation, on fileSystem: any FileSystem, _ word: String, _ date: Date,
    _ body: (String, OpenFile) throws(SystemError) -> Void
  ) throws(SnapshotError) -> String {
    do throws(SystemError) {
      let directory = try fileSystem.openDirectory(location.directory)
      defer { fileSystem.close(directory) }
      var number = 1
      while true {
        let name = name(for: location.name, word, date, number)
        do throws(SystemError) {
          try body(name, directory)
          return path(of: name, beside: location)
        } catch {
          guard error.number == SystemError.exists, number < 1000 else { throw error }
          number += 1
        }
      }
    } catch {
      throw SnapshotError(error, location.path, committed: " while the old file was being kept; nothing was replaced")
    }
  }

  private static func path(of name: String, beside location: FileLocation) -> String {
    "\(location.directory == "/" ? "" : location.directory)/\(name)"
  }

  /// Such as `notes.damaged-2026-11-21T15.30.12Z.json`.
  private static func name(for name: String, _ word: String, _ date: Date, _ number: Int) -> String {
    let parts = parts(of: name, word)
    return parts.start + date.inFileName + (number == 1 ? "" : "-\(number)") + parts.end
  }

  /// What is before the date, `notes.damaged-`, and behind it, `.json`.
  static func parts(of name: String, _ word: String) -> (start: String, end: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return (name.prefixOfBytes(200) + ".\(word)-", "")
    }
    let (stem, suffix) = (String(name[..<dot]), String(name[dot...]))
    return (stem.prefixOfBytes(180) + ".\(word)-", String(suffix.prefixOfBytes(32)))
  }
}
