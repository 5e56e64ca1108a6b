import Foundation
import SnapshotStore

/// Merges content into a notebook, record by record, and adds all changed records at once.
struct SyncMerge {
  private let ours: Notebook
  private let rule: SyncRule
  /// The notes that differ in the end. Unchanged notes are not in here.
  private var notes: [Note.ID: NoteState] = [:]
  private var tags: [Tag.ID: Tag] = [:]
  private var attachments: [Attachment.ID: Attachment] = [:]
  /// Incoming notes without an effect, because ours won.
  private var kept: Set<Note.ID> = []
  /// Incoming deletions without an effect, because our note won.
  private var ignoredDeletions: Set<Note.ID> = []
  /// Incoming items that could not be read.
  private var skipped: [SkippedItem] = []
  /// Differences that no date decides. Only the rule `newestOrOurs` reports them.
  private(set) var conflicts: [MergeConflict] = []

  private enum NoteState {
    case note(Table<Note>.Box)
    case deleted(DeletedNote)
  }

  init(into ours: Notebook, by rule: SyncRule) {
    self.ours = ours
    self.rule = rule
  }

  /// If a record occurs twice in the content, both are merged, one after the other.
  mutating func take(_ content: SyncContent) {
    skipped += content.skipped
    for attachment in content.attachments { take(attachment) }
    for tag in content.tags { take(tag) }
    for tag in content.namedTags where tags[tag.id] == nil && !ours.tags.contains(tag.id) { tags[tag.id] = tag }
    for note in content.notes { take(note) }
    for deleted in content.deletions { take(deleted) }
    for id in content.unreadableDeletions { take(DeletedNote(id: id, deletionDate: nil), dateIsUnreadable: true) }
  }

  // MARK: Notes and tombstones

  private func state(of id: Note.ID) -> NoteState? {
    notes[id] ?? ours.notes.box(id).map { .note($0) } ?? ours.deletedNotes[id].map { .deleted($0) }
  }

  /// A note that is twice in the content may be changed and changed back. It then counts as unchanged.
  private mutating func set(_ id: Note.ID, _ state: NoteState) {
    switch state {
    case .note(let box) where ours.notes[id].map { $0.hasSameBits(as: box.record) } == true: notes[id] = nil
    case .deleted(let deleted) where ours.deletedNotes[id] == deleted: notes[id] = nil
    default: notes[id] = state
    }
  }

  private mutating func take(_ incoming: SyncNote) {
    let id = incoming.note.id
    switch state(of: id) {
    case nil: set(id, .note(incoming.asNewNote(now: ours.sources.now())))
    case .note(let mine):
      if incoming.box === mine || incoming.isSame(as: mine.record) { return }
      if rule == .ours { return _ = kept.insert(id) }
      let (merged, isTied) = incoming.merged(into: mine.record, by: rule)
      if isTied { addConflict("notes", "\(id)") }
      if merged.hasSameBits(as: mine.record) {
        kept.insert(id)
      } else {
        set(id, .note(Table.Box(merged)))
      }
    case .deleted(let tombstone):
      if staysDeleted(incoming, by: tombstone) {
        kept.insert(id)
      } else {
        set(id, .note(incoming.asNewNote(now: ours.sources.now())))
      }
    }
  }

  private mutating func take(_ incoming: DeletedNote, dateIsUnreadable: Bool = false) {
    let id = incoming.id
    switch state(of: id) {
    case nil: set(id, .deleted(incoming))
    case .note(let mine):
      if isDeleted(SyncNote(mine), by: incoming, dateIsUnreadable) {
        set(id, .deleted(incoming))
      } else if rule == .newest, incoming.deletionDate == nil {
        ignoredDeletions.insert(id)
      } else {
        kept.insert(id)
      }
    case .deleted(let tombstone):
      let merged = tombstone.merged(with: incoming)
      if merged != tombstone { set(id, .deleted(merged)) }
    }
  }

  /// Whether our deletion wins against an incoming note.
  private mutating func staysDeleted(_ incoming: SyncNote, by tombstone: DeletedNote) -> Bool {
    switch rule {
    case .ours: return true
    case .theirs: return false
    case .newest, .newestOrOurs:
      let choice = tombstone.choice(against: incoming)
      if rule == .newestOrOurs, choice == .isUndecided { addConflict("notes", "\(tombstone.id)") }
      return choice != .isKept
    }
  }

  /// Whether their deletion wins against our note.
  private mutating func isDeleted(_ mine: SyncNote, by incoming: DeletedNote, _ dateIsUnreadable: Bool) -> Bool {
    switch rule {
    case .ours: return false
    case .theirs: return true
    case .newest: return !dateIsUnreadable && incoming.choice(against: mine) != .isKept
    case .newestOrOurs:
      let choice = incoming.choice(against: mine)
      // A deletion without a date is reported, even if the note has a date.
      if choice == .isUndecided || !ChangeSecond(incoming.deletionDate).isKnown {
        addConflict("notes", "\(incoming.id)")
      }
      return choice == .isDeleted
    }
  }

  // MARK: Tags and attachments

  private mutating func take(_ incoming: Tag) {
    guard var tag = tags[incoming.id] ?? ours.tags[incoming.id] else {
      tags[incoming.id] = incoming
      return
    }
    if rule == .ours { return }
    var choice = SyncChoice(rule: rule)
    (tag.name, tag.nameModificationDate) = choice.choose(
      (tag.name, tag.nameModificationDate), (incoming.name, incoming.nameModificationDate), false,
      isSame: { $0.hasSameBytes(as: $1) }, isGreater: { $1.utf8.lexicographicallyPrecedes($0.utf8) })
    if choice.hasTie { addConflict("tags", tag.id) }
    let mine = ours.tags[tag.id]
    tags[tag.id] = mine?.hasSameBits(as: tag) == true ? nil : tag
  }

  private mutating func take(_ incoming: Attachment) {
    guard let mine = attachments[incoming.id] ?? ours.attachments[incoming.id] else {
      attachments[incoming.id] = incoming
      return
    }
    if mine == incoming { return }
    switch rule {
    case .ours: break
    case .newestOrOurs: addConflict("attachments", mine.id)
    case .newest: if incoming.isGreater(than: mine) { attachments[mine.id] = incoming }
    case .theirs: attachments[mine.id] = ours.attachments[mine.id] == incoming ? nil : incoming
    }
  }

  private mutating func addConflict(_ table: String, _ id: String) {
    conflicts.append(MergeConflict(table: table, id: id, resolution: .tookOurs))
  }

  // MARK: The result

  /// The notebook with all changes. Tables without a change are shared.
  func result() -> Notebook {
    var result = ours
    var (present, gone): ([Table<Note>.Box], [DeletedNote]) = ([], [])
    for id in notes.keys.sorted() {
      switch notes[id] {
      case .note(let box)?: present.append(box)
      case .deleted(let deleted)?: gone.append(deleted)
      case nil: break
      }
    }
    for tag in tags.values { _ = result.add(tag) }
    _ = result.notes.remove(boxes: gone.map(\.id))
    _ = result.deletedNotes.remove(boxes: present.map(\.record.id))
    result.putAll(
      notes: present, attachments: attachments.values.sorted { $0.id < $1.id }, deletions: gone)
    return result
  }

  /// Refuses a result in which a changed note refers to a missing record.
  func requireReferences(in result: Notebook) throws(SnapshotError) {
    for case .note(let box) in notes.values {
      for id in box.record.tags where !result.tags.contains(id) { throw Notebook.notFound("tag", id) }
      for id in box.record.attachments where !result.attachments.contains(id) {
        throw Notebook.notFound("attachment", id)
      }
    }
  }

  func report() -> SyncReport {
    var report = SyncReport()
    for id in notes.keys.sorted() {
      switch (notes[id], ours.notes.contains(id), ours.deletedNotes.contains(id)) {
      case (nil, _, _): break
      case (.note, true, _): report.changedNotes.append(id)
      case (.note, false, true): report.revivedNotes.append(id)
      case (.note, false, false): report.addedNotes.append(id)
      case (.deleted, true, _): report.deletedNotes.append(id)
      case (.deleted, false, _): report.rememberedDeletions.append(id)
      }
    }
    report.keptNotes = kept.filter { notes[$0] == nil }.sorted()
    report.ignoredDeletions = ignoredDeletions.filter { id in
      if case .deleted? = notes[id] { false } else { true }
    }.sorted()
    for id in tags.keys.sorted() {
      if ours.tags.contains(id) { report.changedTags.append(id) } else { report.addedTags.append(id) }
    }
    report.addedAttachments = attachments.keys.sorted()
    report.skipped = skipped
    return report
  }
}
