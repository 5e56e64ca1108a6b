import Foundation

/// Reads Vesper's files from the untyped tree. Errors name the place in the file.
struct VesperReader {
  let source: SourceText
  let limits: ReadLimits
  /// Whether a date that cannot be read is an error. Otherwise it counts as not known, as is right for a merge: a date that
  /// is not known never wins.
  var refusesUnreadableDates = true

  struct Content {
    var notes: [VesperNote] = []
    var tags: [Tag] = []
    /// Notes that were deleted; Vesper itself did not write when.
    var deletions: [DeletedNote] = []
    /// Notes that were deleted at a date that cannot be read, if that is no error.
    var unreadableDeletions: [Note.ID] = []
    /// What nobody can take over, and is no reason to refuse the rest.
    var skipped: [ImportReport.Skipped] = []
  }

  /// What a file of any kind holds: our envelope of notes and tags, an array of the service, or the tutorial.
  func content(_ root: Item) throws(SnapshotError) -> Content {
    var content = Content()
    if case .array(let items) = root.content {
      for (index, item) in items.enumerated() { try take(item, "[\(index)]", into: &content) }
      return content
    }
    guard root["notes"] != nil || root["tags"] != nil else {
      throw failure("expected “notes” and “tags”, or an array of notes, of tags or of ids of deleted notes", root, "")
    }
    for (index, item) in try array(root["tags"], "tags").enumerated() {
      try take(tag: item, "tags[\(index)]", into: &content)
    }
    for (index, item) in try array(root["notes"], "notes").enumerated() {
      let path = "notes[\(index)]"
      if isDeletion(item) {
        try take(deletion: item, path, into: &content)
      } else {
        content.notes.append(try syncNote(item, path))
      }
    }
    return content
  }

  /// An element of an array of the sync service, or of the tutorial, which has ids that are numbers and no names.
  private func take(_ item: Item, _ path: String, into content: inout Content) throws(SnapshotError) {
    if case .integer(let id) = item.content, id >= 0 {
      content.deletions.append(DeletedNote(id: id, deletionDate: nil))
    } else if item["noteID"] != nil {
      content.notes.append(try syncNote(item, path))
    } else if isDeletion(item) {
      try take(deletion: item, path, into: &content)
    } else if item["name"] != nil || item["nameModificationDate"] != nil || item["uniqueID"]?.text != nil {
      try take(tag: item, path, into: &content)
    } else if item["uniqueID"] != nil || item["text"] != nil {
      content.notes.append(try tutorialNote(item, path))
    } else {
      throw failure("expected a note, a tag or the id of a deleted note, found \(item.kind)", item, path)
    }
  }

  /// A deleted note has a type and no note's id. A null is no type, and what holds a note is one, whatever it is called.
  private func isDeletion(_ item: Item) -> Bool {
    guard let type = item["objectType"], item["noteID"] == nil else { return false }
    if case .null = type.content { return false }
    return true
  }

  private func all<Value>(
    _ items: [Item], _ name: String, _ read: (Item, String) throws(SnapshotError) -> Value
  ) throws(SnapshotError) -> [Value] {
    var values: [Value] = []
    for (index, item) in items.enumerated() { values.append(try read(item, "\(name)[\(index)]")) }
    return values
  }

  // MARK: The sync service's JSON

  private func syncNote(_ item: Item, _ path: String) throws(SnapshotError) -> VesperNote {
    var note = VesperNote(id: try id(item, "noteID", path), text: try text(item, "text", path) ?? "", place: path)
    note.archived = try bool(item, "archived", path)
    let dates = [
      "creationDate", "sortDate", "textModificationDate", "archivedModificationDate", "sortDateModificationDate",
      "tagsModificationDate", "attachmentsModificationDate",
    ]
    for name in dates { note.dates[name] = try date(item, name, path) }
    note.tagNames = Self.names(try text(item, "tags", path) ?? "")
    note.attachments = try attachments(item, path)
    let properties: [(String, NoteProperties)] = [
      ("text", .text), ("archived", .archived), ("tags", .tags), ("attachments", .attachments),
    ]
    for (name, property) in properties where try member(item, name, path) == nil {
      note.missing.insert(property)
      if item[ExactText(name)] == nil { note.absent.insert(property) }
    }
    return note
  }

  private func take(deletion item: Item, _ path: String, into content: inout Content) throws(SnapshotError) {
    let date = try date(item, "deletionDate", path)
    let id = try id(item, "uniqueID", path)
    if date == nil, try member(item, "deletionDate", path) != nil {
      content.unreadableDeletions.append(id)
    } else {
      content.deletions.append(DeletedNote(id: id, deletionDate: date))
    }
  }

  /// Names are separated by two spaces, since a name may hold single ones. Not two characters: a space and an accent at the
  /// beginning of a name are one.
  private static func names(_ text: String) -> [String] {
    text.unicodeScalars.split(separator: [" ", " "]).map { String($0) }.filter { TagName($0) != nil }
  }

  /// Passes over a tag without a name, as Vesper does.
  private func take(tag item: Item, _ path: String, into content: inout Content) throws(SnapshotError) {
    if let name = TagName(try text(item, "name", path) ?? "") {
      content.tags.append(Tag(name, nameModificationDate: try date(item, "nameModificationDate", path)))
    } else {
      content.skipped.append(ImportReport.Skipped(place: path, reason: "is a tag without a name"))
    }
  }

  /// Base64 of the JSON of an array.
  private func attachments(_ item: Item, _ path: String) throws(SnapshotError) -> [Attachment] {
    guard let encoded = try text(item, "attachments", path)?.filter({ !$0.isWhitespace }), !encoded.isEmpty else {
      return []
    }
    let path = path + ".attachments"
    guard let bytes = Representation.bytes(base64: encoded) else { throw failure("the text is not base64", item, path) }
    do {
      let inner = try ForeignTree.read(bytes, limits: limits).root
      return try all(try array(inner, path), path, attachment)
    } catch {
      // A place within the encoded text would mislead; the note's own is given.
      throw failure(error.message, item, error.dataPath ?? path)
    }
  }

  private func attachment(_ item: Item, _ path: String) throws(SnapshotError) -> Attachment {
    guard let id = try text(item, "uniqueID", path), let type = try text(item, "mimeType", path) else {
      throw failure("an attachment needs “uniqueID” and “mimeType”", item, path)
    }
    return Attachment(
      id: id, mimeType: type, height: try size(item, "height", path), width: try size(item, "width", path))
  }

  // MARK: The tutorial

  private func tutorialNote(_ item: Item, _ path: String) throws(SnapshotError) -> VesperNote {
    let text = (try text(item, "text", path) ?? "").replacing("\\n", with: "\n")
    var note = VesperNote(id: try id(item, "uniqueID", path), text: text, place: path)
    note.dates["creationDate"] = try date(item, "date", path)
    let names = try array(item["tags"], path + ".tags")
    note.tagNames = try all(names, path + ".tags") { item, path throws(SnapshotError) in
      guard let name = item.text else { throw failure("expected text, found \(item.kind)", item, path) }
      return name
    }.filter { TagName($0) != nil }
    if let picture = try self.text(item, "pictureAttachmentID", path) {
      let isPNG = try self.text(item, "pictureAttachment", path)?.lowercased().hasSuffix(".png") == true
      note.attachments = [Attachment(id: picture, mimeType: isPNG ? "image/png" : "image/jpeg", height: 0, width: 0)]
    }
    return note
  }

  // MARK: Values; null is the same as absent

  private func failure(_ message: String, _ item: Item, _ path: String) -> SnapshotError {
    SnapshotError(
      .invalidValue, message, position: source.position(item.offset), dataPath: path.isEmpty ? nil : path)
  }

  private func member(_ item: Item, _ key: String, _ path: String) throws(SnapshotError) -> Item? {
    guard case .dictionary = item.content else {
      throw failure("expected a dictionary, found \(item.kind)", item, path)
    }
    guard let value = item[ExactText(key)] else { return nil }
    if case .null = value.content { return nil }
    return value
  }

  private func text(_ item: Item, _ key: String, _ path: String) throws(SnapshotError) -> String? {
    guard let value = try member(item, key, path) else { return nil }
    guard let text = value.text else {
      throw failure("expected text, found \(value.kind)", value, "\(path).\(key)")
    }
    return text
  }

  private func bool(_ item: Item, _ key: String, _ path: String) throws(SnapshotError) -> Bool {
    switch try member(item, key, path)?.content {
    case nil: return false
    case .bool(let value): return value
    case .integer(let number) where number == 0 || number == 1: return number == 1
    default: throw failure("expected true or false", item, "\(path).\(key)")
    }
  }

  private func date(_ item: Item, _ key: String, _ path: String) throws(SnapshotError) -> Date? {
    guard let value = try member(item, key, path) else { return nil }
    let seconds: Double? =
      switch value.content {
      case .date(let seconds) where seconds.isFinite: seconds
      case .string(let text): ForeignDate.seconds(text)
      default: nil
      }
    guard let seconds else {
      if !refusesUnreadableDates { return nil }
      throw failure("expected an ISO 8601 date in UTC", value, "\(path).\(key)")
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private func id(_ item: Item, _ key: String, _ path: String) throws(SnapshotError) -> Note.ID {
    guard case .integer(let id)? = try member(item, key, path)?.content, id >= 0 else {
      throw failure("expected “\(key)”, a positive integer", item, "\(path).\(key)")
    }
    return id
  }

  /// A number of pixels; whole, though it may be written with a fraction of zero.
  private func size(_ item: Item, _ key: String, _ path: String) throws(SnapshotError) -> Int {
    guard let value = try member(item, key, path) else { return 0 }
    guard let number = value.number, let size = Int(exactly: number), size >= 0 else {
      throw failure("expected a number of pixels", value, "\(path).\(key)")
    }
    return size
  }

  private func array(_ item: Item?, _ path: String) throws(SnapshotError) -> [Item] {
    switch item?.content {
    case nil, .null: return []
    case .array(let items): return items
    default: throw failure("expected an array, found \(item?.kind ?? "nothing")", item ?? Item(.null), path)
    }
  }
}
