import Foundation
public import SnapshotStore

/// What a sync brings in as a file of Vesper.
extension SyncContent {
  /// What the JSON of Vesper's sync service holds: all of it, or an array of notes, of tags, or of the ids of deleted notes.
  ///
  /// A tag without a name is passed over, and listed in the report of the merge. Otherwise as strict as an import, with one exception: a date that cannot be read is no error, but counts as not given. A value that
  /// is null or empty clears only where its modification date says that it was cleared later than ours was changed; one that
  /// is absent clears nothing, and its modification date says nothing.
  ///
  /// - Throws: `SnapshotError`, with the place in the file.
  public init(vesper bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws {
    let document = try UntypedDocument(reading: bytes, limits: limits)
    let content = try VesperReader(document: document, limits: limits, refusesUnreadableDates: false).content()
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
      let content = try SnapshotFile.decodeContent(Notebook.self, from: bytes, limits: limits, path: path)
      self.init(content.value)
      snapshot = content
    }
  }

  /// Whether a file is JSON whose first word is one of Vesper's. A snapshot begins with `snapshot`.
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
    // The date of a value that is not there would make nothing of it the latest. Null is a value: it clears.
    let withoutValue = incoming.absent.union(missing.intersection(.sortDate))
    for (property, name) in Self.dateNames where withoutValue.contains(property) { incoming.dates[name] = nil }
    box = RecordBox(incoming.note(tags: tags, now: .distantPast))
  }

  private static let dateNames: [(NoteProperties, String)] = [
    (.text, "textModificationDate"), (.archived, "archivedModificationDate"),
    (.sortDate, "sortDateModificationDate"), (.tags, "tagsModificationDate"),
    (.attachments, "attachmentsModificationDate"),
  ]
}
