import Foundation
public import SnapshotStore

/// Reading of notes from lines of JSON.
extension ForeignContent {
  /// The notes in newline-delimited JSON (UTF-8, or UTF-16 with a byte order mark), one object per line.
  ///
  /// `text` is required. Optional are `id`, `archived`, `creationDate`, `sortDate` and `modificationDate` (also called
  /// `created`, `sort` and `modified`), and the other dates of ``Note``. Optional are also `tags` (an array of names)
  /// and `attachments` (an array of objects with `id`, `mimeType`, `height` and `width`). Null counts as absent. A date
  /// that cannot be read does too, and the report names it. Other keys are ignored, and a remark names them.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - limits: the greatest sizes and depth; `elementCount` limits lines too.
  ///   - path: the name of the source in errors and in the places of the notes.
  /// - Throws: `SnapshotError` with the line and the column of the fault; with code `wrongSchema` for a snapshot.
  public init(ndjson bytes: [UInt8], limits: ReadLimits = ReadLimits(), path: String? = nil) throws {
    do throws(SnapshotError) {
      var reader = NoteLinesReader(lines: try UntypedLines(reading: TextFile.utf8(bytes), limits: limits), path: path)
      self = try reader.content()
    } catch {
      throw path.map(error.at(path:)) ?? error
    }
  }
}

/// Makes notes from the lines of a file.
private struct NoteLinesReader {
  private var lines: UntypedLines
  private let path: String?
  /// Keys that no note has, in the order of the file.
  private var unknown: [String] = []
  private var knownAsUnknown: Set<ExactText> = []

  init(lines: UntypedLines, path: String?) {
    self.lines = lines
    self.path = path
  }

  mutating func content() throws(SnapshotError) -> ForeignContent {
    var content = ForeignContent()
    while let value = try lines.next() { content.notes.append(try note(value)) }
    content.remarks = ForeignContent.remarks(on: content.notes)
    if !unknown.isEmpty { content.remarks.append(ForeignContent.remark(leftOut: unknown, "key")) }
    return content
  }

  private mutating func note(_ value: UntypedValue) throws(SnapshotError) -> ForeignNote {
    guard let members = value.record else {
      throw lines.error(.invalidValue, "expected an object, found \(value.kind)", at: value)
    }
    if members["text"] == nil,
      members["snapshot"] != nil || (members["table"] != nil && members["record"] != nil)
    {
      let message = "this is a snapshot of a store, not an export of notes; it can be opened, or restored, as it is"
      throw lines.error(.wrongSchema, message, at: value)
    }
    var note = ForeignNote(text: "", line: lines.line, of: path)
    (note.givesTags, note.givesAttachments) = (false, false)
    var hasText = false
    for (key, value) in members where !value.isNull {
      let key = ExactText(key)
      if key == "text" { hasText = true }
      try read(key, value, into: &note)
    }
    guard hasText else { throw lines.error(.missingKey, "the note has no “text”", at: value) }
    return note
  }

  private mutating func read(_ key: ExactText, _ value: UntypedValue, into note: inout ForeignNote)
    throws(SnapshotError)
  {
    switch key {
    case "id": note.id = try id(value)
    case "text": note.text = try text(value, "text")
    case "archived": note.archived = try bool(value)
    case "creationDate", "created": note.creationDate = note.warnings.date(value)
    case "sortDate", "sort": note.sortDate = note.warnings.date(value)
    case "modificationDate", "modified": note.modificationDate = note.warnings.date(value)
    case "textModificationDate": note.textModificationDate = note.warnings.date(value)
    case "archivedModificationDate": note.archivedModificationDate = note.warnings.date(value)
    case "sortDateModificationDate": note.sortDateModificationDate = note.warnings.date(value)
    case "tagsModificationDate": note.tagsModificationDate = note.warnings.date(value)
    case "attachmentsModificationDate": note.attachmentsModificationDate = note.warnings.date(value)
    case "tags":
      note.tagNames = try array(value, "tags", tagName)
      note.givesTags = true
    case "attachments":
      note.attachments = try array(value, "attachments", attachment)
      note.givesAttachments = true
    default: if knownAsUnknown.insert(key).inserted { unknown.append(key.text) }
    }
  }

  // MARK: Values

  private func failure(_ expectation: String, _ value: UntypedValue, _ path: String) -> SnapshotError {
    lines.error(.invalidValue, "expected \(expectation), found \(value.kind)", at: value, dataPath: path)
  }

  private func id(_ value: UntypedValue) throws(SnapshotError) -> Note.ID {
    guard let id = value.integer, id >= 0 else { throw failure("a positive integer", value, "id") }
    return id
  }

  private func text(_ value: UntypedValue, _ path: String) throws(SnapshotError) -> String {
    guard let text = value.text else { throw failure("text", value, path) }
    return text
  }

  private func bool(_ value: UntypedValue) throws(SnapshotError) -> Bool {
    guard let bool = value.bool else { throw failure("true or false", value, "archived") }
    return bool
  }

  private func array<Element>(
    _ value: UntypedValue, _ path: String, _ read: (UntypedValue, String) throws(SnapshotError) -> Element
  ) throws(SnapshotError) -> [Element] {
    guard let values = value.array else { throw failure("an array", value, path) }
    var elements: [Element] = []
    for (index, value) in values.enumerated() { elements.append(try read(value, "\(path)[\(index)]")) }
    return elements
  }

  private func tagName(_ value: UntypedValue, _ path: String) throws(SnapshotError) -> String {
    let name = try text(value, path)
    guard TagName(name) != nil else { throw failure("the name of a tag, which is not empty", value, path) }
    return name
  }

  private func attachment(_ value: UntypedValue, _ path: String) throws(SnapshotError) -> Attachment {
    guard let members = value.record, let id = members["id"], let type = members["mimeType"] else {
      throw failure("an object with “id” and “mimeType”", value, path)
    }
    return Attachment(
      id: try text(id, path + ".id"), mimeType: try text(type, path + ".mimeType"),
      height: try size(members["height"], path + ".height"), width: try size(members["width"], path + ".width"))
  }

  private func size(_ value: UntypedValue?, _ path: String) throws(SnapshotError) -> Int {
    guard let value, !value.isNull else { return 0 }
    guard let size = value.integer, size >= 0 else { throw failure("a number of pixels", value, path) }
    return Int(size)
  }
}
