public import Foundation
import SnapshotStore

/// Export as the JSON of Vesper.
extension Notebook {
  /// The notebook, or its changes since a date, as the JSON of Vesper's sync service.
  /// ``ForeignContent/init(vesper:limits:path:)`` reads it. O(n).
  ///
  /// It contains notes with the names of their tags and with their attachments, tombstones, and tags. There is one
  /// record per line, ids ascend, and dates are exact to the bit. Unknown dates are left out. The same notebook gives
  /// the same bytes.
  ///
  /// The format has no place for these values, so readers cannot know them:
  ///
  /// - `modificationDate`: readers take the latest date of the note's properties, or its creation date if there is
  ///   none;
  /// - attachments that no note refers to;
  /// - a negative height or width of an attachment: 0 is written, which means unknown.
  ///
  /// A tombstone with a known date has a member that Vesper did not have, `deletionDate`. Other readers ignore it.
  ///
  /// - Parameter date: leaves out records that did not change since then, as `changed(since:)` does.
  /// - Throws: `SnapshotError` with code `unencodable`, naming the record, for a date before the year 1 or after 9999.
  ///   Also for a record that breaks a rule of the notebook (see `allViolations()`), so that no reader could accept it.
  public func vesperJSON(changedSince date: Date? = nil) throws -> [UInt8] {
    try VesperWriter(notebook: date.map { changed(since: $0) } ?? self).bytes()
  }
}

/// Writes the JSON that ``VesperReader`` reads.
struct VesperWriter: ~Copyable {
  private let notebook: Notebook
  private var json = JSONSink()

  init(notebook: Notebook) { self.notebook = notebook }

  consuming func bytes() throws(SnapshotError) -> [UInt8] {
    json.beginObject()
    try appendNotes()
    json.breakLine()
    try appendTags()
    json.endObject()
    json.breakLine()
    return json.finish()
  }

  /// The notes, and the tombstones of deleted ones.
  private mutating func appendNotes() throws(SnapshotError) {
    json.key("notes")
    json.beginArray()
    for note in notebook.notes { try append(note) }
    for deleted in notebook.deletedNotes { try append(deleted) }
    json.endArray()
  }

  private mutating func appendTags() throws(SnapshotError) {
    json.key("tags")
    json.beginArray()
    for tag in notebook.tags { try append(tag) }
    json.endArray()
  }

  private mutating func beginRecord() {
    json.breakLine()
    json.beginObject()
  }

  private mutating func endRecord() {
    json.endObject()
    // The line break before the next record, or before the end of the array.
    json.breakLine()
  }

  // MARK: Records

  private mutating func append(_ note: Note) throws(SnapshotError) {
    let place = "note \(note.id)"
    if let problem = note.problems().first { throw Self.unencodable(place, problem) }
    beginRecord()
    json.key("noteID")
    json.append(note.id)
    json.append("text", note.text)
    json.key("archived")
    json.append(note.archived)
    try append("creationDate", note.creationDate, place)
    try append("sortDate", note.sortDate, place)
    try append("textModificationDate", note.textModificationDate, place)
    try append("archivedModificationDate", note.archivedModificationDate, place)
    try append("sortDateModificationDate", note.sortDateModificationDate, place)
    try append("tagsModificationDate", note.tagsModificationDate, place)
    try append("attachmentsModificationDate", note.attachmentsModificationDate, place)
    // An empty list with a date is written, so that readers can tell it from a list that is not given.
    if !note.tags.isEmpty || note.tagsModificationDate != nil {
      json.append("tags", try names(note.tags, place))
    }
    if !note.attachments.isEmpty || note.attachmentsModificationDate != nil {
      json.append("attachments", try encoded(note.attachments, place))
    }
    endRecord()
  }

  private mutating func append(_ deleted: DeletedNote) throws(SnapshotError) {
    let place = "deleted note \(deleted.id)"
    if deleted.id < 0 { throw Self.unencodable(place, "its id is negative") }
    beginRecord()
    json.append("objectType", "deletedNote")
    json.key("uniqueID")
    json.append(deleted.id)
    try append("deletionDate", deleted.deletionDate, place)
    endRecord()
  }

  private mutating func append(_ tag: Tag) throws(SnapshotError) {
    let place = "tag \(SnapshotError.quoted(tag.id))"
    let name = try Self.name(tag, place)
    beginRecord()
    json.append("uniqueID", tag.id)
    json.append("name", name)
    try append("nameModificationDate", tag.nameModificationDate, place)
    endRecord()
  }

  // MARK: Values

  private mutating func append(_ key: StaticString, _ date: Date?, _ place: String) throws(SnapshotError) {
    guard let date else { return }
    json.key(key)
    // Negative zero is the same date as zero, and has no text of its own.
    let seconds = date.timeIntervalSinceReferenceDate
    guard json.append(textOf: seconds == 0 ? Date(timeIntervalSinceReferenceDate: 0) : date) else {
      throw Self.unencodable(place, "one of its dates is not within the years 1 to 9999")
    }
  }

  /// Two spaces separate the names, since a name may contain single ones.
  private func names(_ ids: [Tag.ID], _ place: String) throws(SnapshotError) -> String {
    var names: [String] = []
    for id in ids {
      guard let tag = notebook.tags[id] else {
        throw Self.unencodable(place, "its tag \(SnapshotError.quoted(id)) does not exist")
      }
      names.append(try Self.name(tag, "tag \(SnapshotError.quoted(id))"))
    }
    return names.joined(separator: "  ")
  }

  private static func name(_ tag: Tag, _ place: @autoclosure () -> String) throws(SnapshotError) -> String {
    guard let name = TagName(tag.name), name.id == tag.id else {
      throw unencodable(place(), "its name \(SnapshotError.quoted(tag.name)) is empty, or does not match its id")
    }
    return name.spelling
  }

  /// The Base64 of a JSON array; an empty text for an empty array.
  private func encoded(_ ids: [Attachment.ID], _ place: String) throws(SnapshotError) -> String {
    if ids.isEmpty { return "" }
    var inner = JSONSink(capacity: 256)
    inner.beginArray()
    for id in ids {
      guard let attachment = notebook.attachments[id] else {
        throw Self.unencodable(place, "its attachment \(SnapshotError.quoted(id)) does not exist")
      }
      inner.append(attachment, idKey: "uniqueID")
    }
    inner.endArray()
    return Data(inner.finish()).base64EncodedString()
  }

  private static func unencodable(_ place: String, _ problem: String) -> SnapshotError {
    SnapshotError(.unencodable, "\(place): \(problem)")
  }
}
