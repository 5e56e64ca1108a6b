import Foundation
public import SnapshotStore

/// Content of a sync from a file of Vesper.
extension SyncContent {
  /// The content of the JSON of Vesper's sync service. It may be all of it, or an array of notes, of tags, or of the
  /// ids of deleted notes.
  ///
  /// A tag without a name is skipped, and the report of the merge lists it. An unreadable date counts as not given, and
  /// is listed too. A null or empty value clears ours only if its modification date is later. An absent value clears
  /// nothing, and its modification date is ignored.
  ///
  /// - Throws: `SnapshotError`, with the place in the file.
  public init(vesper bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws {
    let document = try UntypedDocument(reading: bytes, limits: limits)
    let content = try VesperReader(document: document, limits: limits).content()
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
    for note in content.notes {
      for case .date(let text) in note.warnings {
        let reason = "has \(SnapshotError.quoted(text)) in the place of a date"
        skipped.append(SkippedItem(place: note.place, id: note.id, reason: reason))
      }
    }
  }

  /// The content of a file of either kind: a snapshot of a notebook in any format, or the JSON of Vesper's sync
  /// service. Errors name the source by the path.
  ///
  /// - Throws: `SnapshotError`, with the place in the file.
  public init(reading bytes: [UInt8], path: String? = nil, limits: ReadLimits = ReadLimits()) throws {
    if Self.isVesper(bytes) {
      do {
        try self.init(vesper: bytes, limits: limits)
        if let path { for index in skipped.indices { skipped[index].place = "\(path): \(skipped[index].place)" } }
      } catch let error as SnapshotError {
        throw path.map { error.at(path: $0) } ?? error
      }
    } else {
      let content = try SnapshotFile.decodeContent(
        Notebook.self, from: bytes, path: path, options: ReadOptions(limits: limits))
      self.init(content.value)
      snapshot = content
    }
  }

  /// Whether a file is JSON whose first key is one of Vesper's. A snapshot begins with `snapshot`.
  private static func isVesper(_ bytes: [UInt8]) -> Bool {
    let isSpace = { (byte: UInt8) in " \t\n\r".utf8.contains(byte) }
    let start = bytes.drop(while: isSpace)
    if start.first == UInt8(ascii: "[") { return true }
    guard start.first == UInt8(ascii: "{") else { return false }
    let key = start.dropFirst().drop(while: isSpace)
    return !key.starts(with: "\"snapshot\"".utf8) && !key.starts(with: "\"table\"".utf8)
  }
}

extension SyncNote {
  init(_ incoming: VesperNote, tags: [Tag.ID]) {
    missing = incoming.missing.union(.modificationDate)
    if incoming.dates["creationDate"] == nil { missing.insert(.creationDate) }
    if incoming.dates["sortDate"] == nil { missing.insert(.sortDate) }
    var incoming = incoming
    // The date of an absent value would make the empty substitute the latest. Null is a value: it clears.
    let withoutValue = incoming.absent.union(missing.intersection(.sortDate))
    for (property, name) in Self.dateNames where withoutValue.contains(property) { incoming.dates[name] = nil }
    box = Table.Box(incoming.note(tags: tags, now: .distantPast))
  }

  private static let dateNames: [(NoteProperties, String)] = [
    (.text, "textModificationDate"), (.archived, "archivedModificationDate"),
    (.sortDate, "sortDateModificationDate"), (.tags, "tagsModificationDate"),
    (.attachments, "attachmentsModificationDate"),
  ]
}
