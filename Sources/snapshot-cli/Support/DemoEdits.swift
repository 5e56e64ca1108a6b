import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore
import Synchronization

/// Edits of a notebook from several threads, spread over a few seconds for the viewer.
final class DemoEdits: Sendable {
  static let threadCount = 4
  private static let seconds = 3.0
  private static let bursts = 60

  private let store: Store<Notebook>
  private let changes: Int
  private let group = DispatchGroup()
  private let counts = Mutex((finished: 0, failures: 0))

  init(store: Store<Notebook>, changes: Int) {
    self.store = store
    self.changes = changes
  }

  var finished: Int { counts.withLock { $0.finished } }
  var failures: Int { counts.withLock { $0.failures } }

  func start() {
    for number in 0..<Self.threadCount {
      group.enter()
      Thread.detachNewThread { [self] in
        let share = changes / Self.threadCount + (number < changes % Self.threadCount ? 1 : 0)
        edit(number, share)
        group.leave()
      }
    }
  }

  /// Waits for the end of the edits, but no longer than a time; returns whether they have ended.
  func wait(upTo time: DispatchTimeInterval) -> Bool { group.wait(timeout: .now() + time) == .success }

  private func edit(_ thread: Int, _ share: Int) {
    for index in 0..<share {
      do {
        try store.write { try Self.edit(&$0, thread, index) }
        counts.withLock { $0.finished += 1 }
      } catch {
        counts.withLock { $0.failures += 1 }
      }
      if index % max(1, share / Self.bursts) == 0 { Thread.sleep(forTimeInterval: Self.seconds / Double(Self.bursts)) }
    }
  }

  /// One edit of each kind in turn.
  private static func edit(_ notebook: inout Notebook, _ thread: Int, _ index: Int) throws {
    let notes = notebook.notes
    switch index % 5 {
    case 0:
      let tag = notebook.tag(named: "Thread \(thread + 1)").id
      try notebook.addNote(text: "Edit \(index) of thread \(thread + 1)\nWritten while others write, too.", tags: [tag])
    case 1: if let note = notes.last { try notebook.setText(note.text + "\nOne more line.", of: note.id) }
    case 2:
      if let note = notes.first { try notebook.setTags(note.tags + [notebook.tag(named: "Seen").id], of: note.id) }
    case 3: if let note = notes.first { try notebook.setArchived(!note.archived, of: note.id) }
    default:
      // Keeps the notebook from growing without limit, and makes tombstones.
      if notes.count > 200, let note = notes.last { notebook.deleteNotes([note.id]) }
    }
  }

  /// Some notes to begin with.
  static func addFirstNotes(to notebook: inout Notebook) throws {
    let texts = [
      ("Buy paper and pencils\nThe soft ones, 4B.", ["Errands"]),
      ("Call Zoë about the café\nShe knows the owner: https://example.com/café", ["Calls", "Errands"]),
      ("Ideas for the talk\n• plain files\n• one value\n• “just write a plist”", ["Work"]),
      ("שלום עולם 👋🏽\nText in any direction, with “quotes”, \\ and \t tabs.", ["Scripts"]),
    ]
    for (text, names) in texts {
      try notebook.addNote(text: text, tags: names.map { notebook.tag(named: $0).id })
    }
  }
}
