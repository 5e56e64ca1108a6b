import Foundation
import SnapshotStore

/// A running import. It works on a copy of the notebook.
struct NoteImport {
  private(set) var notebook: Notebook
  private let before: Notebook
  private let options: ImportOptions
  private let now: Date
  private var counts = ImportReport()
  private var finishedNotes = 0
  private var pending = RecordBatch<Note>()
  /// The source of new ids.
  private var ids: NoteIDs
  /// The notes of the file that were matched already.
  private var met: Set<Note.ID> = []
  /// The notes that existed before, by their contents; nil until needed.
  private var contents: NoteContents?
  private var tagIDs: [String: Tag.ID] = [:]

  init(into notebook: Notebook, options: ImportOptions) {
    self.notebook = notebook
    before = notebook
    self.options = options
    now = notebook.sources.now()
    ids = NoteIDs(notebook.sources)
  }

  /// The report so far.
  var report: ImportReport {
    var report = counts
    report.addedTags = notebook.tags.count - before.tags.count
    report.addedAttachments = notebook.attachments.count - before.attachments.count
    report.addedDeletions = notebook.deletedNotes.count - before.deletedNotes.count
    return report
  }

  /// Imports all notes. Notes that need an id come last, so that none gets an id that occurs later in the file. Of
  /// these, the notes with more known parts come first, so that they find the notes with the same content.
  mutating func take(_ notes: some Sequence<ForeignNote>, progress: (ImportProgress) throws -> Void) throws {
    let notes = Array(notes)
    pending.reserveCapacity(notes.count)
    let lastPlaces = options.conflicts == .change ? Self.lastPlaces(of: notes) : [:]
    var (conflicting, dated, undated): ([Int], [Int], [Int]) = ([], [], [])
    for (place, note) in notes.enumerated() {
      if let id = note.id, let last = lastPlaces[id], last != place {
        skip(note, "is repeated in \(notes[last].place), which is used instead")
      } else if try !takeByID(note) {
        if note.id != nil {
          conflicting.append(place)
        } else if note.knownCreationDate != nil {
          dated.append(place)
        } else {
          undated.append(place)
        }
        continue
      }
      try finishNote(progress)
    }
    var new: [Int] = []
    if before.notes.isEmpty {
      // A new notebook has no equal note.
      new = conflicting + dated + undated
    } else {
      for place in conflicting + dated + undated {
        if try takeByContent(notes[place]) { try finishNote(progress) } else { new.append(place) }
      }
    }
    // Ids ascend in the order of the file.
    for place in new.sorted() {
      try add(notes[place], id: newID())
      try finishNote(progress)
    }
    notebook.keep(ids)
    try putPending()
    if finishedNotes % options.batchSize != 0 { try progress(currentProgress) }
  }

  /// Adds tags with the spelling of another program. Existing tags stay as they are.
  mutating func take(tags: [Tag]) {
    for tag in tags where !notebook.tags.contains(tag.id) { _ = notebook.add(tag) }
  }

  /// Adds tombstones for deleted notes that have neither a record nor a tombstone here.
  mutating func take(deletions: [DeletedNote]) throws {
    for deleted in deletions
    where !notebook.notes.contains(deleted.id) && !notebook.deletedNotes.contains(deleted.id) {
      try notebook.deletedNotes.insert(deleted)
    }
  }

  // MARK: Batches

  private var currentProgress: ImportProgress { ImportProgress(finishedNotes: finishedNotes, report: report) }

  private mutating func finishNote(_ progress: (ImportProgress) throws -> Void) throws {
    finishedNotes += 1
    if finishedNotes % options.batchSize == 0 { try progress(currentProgress) }
  }

  private mutating func putPending() throws {
    try notebook.notes.upsert(contentsOf: pending)
    pending.removeAll()
  }

  /// The place of the last note with each id.
  private static func lastPlaces(of notes: [ForeignNote]) -> [Note.ID: Int] {
    var places: [Note.ID: Int] = [:]
    for (place, note) in notes.enumerated() {
      if let id = note.id { places[id] = place }
    }
    return places
  }

  // MARK: One note

  /// Returns false if the note must be matched by its content.
  private mutating func takeByID(_ note: ForeignNote) throws -> Bool {
    guard let id = note.id else { return false }
    if notebook.deletedNotes.contains(id) {
      skip(note, "was deleted here")
      return true
    }
    guard let existing = pending[id] ?? notebook.notes[id] else {
      try add(note, id: id)
      return true
    }
    let changed = try applied(note, to: existing)
    switch options.conflicts {
    case _ where changed.isSame(as: existing): counts.unchangedNotes += 1
    case .skip: skip(note, "is here with other content")
    case .change: try change(changed, note)
    case .add:
      // This note is matched by its id. A copy with a new id must not match it, even if their texts are equal.
      met.insert(id)
      return false
    }
    met.insert(id)
    return true
  }

  /// Returns false if no note with the same content existed before the import.
  private mutating func takeByContent(_ note: ForeignNote) throws -> Bool {
    if contents == nil { contents = NoteContents(of: before.notes) }
    let content = try content(of: note)
    while let id = contents?.popID(of: content) {
      // The note may have been matched by its id already.
      guard met.insert(id).inserted, let existing = notebook.notes[id] else { continue }
      let changed = options.conflicts == .change ? try applied(note, to: existing) : existing
      if changed.isSame(as: existing) { counts.unchangedNotes += 1 } else { try change(changed, note) }
      return true
    }
    return false
  }

  /// The content by which an existing note is recognised. If the id belongs to another note here, all parts are
  /// compared.
  private func content(of note: ForeignNote) throws -> NoteContent {
    var content = NoteContent(text: note.text, creationDate: note.knownCreationDate)
    if note.id == nil { return content }
    content.archived = note.archived
    content.sortDate = note.sortDate
    if note.givesTags { content.tags = try tagIDs(of: note).uniqued() }
    if note.givesAttachments { content.attachments = note.attachments.map(\.id).uniqued() }
    return content
  }

  private mutating func newID() -> Note.ID {
    notebook.nextNoteID(from: &ids) { [pending] in pending.contains($0) }
  }

  private mutating func skip(_ note: ForeignNote, _ reason: String) {
    counts.skipped.append(SkippedItem(place: note.place, id: note.id, reason: reason))
  }

  private mutating func add(_ note: ForeignNote, id: Note.ID) throws {
    let tags = try note.tagNames.map { try tagID($0, note) }
    try put(note.note(id: id, tags: tags, now: now), note)
    counts.addedNotes += 1
  }

  private mutating func change(_ changed: Note, _ note: ForeignNote) throws {
    for name in note.tagNames { _ = try tagID(name, note) }
    try put(changed, note)
    counts.changedNotes += 1
  }

  private mutating func put(_ new: Note, _ note: ForeignNote) throws {
    if let problem = new.problems().first { throw failure(problem, note) }
    for attachment in note.attachments where !notebook.attachments.contains(attachment.id) {
      try notebook.add(attachment)
    }
    try pending.put(new)
  }

  /// Makes no tags: a skipped note leaves nothing behind.
  private func applied(_ note: ForeignNote, to existing: Note) throws -> Note {
    note.applied(to: existing, tags: try tagIDs(of: note), now: now)
  }

  private func tagIDs(of note: ForeignNote) throws -> [Tag.ID] {
    try note.tagNames.map { name in
      guard let name = TagName(name) else { throw Self.emptyName(note) }
      return name.id
    }
  }

  private mutating func tagID(_ name: String, _ note: ForeignNote) throws -> Tag.ID {
    if let id = tagIDs[name] { return id }
    guard TagName(name) != nil else { throw Self.emptyName(note) }
    let id = try notebook.tag(checkedName: name).id
    tagIDs[name] = id
    return id
  }

  private static func emptyName(_ note: ForeignNote) -> SnapshotError {
    SnapshotError(.invalidValue, "the name of a tag must not be empty", dataPath: note.place)
  }

  private func failure(_ problem: String, _ note: ForeignNote) -> SnapshotError {
    SnapshotError(.invalidValue, problem, dataPath: note.place)
  }
}

extension Note {
  /// Whether both notes are equal, including the normalisation of the text.
  fileprivate func isSame(as other: Note) -> Bool { self == other && text.hasSameBytes(as: other.text) }
}
