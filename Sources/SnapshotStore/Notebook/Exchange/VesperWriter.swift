public import Foundation

extension Notebook {
  /// The notebook, or what of it changed since a date, as the JSON of Vesper's sync service, which
  /// ``importVesper(_:limits:path:options:progress:)`` reads.
  ///
  /// Notes with the names of their tags and with their attachments, tombstones, and tags; one record a line, ids ascending,
  /// dates exact to the bit, and left out if they are not known. The same notebook gives the same bytes. O(n).
  ///
  /// What the format has no place for, and who reads it cannot know:
  /// - `modificationDate`: readers take the latest date of the note's properties, or its creation date if there is none;
  /// - attachments that no note refers to;
  /// - a negative height or width of an attachment: 0 is written, for not known.
  ///
  /// A tombstone has a member that Vesper did not have, `deletionDate`, if its date is known; other readers pass it over.
  ///
  /// - Parameter date: leaves out what did not change since then, as `changed(since:)` tells.
  /// - Throws: ``SnapshotError`` with code `unencodable`, naming the record: a date before the year 1 or after 9999, or what
  ///   breaks a rule of the notebook, see ``violations()``, so that nobody could read it.
  public func vesperJSON(changedSince date: Date? = nil) throws -> [UInt8] {
    var writer = VesperWriter(notebook: date.map { changed(since: $0) } ?? self)
    return try writer.bytes()
  }
}

/// Writes the JSON that ``VesperReader`` reads.
struct VesperWriter: ~Copyable {
  private let notebook: Notebook
  private var sink = ByteSink()

  init(notebook: Notebook) { self.notebook = notebook }

  mutating func bytes() throws(SnapshotError) -> [UInt8] {
    sink.append("{\"notes\":[")
    var isFirst = true
    for note in notebook.notes {
      beginRecord(&isFirst)
      try append(note)
    }
    for deleted in notebook.deletedNotes {
      beginRecord(&isFirst)
      try append(deleted)
    }
    sink.append(isFirst ? "],\n\"tags\":[" : "\n],\n\"tags\":[")
    isFirst = true
    for tag in notebook.tags {
      beginRecord(&isFirst)
      try append(tag)
    }
    sink.append(isFirst ? "]}\n" : "\n]}\n")
    return Array(sink.bytes)
  }

  private mutating func beginRecord(_ isFirst: inout Bool) {
    sink.append(isFirst ? "\n" : ",\n")
    isFirst = false
  }

  // MARK: Records

  private mutating func append(_ note: Note) throws(SnapshotError) {
    let place = "note \(note.id)"
    if let problem = note.problems().first { throw Self.unencodable(place, problem) }
    sink.append("{\"noteID\":")
    sink.append(decimal: note.id)
    append(",\"text\":", note.text)
    sink.append(note.archived ? ",\"archived\":true" : ",\"archived\":false")
    try append(",\"creationDate\":", note.creationDate, place)
    try append(",\"sortDate\":", note.sortDate, place)
    try append(",\"textModificationDate\":", note.textModificationDate, place)
    try append(",\"archivedModificationDate\":", note.archivedModificationDate, place)
    try append(",\"sortDateModificationDate\":", note.sortDateModificationDate, place)
    try append(",\"tagsModificationDate\":", note.tagsModificationDate, place)
    try append(",\"attachmentsModificationDate\":", note.attachmentsModificationDate, place)
    // An empty list is left out if nothing is known about it: otherwise it has to be told from one that is not given.
    if !note.tags.isEmpty || note.tagsModificationDate != nil {
      append(",\"tags\":", try names(note.tags, place))
    }
    if !note.attachments.isEmpty || note.attachmentsModificationDate != nil {
      append(",\"attachments\":", try encoded(note.attachments, place))
    }
    sink.append("}")
  }

  private mutating func append(_ deleted: DeletedNote) throws(SnapshotError) {
    let place = "deleted note \(deleted.id)"
    if deleted.id < 0 { throw Self.unencodable(place, "its id is negative") }
    sink.append("{\"objectType\":\"deletedNote\",\"uniqueID\":")
    sink.append(decimal: deleted.id)
    try append(",\"deletionDate\":", deleted.deletionDate, place)
    sink.append("}")
  }

  private mutating func append(_ tag: Tag) throws(SnapshotError) {
    let place = "tag \(tag.id.quotedForMessage())"
    append("{\"uniqueID\":", tag.id)
    append(",\"name\":", try Self.name(tag, place))
    try append(",\"nameModificationDate\":", tag.nameModificationDate, place)
    sink.append("}")
  }

  // MARK: Members, each with the name that stands before it

  private mutating func append(_ name: StaticString, _ text: String) {
    sink.append(name)
    JSONText.append(text, to: &sink)
  }

  private mutating func append(_ name: StaticString, _ date: Date?, _ place: String) throws(SnapshotError) {
    guard let date else { return }
    sink.append(name)
    sink.append("\"")
    // Negative zero is the same date as zero, and has no text of its own.
    let seconds = date.timeIntervalSinceReferenceDate
    guard TextDate.append(seconds == 0 ? 0 : seconds, to: &sink) else {
      throw Self.unencodable(place, "one of its dates is not within the years 1 to 9999")
    }
    sink.append("\"")
  }

  /// Two spaces stand between the names, since a name may hold single ones.
  private func names(_ ids: [Tag.ID], _ place: String) throws(SnapshotError) -> String {
    var names: [String] = []
    for id in ids {
      guard let tag = notebook.tags[id] else {
        throw Self.unencodable(place, "its tag \(id.quotedForMessage()) does not exist")
      }
      names.append(try Self.name(tag, "tag \(id.quotedForMessage())"))
    }
    return names.joined(separator: "  ")
  }

  private static func name(_ tag: Tag, _ place: String) throws(SnapshotError) -> String {
    guard let name = TagName(tag.name), name.id == tag.id else {
      throw unencodable(place, "its name \(tag.name.quotedForMessage()) is that of another tag, or none")
    }
    return name.spelling
  }

  /// Base64 of the JSON of an array; empty text for an empty one.
  private func encoded(_ ids: [Attachment.ID], _ place: String) throws(SnapshotError) -> String {
    if ids.isEmpty { return "" }
    var inner = ByteSink(capacity: 256)
    for (position, id) in ids.enumerated() {
      guard let attachment = notebook.attachments[id] else {
        throw Self.unencodable(place, "its attachment \(id.quotedForMessage()) does not exist")
      }
      inner.append(position == 0 ? "[{\"uniqueID\":" : ",{\"uniqueID\":")
      JSONText.append(id, to: &inner)
      inner.append(",\"mimeType\":")
      JSONText.append(attachment.mimeType, to: &inner)
      inner.append(",\"height\":")
      inner.append(decimal: Int64(max(0, attachment.height)))
      inner.append(",\"width\":")
      inner.append(decimal: Int64(max(0, attachment.width)))
      inner.append("}")
    }
    inner.append("]")
    return Representation.base64(Array(inner.bytes))
  }

  private static func unencodable(_ place: String, _ problem: String) -> SnapshotError {
    SnapshotError(.unencodable, "\(place): \(problem)")
  }
}
