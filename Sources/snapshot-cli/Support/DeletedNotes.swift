import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// The deleted notes of a store that its older versions still have.
struct DeletedNotes {
  /// The notes, each as in the newest version that has it.
  private(set) var notes = Table<Note>()
  /// The version that each note comes from. It has the note's tags and attachments.
  private var sources: [Note.ID: Notebook] = [:]
  private let store: StoreSession<Notebook>

  /// Reads the older versions, the newest first. One that cannot be read is named on standard error.
  ///
  /// - Parameter sizeLimit: the bytes that may be read of them.
  init(of store: StoreSession<Notebook>, current: Notebook, sizeLimit: Int = .max) throws {
    self.store = store
    var left = sizeLimit
    for generation in try SnapshotFile.generations(of: store.url) {
      left -= (try? generation.url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
      if left < 0 { break }
      guard let version = Self.read(generation) else { continue }
      for note in version.notes where !current.notes.contains(note.id) && !notes.contains(note.id) {
        try notes.upsert(note)
        sources[note.id] = version
      }
    }
  }

  /// The notes, newest first.
  var listing: NoteListing {
    NoteListing(notes.sorted { ($0.sortDate, $1.id) > ($1.sortDate, $0.id) }, of: store) { note in
      note.tags.compactMap { sources[note.id]?.tags[$0]?.name }
    }
  }

  /// Puts a note into a notebook, with its tags and attachments.
  ///
  /// - Throws: `SnapshotError` if another attachment has the id of one of the note's.
  func restore(_ id: Note.ID, to notebook: inout Notebook) throws {
    guard var note = notes[id], let source = sources[id], !notebook.notes.contains(id) else { return }
    let tags = try note.tags.compactMap { source.tags[$0] }.map { try notebook.tag(checkedName: $0.name).id }
    for attachment in note.attachments.compactMap({ source.attachments[$0] }) { try notebook.add(attachment) }
    if tags != note.tags { note.setTags(tags, at: Date()) }
    try notebook.upsert(note)
  }

  /// Whether the newest older version of a store has these notes, each as it is now.
  static func areKept(_ notes: [Note], of store: StoreSession<Notebook>) throws -> Bool {
    guard let newest = try SnapshotFile.generations(of: store.url).first, let version = read(newest, isQuiet: true)
    else { return false }
    return notes.allSatisfy { version.notes[$0.id] == $0 }
  }

  private static func read(_ generation: Generation, isQuiet: Bool = false) -> Notebook? {
    do {
      return try SnapshotFile.read(at: generation.url, options: ReadOptions(leavesOutUnknownKeys: true))
    } catch {
      if !isQuiet {
        Terminal.error.printLine(
          "note: generation \(generation.number) cannot be read: \(CommandFailure(error).message)")
      }
      return nil
    }
  }
}
