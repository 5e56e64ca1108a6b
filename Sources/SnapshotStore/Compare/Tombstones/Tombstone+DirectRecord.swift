/// Tombstones use direct coding, because some tables keep very many of them.
extension Tombstone: DirectRecord where Target.ID: DirectValue {
  /// Reads the properties in the order in which they are written.
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
    id = try reader.read("id")
    deletionDate = try reader.readIfPresent("deletionDate")
  }

  /// Writes the properties in the order in which `Codable` encodes them.
  public func write(to writer: inout RecordWriter) {
    writer.write("id", id)
    writer.writeIfPresent("deletionDate", deletionDate)
  }
}
