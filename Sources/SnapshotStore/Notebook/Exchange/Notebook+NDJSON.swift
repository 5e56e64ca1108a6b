import Foundation

extension Notebook {
  /// The notes as newline-delimited JSON, an object a line, for other programs: `id`, `text`, `archived`, the dates that are
  /// known (ISO 8601, exact), `tags` by their names, and `attachments` with their type and size.
  ///
  /// Not a snapshot, which is what a store in that format is: who reads it need not know the tables of the store, and deleted
  /// notes, and tags and attachments without notes, are not in it. ``ForeignContent/init(ndjson:limits:path:)`` reads it. The
  /// same notes give the same bytes. O(bytes).
  public func ndjson() -> [UInt8] {
    var sink = ByteSink()
    for note in notes { append(note, to: &sink) }
    return Array(sink.bytes)
  }

  private func append(_ note: Note, to sink: inout ByteSink) {
    // What no note may have, because a file from elsewhere has it, is not given.
    if note.id >= 0 {
      sink.append("{\"id\":")
      sink.append(decimal: note.id)
      sink.append(",\"text\":")
    } else {
      sink.append("{\"text\":")
    }
    JSONText.append(note.text, to: &sink)
    sink.append(note.archived ? ",\"archived\":true" : ",\"archived\":false")
    sink.append(",\"creationDate\":", note.creationDate)
    sink.append(",\"sortDate\":", note.sortDate)
    sink.append(",\"modificationDate\":", note.modificationDate)
    sink.append(",\"textModificationDate\":", note.textModificationDate)
    sink.append(",\"archivedModificationDate\":", note.archivedModificationDate)
    sink.append(",\"sortDateModificationDate\":", note.sortDateModificationDate)
    sink.append(",\"tagsModificationDate\":", note.tagsModificationDate)
    sink.append(",\"attachmentsModificationDate\":", note.attachmentsModificationDate)
    sink.append(",\"tags\":[")
    for (index, name) in tagNames(of: note).enumerated() {
      if index > 0 { sink.append(",") }
      JSONText.append(name, to: &sink)
    }
    sink.append("],\"attachments\":[")
    for (index, attachment) in note.attachments.compactMap({ attachments[$0] }).enumerated() {
      if index > 0 { sink.append(",") }
      sink.append(attachment)
    }
    sink.append("]}\n")
  }
}

extension ByteSink {
  fileprivate mutating func append(_ key: StaticString, _ date: Date?) {
    guard let date, date.timeIntervalSinceReferenceDate.isFinite else { return }
    append(key)
    append("\"")
    ForeignDate.append(date, to: &self)
    append("\"")
  }

  fileprivate mutating func append(_ attachment: Attachment) {
    append("{\"id\":")
    JSONText.append(attachment.id, to: &self)
    append(",\"mimeType\":")
    JSONText.append(attachment.mimeType, to: &self)
    append(",\"height\":")
    append(decimal: Int64(max(0, attachment.height)))
    append(",\"width\":")
    append(decimal: Int64(max(0, attachment.width)))
    append("}")
  }
}
