import Foundation

/// An import while it runs: it works on a copy of the notebook.
struct NoteImport {
  private(set) var notebook: Notebook
  private let before: Notebook
  private let options: ImportOptions
  private let now: Date
  private var counts = ImportReport()
  private var finishedNotes = 0
  /// Notes that were added or changed and are not in the notebook yet.
  private var pending: [Note.ID: Note] = [:]
  /// The notes that have been met in the file already.
  private var met: Set<Note.ID> = []
  /// The notes that were here, by their contents; nil until that is asked for.
  private var contents: NoteContents?
  private var tagIDs: [String: Tag.ID] = [:]

  init(into notebook: Notebook, options: ImportOptions) {
    self.notebook = notebook
    before = notebook
    self.options = options
    now = notebook.sources.now()
  }

  /// What has been done so far.
  var report: ImportReport {
    var report = counts
    report.addedTags = notebook.tags.count - before.tags.count
    report.addedAttachments = notebook.attachments.count - before.attachments.count
    report.addedDeletions = notebook.deletedNotes.count - before.deletedNotes.count
    return report
  }

  /// Takes all notes. Those that need an id come last, so that none gets an id that stands further down in the file.
  mutating func take(_ notes: some Sequence<ForeignNote>, progress: (ImportProgress) throws -> Void) throws {
    var withoutID: [ForeignNote] = []
    for note in notes {
      guard try takeByID(note) else {
        withoutID.append(note)
        continue
      }
      try finishNote(progress)
    }
    for note in withoutID {
      try takeByContent(note)
      try finishNote(progress)
    }
    try putPending()
    if finishedNotes % options.batchSize != 0 { try progress(currentProgress) }
  }

  /// Adds tags as another program spells them; those that are here stay as they are.
  mutating func take(tags: [Tag]) {
    for tag in tags where !notebook.tags.contains(tag.id) { _ = notebook.add(tag) }
  }

  /// Remembers notes as deleted that are neither here nor remembered.
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
    guard finishedNotes % options.batchSize == 0 else { return }
    try putPending()
    try progress(currentProgress)
  }

  private mutating func putPending() throws {
    // In order, which finds each place in the tree near the last one.
    try notebook.notes.put(pending.values.sorted { $0.id < $1.id }.map { RecordBox($0) })
    pending.removeAll(keepingCapacity: true)
  }

  // MARK: One note

  /// Gives false if the note has to be known by its content.
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
    case .add: return false
    }
    met.insert(id)
    return true
  }

  /// Adds the note unless one that is the same was here before the import.
  private mutating func takeByContent(_ note: ForeignNote) throws {
    if contents == nil { contents = NoteContents(of: before.notes) }
    while let id = contents?.popID(of: note.text, madeAt: note.knownCreationDate) {
      // It may have been met, changed or not, by its id.
      guard met.insert(id).inserted, let existing = notebook.notes[id] else { continue }
      let changed = options.conflicts == .change ? try applied(note, to: existing) : existing
      if changed.isSame(as: existing) { counts.unchangedNotes += 1 } else { try change(changed, note) }
      return
    }
    try add(note, id: newID())
  }

  private mutating func newID() -> Note.ID {
    let pending = pending
    return notebook.nextNoteID { pending[$0] != nil }
  }

  private mutating func skip(_ note: ForeignNote, _ reason: String) {
    counts.skipped.append(ImportReport.Skipped(place: note.place, id: note.id, reason: reason))
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
    pending[new.id] = new
  }

  /// Makes no tags: a note that is passed over leaves nothing behind.
  private func applied(_ note: ForeignNote, to existing: Note) throws -> Note {
    let tags = try note.tagNames.map { name in
      guard let name = TagName(name) else { throw Self.emptyName(note) }
      return name.id
    }
    return note.applied(to: existing, tags: tags, now: now)
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
  /// Whether nothing differs, the normalisation of the text included.
  fileprivate func isSame(as other: Note) -> Bool { self == other && text.hasSameBytes(as: other.text) }
}
