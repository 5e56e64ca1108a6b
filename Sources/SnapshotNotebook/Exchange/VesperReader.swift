import Foundation
import SnapshotStore

/// Reads Vesper's files from untyped values. Errors name the place in the file. A date that cannot be read is no error:
/// it counts as unknown, and an unknown date never wins.
struct VesperReader {
  let document: UntypedDocument
  let limits: ReadLimits
  struct Content {
    var notes: [VesperNote] = []
    var tags: [Tag] = []
    /// Tombstones of deleted notes. Vesper itself did not write their dates.
    var deletions: [DeletedNote] = []
    /// Notes with an unreadable date of deletion.
    var unreadableDeletions: [Note.ID] = []
    /// What is said of tags.
    var remarks: [String] = []
    /// Items that cannot be taken over and are no reason to refuse the rest.
    var skipped: [SkippedItem] = []
  }

  /// The content of a file of any kind: this library's object of notes and tags, an array of the service, or the
  /// tutorial.
  func content() throws(SnapshotError) -> Content {
    var content = Content()
    let root = document.root
    if let values = root.array {
      for (index, value) in values.enumerated() { try take(value, "[\(index)]", into: &content) }
      return content
    }
    guard root["notes"] != nil || root["tags"] != nil else {
      throw failure("expected “notes” and “tags”, or an array of notes, of tags or of ids of deleted notes", root, "")
    }
    for (index, value) in try array(root["tags"], "tags").enumerated() {
      try take(tag: value, "tags[\(index)]", into: &content)
    }
    for (index, value) in try array(root["notes"], "notes").enumerated() {
      let path = "notes[\(index)]"
      if isDeletion(value) {
        try take(deletion: value, path, into: &content)
      } else {
        content.notes.append(try syncNote(value, path))
      }
    }
    return content
  }

  /// An element of an array of the sync service or of the tutorial. The tutorial has numbers as ids and no names.
  private func take(_ value: UntypedValue, _ path: String, into content: inout Content) throws(SnapshotError) {
    if let id = value.integer, id >= 0 {
      content.deletions.append(DeletedNote(id: id, deletionDate: nil))
    } else if value["noteID"] != nil {
      content.notes.append(try syncNote(value, path))
    } else if isDeletion(value) {
      try take(deletion: value, path, into: &content)
    } else if value["name"] != nil || value["nameModificationDate"] != nil || value["uniqueID"]?.text != nil {
      try take(tag: value, path, into: &content)
    } else if value["uniqueID"] != nil || value["text"] != nil {
      content.notes.append(try tutorialNote(value, path))
    } else {
      throw failure("expected a note, a tag or the id of a deleted note, found \(value.kind)", value, path)
    }
  }

  /// A deleted note has a type and no note id. Null is not a type, and an object with a note is a note, whatever its
  /// type.
  private func isDeletion(_ value: UntypedValue) -> Bool {
    guard let type = value["objectType"], value["noteID"] == nil else { return false }
    return !type.isNull
  }

  private func all<Element>(
    _ values: [UntypedValue], _ name: String, _ read: (UntypedValue, String) throws(SnapshotError) -> Element
  ) throws(SnapshotError) -> [Element] {
    var elements: [Element] = []
    for (index, value) in values.enumerated() { elements.append(try read(value, "\(name)[\(index)]")) }
    return elements
  }

  // MARK: The sync service's JSON

  private func syncNote(_ value: UntypedValue, _ path: String) throws(SnapshotError) -> VesperNote {
    var note = VesperNote(id: try id(value, "noteID", path), text: try text(value, "text", path) ?? "", place: path)
    note.archived = try bool(value, "archived", path)
    let dates = [
      "creationDate", "sortDate", "textModificationDate", "archivedModificationDate", "sortDateModificationDate",
      "tagsModificationDate", "attachmentsModificationDate",
    ]
    for name in dates { note.dates[name] = try date(value, name, path, &note.warnings) }
    note.tagNames = Self.names(try text(value, "tags", path) ?? "")
    note.attachments = try attachments(value, path)
    let properties: [(String, NoteProperties)] = [
      ("text", .text), ("archived", .archived), ("tags", .tags), ("attachments", .attachments),
    ]
    for (name, property) in properties where try member(value, name, path) == nil {
      note.missing.insert(property)
      if value[name] == nil { note.absent.insert(property) }
    }
    return note
  }

  private func take(deletion value: UntypedValue, _ path: String, into content: inout Content) throws(SnapshotError) {
    var warnings: [ImportWarning] = []
    let date = try date(value, "deletionDate", path, &warnings)
    let id = try id(value, "uniqueID", path)
    if !warnings.isEmpty {
      content.unreadableDeletions.append(id)
    } else {
      content.deletions.append(DeletedNote(id: id, deletionDate: date))
    }
  }

  /// Names are separated by two spaces, since a name may contain single ones. Bytes are compared: a space and an accent
  /// at the beginning of a name are one `Character`.
  private static func names(_ text: String) -> [String] {
    text.unicodeScalars.split(separator: [" ", " "]).map { String($0) }.filter { TagName($0) != nil }
  }

  /// Skips a tag without a name, as Vesper does.
  private func take(tag value: UntypedValue, _ path: String, into content: inout Content) throws(SnapshotError) {
    if let name = TagName(try text(value, "name", path) ?? "") {
      var warnings: [ImportWarning] = []
      content.tags.append(Tag(name, nameModificationDate: try date(value, "nameModificationDate", path, &warnings)))
      if case .date(let text)? = warnings.first {
        content.remarks.append("\(SnapshotError.quoted(text)) in \(path) cannot be read as a date; the tag has none")
      }
    } else {
      content.skipped.append(SkippedItem(place: path, reason: "is a tag without a name"))
    }
  }

  /// Attachments from the Base64 of a JSON array.
  private func attachments(_ value: UntypedValue, _ path: String) throws(SnapshotError) -> [Attachment] {
    guard let encoded = try text(value, "attachments", path)?.filter({ !$0.isWhitespace }), !encoded.isEmpty else {
      return []
    }
    let path = path + ".attachments"
    // Only the canonical Base64 form is accepted, so that writing gives the same text again.
    guard let data = Data(base64Encoded: encoded), data.base64EncodedString() == encoded else {
      throw failure("the text is not base64", value, path)
    }
    do {
      let inner = try UntypedDocument(reading: Array(data), limits: limits).root
      return try all(try array(inner, path), path, attachment)
    } catch {
      // A place within the encoded text would mislead, so the error names the note's place.
      throw failure(error.message, value, error.dataPath ?? path)
    }
  }

  private func attachment(_ value: UntypedValue, _ path: String) throws(SnapshotError) -> Attachment {
    guard let id = try text(value, "uniqueID", path), let type = try text(value, "mimeType", path) else {
      throw failure("an attachment needs “uniqueID” and “mimeType”", value, path)
    }
    return Attachment(
      id: id, mimeType: type, height: try size(value, "height", path), width: try size(value, "width", path))
  }

  // MARK: The tutorial

  private func tutorialNote(_ value: UntypedValue, _ path: String) throws(SnapshotError) -> VesperNote {
    let text = (try text(value, "text", path) ?? "").replacing("\\n", with: "\n")
    var note = VesperNote(id: try id(value, "uniqueID", path), text: text, place: path)
    note.dates["creationDate"] = try date(value, "date", path, &note.warnings)
    let names = try array(value["tags"], path + ".tags")
    note.tagNames = try all(names, path + ".tags") { value, path throws(SnapshotError) in
      guard let name = value.text else { throw failure("expected text, found \(value.kind)", value, path) }
      return name
    }.filter { TagName($0) != nil }
    if let picture = try self.text(value, "pictureAttachmentID", path) {
      let isPNG = try self.text(value, "pictureAttachment", path)?.lowercased().hasSuffix(".png") == true
      note.attachments = [Attachment(id: picture, mimeType: isPNG ? "image/png" : "image/jpeg", height: 0, width: 0)]
    }
    return note
  }

  // MARK: Values; null is the same as absent

  private func failure(_ message: String, _ value: UntypedValue, _ path: String) -> SnapshotError {
    document.error(.invalidValue, message, at: value, dataPath: path.isEmpty ? nil : path)
  }

  private func member(_ value: UntypedValue, _ key: String, _ path: String) throws(SnapshotError) -> UntypedValue? {
    guard value.kind == .dictionary else {
      throw failure("expected a dictionary, found \(value.kind)", value, path)
    }
    guard let value = value[key], !value.isNull else { return nil }
    return value
  }

  private func text(_ value: UntypedValue, _ key: String, _ path: String) throws(SnapshotError) -> String? {
    guard let value = try member(value, key, path) else { return nil }
    guard let text = value.text else {
      throw failure("expected text, found \(value.kind)", value, "\(path).\(key)")
    }
    return text
  }

  private func bool(_ owner: UntypedValue, _ key: String, _ path: String) throws(SnapshotError) -> Bool {
    guard let value = try member(owner, key, path) else { return false }
    if let bool = value.bool { return bool }
    if let number = value.integer, number == 0 || number == 1 { return number == 1 }
    throw failure("expected true or false", owner, "\(path).\(key)")
  }

  private func date(
    _ value: UntypedValue, _ key: String, _ path: String, _ warnings: inout [ImportWarning]
  ) throws(SnapshotError) -> Date? {
    guard let value = try member(value, key, path) else { return nil }
    return warnings.date(value)
  }

  private func id(_ value: UntypedValue, _ key: String, _ path: String) throws(SnapshotError) -> Note.ID {
    guard let id = try member(value, key, path)?.integer, id >= 0 else {
      throw failure("expected “\(key)”, a positive integer", value, "\(path).\(key)")
    }
    return id
  }

  /// A number of pixels. It must be whole, but may be written with a fraction of zero.
  private func size(_ value: UntypedValue, _ key: String, _ path: String) throws(SnapshotError) -> Int {
    guard let value = try member(value, key, path) else { return 0 }
    guard let number = value.number, let size = Int(exactly: number), size >= 0 else {
      throw failure("expected a number of pixels", value, "\(path).\(key)")
    }
    return size
  }

  private func array(_ value: UntypedValue?, _ path: String) throws(SnapshotError) -> [UntypedValue] {
    guard let value, !value.isNull else { return [] }
    guard let values = value.array else { throw failure("expected an array, found \(value.kind)", value, path) }
    return values
  }
}

extension UntypedValue {
  /// The value of a key of a dictionary.
  fileprivate subscript(key: String) -> UntypedValue? { record?[key] }
}
