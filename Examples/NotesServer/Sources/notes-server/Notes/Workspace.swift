import Foundation
import SnapshotNotebook
import SnapshotStore
import Synchronization

/// The open notebook with its history and its windows.
final class Workspace: Sendable {
  let store: Store<Notebook>
  let history: UndoHistory<Notebook>
  private let windows = Mutex<[String: Window]>([:])

  /// Opens a notebook. A missing file is made, with sample notes.
  ///
  /// - Throws: `SnapshotError`, for example if the file cannot be read.
  init(at url: URL) throws {
    let changes = ChangeRelay()
    // A key press costs a line of the journal, and not the file. So it can be saved at once: after a crash, at most the
    // last tenths of a second are missing. The file has it after a pause that is short enough to watch.
    // It is shared, so `snapshot-cli` and another server can write the file meanwhile. Their changes come like those of
    // a window. Only what does not fit is told.
    let options = StoreOptions(
      policy: .automatic(delay: .milliseconds(150), maxDelay: .seconds(1)), access: .shared,
      journal: .beside(quietTime: .seconds(3)), externalChanges: .merge, onExternalChange: { changes.tell($0) })
    store = try Store<Notebook>.open(at: url, options: options)
    history = UndoHistory(of: store)
    if store.openReport?.source == .created {
      try store.write { try $0.addSampleNotes() }
      try store.flushAndWait()
      history.clear()
      NotesServer.say("\(url.path) is new: it has \(store.read { $0.notes.count }) sample notes")
    }
    changes.follow { [weak self] in self?.announce($0) }
  }

  /// Waits until the notebook is in its file.
  func close() async throws { try await store.close() }

  // MARK: Windows

  /// Makes a window that sends its events to an outbox, until that ends.
  func open(_ outbox: Outbox) {
    let id = "\(UInt64.random(in: .min ... .max))"
    let window = Window(id: id, workspace: self, outbox: outbox)
    windows.withLock { $0[id] = window }
    outbox.onEnd { [weak self] in self?.close(id) }
    Task { await window.start() }
  }

  func window(_ id: String) -> Window? { windows.withLock { $0[id] } }

  /// Ends the streams of all windows.
  func endWindows() {
    for window in windows.withLock({ Array($0.values) }) { window.outbox.finish() }
  }

  private func close(_ id: String) {
    guard let window = windows.withLock({ $0.removeValue(forKey: id) }) else { return }
    Task { await window.end() }
  }

  private func announce(_ change: ExternalChange) {
    let text =
      switch change {
      case .merged(let outcome, let kept) where !outcome.conflicts.isEmpty:
        "Another program changed the file. Some changes did not fit\(kept.map { "; they are in \($0)" } ?? "")."
      case .merged: "Another program changed the file. The changes are here now."
      case .unreadable(let error): "Another program has changed the file, and it cannot be read: \(error.message)"
      case .rejected(let error, _): "Another program has changed the file, and it cannot be taken: \(error)"
      case .removed: "The file was removed. The next save makes it again."
      case .refused, .reloaded, .replaced: "Another program changed the file."
      }
    for window in windows.withLock({ Array($0.values) }) {
      window.outbox.send("notice", Notice(text: text))
      // A file that was taken over as it is needs no save, and the changes in its journal are gone.
      Task { await window.sendExcerpts() }
    }
  }
}

/// A message for every window.
struct Notice: Encodable {
  let text: String
}

/// Passes external changes on to a workspace, which does not exist yet when the store is opened.
private final class ChangeRelay: Sendable {
  /// A function that is read from a lock is wrapped once more each time, unless it is in a value of its own.
  private struct Follower {
    let tell: @Sendable (ExternalChange) -> Void
  }

  private let follower = Mutex<Follower?>(nil)

  func follow(_ body: @escaping @Sendable (ExternalChange) -> Void) {
    follower.withLock { $0 = Follower(tell: body) }
  }

  func tell(_ change: ExternalChange) { follower.withLock { $0 }?.tell(change) }
}
