import SnapshotNotebook
import SnapshotStore

/// The note that a window edits, and its drafts.
extension Window {
  /// Follows a note.
  func open(_ id: Note.ID) {
    let store = store
    openNote = nil
    follow(.note) { window in
      for await _ in store.observe({ OpenNote(id, in: $0) }) { await window.sendNote(id) }
    }
  }

  /// Sends the note as it is now. A change only wakes the follower. A text read at that time could be older than one
  /// that this window has written since.
  private func sendNote(_ id: Note.ID) {
    if Task.isCancelled { return }
    let note = store.read { OpenNote(id, in: $0) }
    guard note != openNote else { return }
    let isOther = note.id != openNote?.id
    openNote = note
    outbox.send("note", note)
    if isOther { sendExcerpts() }
  }

  // MARK: Drafts

  /// Writes into the scratchpad of a note, and commits it unless it is held.
  func write(_ id: Note.ID, _ text: String, base: String?, isHeld: Bool) throws {
    guard let pad = drafts[id] ?? scratchpad(for: id, base: base) else {
      let theirs = store.read { $0.notes[id]?.text }
      // The page repeats a text after a broken connection. It may have arrived before.
      if theirs?.utf8.elementsEqual(text.utf8) == true { return send("saved", id, text) }
      if theirs == nil, base == nil { return try restore(id, text) }
      return send("conflict", id, text, theirs: theirs)
    }
    try pad.write { try $0.setText(text, of: id) }
    drafts[id] = pad
    if isHeld { return send("held", id, text) }
    do {
      // A scratchpad is committed for each key that one presses. Undo goes by the pause.
      try history.group("Typing", coalescing: "\(id) in \(self.id)") { try pad.commit() }
      drafts[id] = nil
      send("saved", id, text)
    } catch let refusal as TransactionRefusal where !refusal.conflicts.isEmpty {
      send("conflict", id, text, theirs: store.read { $0.notes[id]?.text })
    }
  }

  /// Drops a draft: the notebook's text is taken, or one that was made from both.
  func discard(_ id: Note.ID) {
    drafts[id] = nil
    openNote = nil
    sendNote(id)
  }

  /// A new scratchpad; nil if the note is no longer as the window has seen it.
  private func scratchpad(for id: Note.ID, base: String?) -> Scratchpad<Notebook>? {
    let pad = store.scratchpad()
    guard let now = pad.read({ $0.notes[id]?.text }), let base, now.utf8.elementsEqual(base.utf8) else { return nil }
    return pad
  }

  /// Adds a text as a new note, because its note was deleted in the meantime.
  private func restore(_ id: Note.ID, _ text: String) throws {
    let note = try history.perform("Keep Text") { try $0.addNote(text: text) }
    send("saved", id, text)
    outbox.send("created", Created(note: "\(note.id)"))
  }

  private func send(_ event: StaticString, _ id: Note.ID, _ text: String, theirs: String? = nil) {
    outbox.send(event, DraftState(note: "\(id)", text: text, theirs: theirs, revision: store.revision))
  }
}

/// What has become of a draft.
private struct DraftState: Encodable {
  let note: String
  /// The text that the window has sent.
  let text: String
  /// The text in the notebook, for a conflict; nil if the note was deleted.
  let theirs: String?
  /// The revision of the notebook, so that the page knows when the text is durable.
  let revision: Int
}

/// A note that this window has added.
struct Created: Encodable {
  let note: String
}
