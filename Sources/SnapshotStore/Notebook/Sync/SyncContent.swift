import Foundation

/// What another copy of a notebook holds, or the part of it that came in: what ``Notebook/merge(_:policy:)`` merges.
public struct SyncContent: Sendable {
  var notes: [SyncNote] = []
  var tags: [Tag] = []
  /// Tags that notes have and nobody lists: made if need be, but no reason to spell one otherwise that is there.
  var namedTags: [Tag] = []
  var attachments: [Attachment] = []
  var deletions: [DeletedNote] = []
  /// Notes that were deleted at a date that cannot be read.
  var unreadableDeletions: [Note.ID] = []
  /// What nobody can take over.
  var skipped: [ImportReport.Skipped] = []
  /// The snapshot that it was read from, if it was one, for what a notebook does not know of it: see
  /// ``SnapshotContent/mergeUnknown(from:policy:)``.
  public private(set) var snapshot: SnapshotContent<Notebook>?

  /// Everything in a notebook, which may be a part of another one, see `Notebook.changed(since:)`. O(n).
  public init(_ notebook: Notebook) {
    notes.reserveCapacity(notebook.notes.count)
    notebook.notes.forEachLeaf { _, boxes in notes += boxes.map { SyncNote($0) } }
    tags = Array(notebook.tags)
    attachments = Array(notebook.attachments)
    deletions = Array(notebook.deletedNotes)
  }

  /// What the JSON of Vesper's sync service holds: all of it, or an array of notes, of tags, or of the ids of deleted notes.
  ///
  /// A tag without a name is passed over, and listed in the report of the merge. Otherwise as strict as an import, with one exception: a date that cannot be read is no error, but counts as not given. A value that
  /// is null or empty clears only where its modification date says that it was cleared later than ours was changed; one that
  /// is absent clears nothing, and its modification date says nothing.
  ///
  /// - Throws: ``SnapshotError``, with the place in the file.
  public init(vesper bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws {
    let (root, source) = try ForeignTree.read(bytes, limits: limits)
    let reader = VesperReader(source: source, limits: limits, refusesUnreadableDates: false)
    let content = try reader.content(root)
    var names: [Tag.ID: TagName] = [:]
    for incoming in content.notes {
      let tags = incoming.tagNames.compactMap { TagName($0) }
      for tag in tags { names[tag.id] = TagName.preferred(names[tag.id], tag) }
      notes.append(SyncNote(incoming, tags: tags.map(\.id)))
      attachments += incoming.attachments
    }
    tags = content.tags
    let listed = Set(content.tags.map(\.id))
    namedTags = names.values.filter { !listed.contains($0.id) }.map { Tag($0, nameModificationDate: nil) }
    deletions = content.deletions
    unreadableDeletions = content.unreadableDeletions
    skipped = content.skipped
  }

  /// What a file of either kind holds: a snapshot of a notebook in any format, or the JSON of Vesper's sync service. Errors
  /// call the source by the path.
  ///
  /// - Throws: ``SnapshotError``, with the place in the file.
  public init(reading bytes: [UInt8], path: String? = nil, limits: ReadLimits = ReadLimits()) throws {
    if Self.isVesper(bytes) {
      do {
        try self.init(vesper: bytes, limits: limits)
        if let path { for index in skipped.indices { skipped[index].place = "\(path): \(skipped[index].place)" } }
      } catch let error as SnapshotError {
        throw path.map { error.at(path: $0) } ?? error
      }
    } else {
      let content = try SnapshotFile.decodeContent(Notebook.self, from: bytes, limits: limits, path: path)
      self.init(content.value)
      snapshot = content
    }
  }

  /// Whether a file is JSON whose first word is one of Vesper's. A snapshot begins with `snapshot`.
  private static func isVesper(_ bytes: [UInt8]) -> Bool {
    let start = bytes.drop(while: FileFormat.isWhitespace)
    if start.first == UInt8(ascii: "[") { return true }
    guard start.first == UInt8(ascii: "{") else { return false }
    let key = start.dropFirst().drop(while: FileFormat.isWhitespace)
    return !key.starts(with: "\"snapshot\"".utf8) && !key.starts(with: "\"table\"".utf8)
  }

  /// Refuses what would break the rules of the notebook that it is merged into.
  func requireSound() throws(SnapshotError) {
    for incoming in notes {
      if let problem = incoming.note.problems().first { throw Self.refusal("note \(incoming.note.id)", problem) }
    }
    for tag in tags {
      guard let name = TagName(tag.name), name.id.utf8.elementsEqual(tag.id.utf8) else {
        throw Self.refusal("tag \(tag.id.quotedForMessage())", "its name is that of another tag, or none")
      }
      if tag.nameModificationDate?.isFinite == false {
        throw Self.refusal("tag \(tag.id.quotedForMessage())", "its date is not finite")
      }
    }
    for deleted in deletions where deleted.id < 0 || deleted.deletionDate?.isFinite == false {
      throw Self.refusal("deleted note \(deleted.id)", "its id is negative, or its date is not finite")
    }
  }

  private static func refusal(_ place: String, _ problem: String) -> SnapshotError {
    SnapshotError(.invalidValue, "\(place): \(problem)")
  }
}

extension TagName {
  /// The one of two spellings of a name that wins where no date decides: the one whose bytes are greater.
  static func preferred(_ a: TagName?, _ b: TagName) -> TagName {
    guard let a else { return b }
    return a.spelling.utf8.lexicographicallyPrecedes(b.spelling.utf8) ? b : a
  }
}
