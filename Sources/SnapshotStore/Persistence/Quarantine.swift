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
          return "\(location.directory == "/" ? "" : location.directory)/\(name)"
        } catch {
          guard error.number == SystemError.exists, number < 1000 else { throw error }
          number += 1
        }
      }
    } catch {
      throw SnapshotError(error, location.path, committed: " while the old file was being kept; nothing was replaced")
    }
  }

  /// Such as `notes.damaged-2026-11-21T15.30.12Z.json`.
  private static func name(for name: String, _ word: String, _ date: Date, _ number: Int) -> String {
    let time = date.inFileName
    let mark = ".\(word)-\(time)\(number == 1 ? "" : "-\(number)")"
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return name.prefixOfBytes(200) + mark
    }
    return String(name[..<dot]).prefixOfBytes(180) + mark + String(name[dot...]).prefixOfBytes(32)
  }
}
