import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// The notes of the last list that this terminal has shown, so that `@3` names the third of them.
///
/// Each session of a terminal has a file of its own, so that a list in another window changes nothing here. The first
/// line of the file is the path of the store, the others are ids. The folder is in `$XDG_RUNTIME_DIR`, otherwise in
/// `$XDG_STATE_HOME` or `~/.local/state`. It is a convenience: if it cannot be written, the list has no places.
enum ListMemory {
  /// A longer file is none that was written here. A million notes need 17 MB.
  private static let sizeLimit = 64 << 20
  /// An older list is forgotten. The number of its session may be that of another terminal by now.
  private static let lifetime: TimeInterval = 86_400

  /// Keeps the notes of a list, if a terminal shows it: a list for a program has no places. After an empty list, the
  /// places of the list before it are still on the screen.
  ///
  /// - Returns: whether they are kept. Otherwise no places may be shown, as a place could name a note of an older list.
  static func keep(_ ids: some Collection<Note.ID>, of store: URL) -> Bool {
    guard let file, Terminal.output.isTerminal, !ids.isEmpty else { return false }
    let folder = file.deletingLastPathComponent()
    let manager = FileManager.default
    try? manager.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    removeOldFiles(in: folder)
    let lines = [path(of: store)] + ids.map(String.init)
    do {
      try Data(lines.joined(separator: "\n").utf8).write(to: file, options: .atomic)
      return true
    } catch {
      unlink(file.path(percentEncoded: false))
      return false
    }
  }

  /// The note at a place of the last list, counted from 1.
  ///
  /// - Throws: ``CommandFailure`` if there was no such list, or not of this store.
  static func id(at place: Int, of store: URL) throws -> Note.ID {
    guard let file, !isOld(file), let data = data(of: file) else {
      throw CommandFailure.usage("@\(place): there was no list in this terminal yet; see “snapshot-cli list”")
    }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first.map(String.init) == path(of: store) else {
      throw CommandFailure.usage(
        "@\(place): the last list in this terminal was that of another store, "
          + (lines.first.map(String.init) ?? "").forTerminal)
    }
    guard place < lines.count, let id = Note.ID(lines[place]) else {
      throw CommandFailure.usage("@\(place): the last list had \(Counts.text(lines.count - 1, "note"))")
    }
    return id
  }

  private static var file: URL? {
    let environment = ProcessInfo.processInfo.environment
    func folder(_ name: String) -> URL? {
      environment[name].flatMap { $0.hasPrefix("/") ? URL(filePath: $0, directoryHint: .isDirectory) : nil }
    }
    let state = folder("XDG_RUNTIME_DIR") ?? folder("XDG_STATE_HOME") ?? folder("HOME")?.appending(path: ".local/state")
    return state?.appending(path: "snapshot-cli/list-\(getsid(0))")
  }

  /// The path of a store in one line. A line feed in it would look like the end.
  private static func path(of store: URL) -> String {
    store.standardizedFileURL.path(percentEncoded: false).replacing("\n", with: "\\n")
  }

  private static func data(of file: URL) -> Data? {
    let values = try? file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
    guard values?.isRegularFile == true, let size = values?.fileSize, size <= sizeLimit else { return nil }
    return try? Data(contentsOf: file)
  }

  private static func removeOldFiles(in folder: URL) {
    let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    for file in files ?? [] where file.lastPathComponent.hasPrefix("list-") && isOld(file) {
      try? FileManager.default.removeItem(at: file)
    }
  }

  private static func isOld(_ file: URL) -> Bool {
    FileStamp(at: file).map { $0.modificationDate.timeIntervalSinceNow < -lifetime } ?? false
  }
}
