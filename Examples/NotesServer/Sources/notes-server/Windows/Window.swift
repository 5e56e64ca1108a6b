import Foundation
import SnapshotNotebook
import SnapshotStore

/// A window of a browser: its list, its open note and its drafts.
///
/// Everything that the window shows arrives as events in one stream. They are sent from this actor, so their order is
/// that of the changes: no page has to compare revisions.
actor Window {
  nonisolated let id: String
  nonisolated let outbox: Outbox
  let workspace: Workspace
  /// The list, as far as the page has it.
  var list: WindowList?
  var openNote: OpenNote?
  /// The scratchpads of notes with changes that are not in the notebook yet.
  var drafts: [Note.ID: Scratchpad<Notebook>] = [:]
  private var followers: [Topic: Task<Void, Never>] = [:]
  private var isOver = false
  private var lastFile: FileExcerpt?
  private var lastJournal: JournalExcerpt?

  /// What a window follows: one task for each.
  enum Topic {
    case sidebar, status, list, note, heartbeat
  }

  var store: Store<Notebook> { workspace.store }
  var history: UndoHistory<Notebook> { workspace.history }

  init(id: String, workspace: Workspace, outbox: Outbox) {
    (self.id, self.workspace, self.outbox) = (id, workspace, outbox)
  }

  /// Begins to follow the notebook.
  func start() {
    outbox.send("hello", Hello(window: id))
    let (store, outbox) = (store, outbox)
    follow(.sidebar) { _ in
      for await sidebar in store.observe({ Sidebar($0) }) { outbox.send("sidebar", sidebar) }
    }
    follow(.status) { window in
      for await status in store.statuses { await window.take(status) }
    }
    follow(.heartbeat) { _ in
      while (try? await Task.sleep(for: .seconds(5))) != nil { outbox.sendNothing() }
    }
    showList(.active, search: "")
  }

  /// Stops following. Drafts are dropped: the page keeps their texts until they are durable.
  func end() {
    isOver = true
    for task in followers.values { task.cancel() }
    followers = [:]
    drafts = [:]
  }

  /// Follows something in a task of its own, instead of what was followed before.
  func follow(_ topic: Topic, _ body: @escaping @Sendable (Window) async -> Void) {
    followers[topic]?.cancel()
    // A command may be under way when its window ends. Nobody would stop its follower.
    if isOver { return }
    followers[topic] = Task { await body(self) }
  }

  // MARK: Saving

  private func take(_ status: StoreStatus) {
    outbox.send("status", SavingState(status, history))
    sendExcerpts()
  }

  /// Shows what the file and its journal hold now, if that has changed.
  func sendExcerpts() {
    guard let url = store.url else { return }
    // The journal first. If it is folded in between, its changes are in both excerpts, and never missing.
    let journal = JournalExcerpt(beside: url)
    let file = FileExcerpt(at: url, around: openNote.flatMap { Note.ID($0.id) })
    if file != lastFile { outbox.send("file", file) }
    if journal != lastJournal { outbox.send("journal", journal) }
    (lastFile, lastJournal) = (file, journal)
  }
}

/// The first event.
private struct Hello: Encodable {
  let window: String
}

/// The state of saving, and what can be undone.
private struct SavingState: Encodable {
  let revision: Int
  let durableRevision: Int
  let isSaving: Bool
  let error: String?
  /// The names of the next steps; empty for a step without a name, nil if there is none.
  let undo: String?
  let redo: String?

  init(_ status: StoreStatus, _ history: UndoHistory<Notebook>) {
    revision = status.revision
    durableRevision = status.durableRevision
    isSaving = status.isSaving
    error = status.lastError?.message
    undo = history.undoNames.last.map { $0 ?? "" }
    redo = history.redoNames.last.map { $0 ?? "" }
  }
}
