import Foundation
import SnapshotStore

/// Export as lines of JSON.
extension Notebook {
  /// The notes as newline-delimited JSON for other programs, one object per line. O(bytes).
  ///
  /// An object has `id`, `text`, `archived`, the known dates (ISO 8601, exact), `tags` by their names, and
  /// `attachments` with their type and size.
  ///
  /// It is not a snapshot, which is the form of a store in that format. Readers need not know the tables of the store.
  /// Deleted notes, and tags and attachments without notes, are not in it. ``ForeignContent/init(ndjson:limits:path:)``
  /// reads it. The same notes give the same bytes.
  public func ndjson() -> [UInt8] {
    var json = JSONSink()
    for note in notes { append(note, to: &json) }
    return json.finish()
  }

  private func append(_ note: Note, to json: inout JSONSink) {
    json.beginObject()
    // A negative id can come from a file from elsewhere. No note may have one, so it is left out.
    if note.id >= 0 {
      json.key("id")
      json.append(note.id)
    }
    json.append("text", note.text)
    json.key("archived")
    json.append(note.archived)
    json.append("creationDate", note.creationDate)
    json.append("sortDate", note.sortDate)
    json.append("modificationDate", note.modificationDate)
    json.append("textModificationDate", note.textModificationDate)
    json.append("archivedModificationDate", note.archivedModificationDate)
    json.append("sortDateModificationDate", note.sortDateModificationDate)
    json.append("tagsModificationDate", note.tagsModificationDate)
    json.append("attachmentsModificationDate", note.attachmentsModificationDate)
    json.key("tags")
    json.beginArray()
    for name in tagNames(of: note) { json.append(name) }
    json.endArray()
    json.key("attachments")
    json.beginArray()
    for attachment in note.attachments.compactMap({ attachments[$0] }) { json.append(attachment, idKey: "id") }
    json.endArray()
    json.endObject()
    json.breakLine()
  }
}

extension JSONSink {
  /// Appends a member with a text.
  mutating func append(_ key: StaticString, _ text: String) {
    self.key(key)
    append(text)
  }

  /// Appends an attachment. A negative size means unknown.
  mutating func append(_ attachment: Attachment, idKey: StaticString) {
    beginObject()
    append(idKey, attachment.id)
    append("mimeType", attachment.mimeType)
    key("height")
    append(Int64(max(0, attachment.height)))
    key("width")
    append(Int64(max(0, attachment.width)))
    endObject()
  }

  fileprivate mutating func append(_ key: StaticString, _ date: Date?) {
    guard let date, date.timeIntervalSinceReferenceDate.isFinite else { return }
    self.key(key)
    if !append(textOf: date) { append(ForeignDate.unusualText(date)) }
  }
}
