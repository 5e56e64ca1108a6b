import Foundation

extension ForeignContent {
  /// The notes in newline-delimited JSON (UTF-8), an object a line.
  ///
  /// Only `text` must be there; `id`, `archived`, `creationDate`, `sortDate`, `modificationDate` (also called `created`, `sort`
  /// and `modified`) and the other dates of ``Note``, `tags` (an array of names) and `attachments` (an array of objects with
  /// `id`, `mimeType`, `height` and `width`) may be. Null is the same as absent. Other keys are left out, and named among the
  /// remarks.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - limits: what is refused for its size or depth; `elementCount` bounds lines too.
  ///   - path: what errors and the places of the notes call the source.
  /// - Throws: ``SnapshotError`` with the line and the column of what is wrong; with code `wrongSchema` for a snapshot.
  public init(ndjson bytes: [UInt8], limits: ReadLimits = ReadLimits(), path: String? = nil) throws {
    do throws(SnapshotError) {
      try limits.requireSize(of: bytes)
      let source = try SourceText(bytes, format: .ndjson)
      self = try bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
        var reader = NoteLinesReader(scanner: JSONScanner(bytes, of: source, limits: limits), path: path)
        return try reader.content()
      }
    } catch {
      throw path.map(error.at(path:)) ?? error
    }
  }
}

/// Makes notes of the lines of a file.
private struct NoteLinesReader {
  private var scanner: JSONScanner
  private let path: String?
  private var line = 1
  /// Where `line` begins or later, in any case before the next object.
  private var lineOffset = 0
  /// Keys that no note has, in the order in which they were met.
  private var unknown: [String] = []
  private var knownAsUnknown: Set<ExactText> = []

  init(scanner: JSONScanner, path: String?) {
    self.scanner = scanner
    self.path = path
  }

  mutating func content() throws(SnapshotError) -> ForeignContent {
    var content = ForeignContent()
    while let item = try scanner.line() {
      if content.notes.count >= scanner.limits.elementCount {
        throw scanner.failure(scanner.limits.countMessage, at: item.offset, .limitExceeded)
      }
      countLines(to: item.offset)
      content.notes.append(try note(item))
    }
    if !unknown.isEmpty { content.remarks.append(ForeignContent.remark(leftOut: unknown, "key")) }
    return content
  }

  private mutating func countLines(to offset: Int) {
    for index in lineOffset..<offset where scanner.bytes[index] == UInt8(ascii: "\n") { line += 1 }
    lineOffset = offset
  }

  private mutating func note(_ item: Item) throws(SnapshotError) -> ForeignNote {
    guard case .dictionary(let members) = item.content else {
      throw scanner.failure("expected an object, found \(item.kind)", at: item.offset, .invalidValue)
    }
    if item["text"] == nil, item["snapshot"] != nil || (item["table"] != nil && item["record"] != nil) {
      throw scanner.failure(
        "this is a snapshot of a store, not an export of notes; it can be opened, or restored, as it is",
        at: item.offset,
        .wrongSchema)
    }
    var note = ForeignNote(text: "", line: line, of: path)
    (note.givesTags, note.givesAttachments) = (false, false)
    var hasText = false
    for member in members {
      if case .null = member.value.content { continue }
      if member.key == "text" { hasText = true }
      try read(member, into: &note)
    }
    guard hasText else { throw scanner.failure("the note has no “text”", at: item.offset, .missingKey) }
    return note
  }

  private mutating func read(_ member: Item.Member, into note: inout ForeignNote) throws(SnapshotError) {
    let value = member.value
    switch member.key {
    case "id": note.id = try id(value)
    case "text": note.text = try text(value, "text")
    case "archived": note.archived = try bool(value)
    case "creationDate", "created": note.creationDate = try date(value, member.key.text)
    case "sortDate", "sort": note.sortDate = try date(value, member.key.text)
    case "modificationDate", "modified": note.modificationDate = try date(value, member.key.text)
    case "textModificationDate": note.textModificationDate = try date(value, member.key.text)
    case "archivedModificationDate": note.archivedModificationDate = try date(value, member.key.text)
    case "sortDateModificationDate": note.sortDateModificationDate = try date(value, member.key.text)
    case "tagsModificationDate": note.tagsModificationDate = try date(value, member.key.text)
    case "attachmentsModificationDate": note.attachmentsModificationDate = try date(value, member.key.text)
    case "tags":
      note.tagNames = try array(value, "tags", tagName)
      note.givesTags = true
    case "attachments":
      note.attachments = try array(value, "attachments", attachment)
      note.givesAttachments = true
    default: if knownAsUnknown.insert(member.key).inserted { unknown.append(member.key.text) }
    }
  }

  // MARK: Values

  private func failure(_ expectation: String, _ item: Item, _ path: String) -> SnapshotError {
    var error = scanner.failure("expected \(expectation), found \(item.kind)", at: item.offset, .invalidValue)
    error.dataPath = path
    return error
  }

  private func id(_ item: Item) throws(SnapshotError) -> Note.ID {
    guard case .integer(let id) = item.content, id >= 0 else { throw failure("a positive integer", item, "id") }
    return id
  }

  private func text(_ item: Item, _ path: String) throws(SnapshotError) -> String {
    guard case .string(let text) = item.content else { throw failure("text", item, path) }
    return text
  }

  private func bool(_ item: Item) throws(SnapshotError) -> Bool {
    guard case .bool(let value) = item.content else { throw failure("true or false", item, "archived") }
    return value
  }

  private func date(_ item: Item, _ path: String) throws(SnapshotError) -> Date {
    guard case .string(let text) = item.content, let date = ForeignDate.date(text) else {
      throw failure(ForeignDate.expectation, item, path)
    }
    return date
  }

  private func array<Value>(
    _ item: Item, _ path: String, _ read: (Item, String) throws(SnapshotError) -> Value
  ) throws(SnapshotError) -> [Value] {
    guard case .array(let items) = item.content else { throw failure("an array", item, path) }
    var values: [Value] = []
    for (index, item) in items.enumerated() { values.append(try read(item, "\(path)[\(index)]")) }
    return values
  }

  private func tagName(_ item: Item, _ path: String) throws(SnapshotError) -> String {
    let name = try text(item, path)
    guard TagName(name) != nil else { throw failure("the name of a tag, which is not empty", item, path) }
    return name
  }

  private func attachment(_ item: Item, _ path: String) throws(SnapshotError) -> Attachment {
    guard let id = item["id"], let type = item["mimeType"] else {
      throw failure("an object with “id” and “mimeType”", item, path)
    }
    return Attachment(
      id: try text(id, path + ".id"), mimeType: try text(type, path + ".mimeType"),
      height: try size(item["height"], path + ".height"), width: try size(item["width"], path + ".width"))
  }

  private func size(_ item: Item?, _ path: String) throws(SnapshotError) -> Int {
    switch item?.content {
    case nil, .null: return 0
    case .integer(let size) where size >= 0: return Int(size)
    default: throw failure("a number of pixels", item ?? Item(.null), path)
    }
  }
}
