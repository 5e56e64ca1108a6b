public import SnapshotStore

// Direct coding of the notebook's records: they read and write their stored properties in order.

/// Notes use direct coding because a notebook has very many of them.
extension Note: DirectRecord {
  /// Reads the properties in the order in which they are written.
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
    id = try reader.read("id")
    text = try reader.read("text")
    archived = try reader.read("archived")
    creationDate = try reader.read("creationDate")
    sortDate = try reader.read("sortDate")
    modificationDate = try reader.read("modificationDate")
    textModificationDate = try reader.readIfPresent("textModificationDate")
    archivedModificationDate = try reader.readIfPresent("archivedModificationDate")
    sortDateModificationDate = try reader.readIfPresent("sortDateModificationDate")
    tagsModificationDate = try reader.readIfPresent("tagsModificationDate")
    attachmentsModificationDate = try reader.readIfPresent("attachmentsModificationDate")
    tags = try reader.read("tags")
    attachments = try reader.read("attachments")
  }

  /// Writes the properties in the order in which `Codable` encodes them.
  public func write(to writer: inout RecordWriter) {
    writer.write("id", id)
    writer.write("text", text)
    writer.write("archived", archived)
    writer.write("creationDate", creationDate)
    writer.write("sortDate", sortDate)
    writer.write("modificationDate", modificationDate)
    writer.writeIfPresent("textModificationDate", textModificationDate)
    writer.writeIfPresent("archivedModificationDate", archivedModificationDate)
    writer.writeIfPresent("sortDateModificationDate", sortDateModificationDate)
    writer.writeIfPresent("tagsModificationDate", tagsModificationDate)
    writer.writeIfPresent("attachmentsModificationDate", attachmentsModificationDate)
    writer.write("tags", tags)
    writer.write("attachments", attachments)
  }
}

extension Tag: DirectRecord {
  /// Reads the properties in the order in which they are written.
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
    id = try reader.read("id")
    name = try reader.read("name")
    nameModificationDate = try reader.readIfPresent("nameModificationDate")
  }

  /// Writes the properties in the order in which `Codable` encodes them.
  public func write(to writer: inout RecordWriter) {
    writer.write("id", id)
    writer.write("name", name)
    writer.writeIfPresent("nameModificationDate", nameModificationDate)
  }
}

extension Attachment: DirectRecord {
  /// Reads the properties in the order in which they are written.
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
    id = try reader.read("id")
    mimeType = try reader.read("mimeType")
    height = try reader.read("height")
    width = try reader.read("width")
  }

  /// Writes the properties in the order in which `Codable` encodes them.
  public func write(to writer: inout RecordWriter) {
    writer.write("id", id)
    writer.write("mimeType", mimeType)
    writer.write("height", height)
    writer.write("width", width)
  }
}
