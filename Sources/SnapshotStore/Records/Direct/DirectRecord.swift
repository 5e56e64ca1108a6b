/// A record that reads and writes its properties itself, one after another, instead of through `Codable`.
///
/// The general way decodes any `Codable` record, at the price of many small steps. A record that there are very many of
/// may opt in to a direct one, several times as fast, by naming its stored properties in the order in which `Codable`
/// encodes them, which is that of their declaration:
///
/// ```swift
/// extension Post: DirectRecord {
///   init(reading reader: inout RecordReader) throws(RecordMismatch) {
///     id = try reader.read("id")
///     title = try reader.read("title")
///     date = try reader.readIfPresent("date")
///   }
///   func write(to writer: inout RecordWriter) {
///     writer.write("id", id)
///     writer.write("title", title)
///     writer.writeIfPresent("date", date)
///   }
/// }
/// ```
///
/// What is written must be what `Codable` encodes: the same keys, the same values, in the same order. Keys have no
/// characters that a format would have to escape. Whatever a reader finds that is not exactly what `write` would have
/// written is left to `Codable`, which accepts or refuses it. So the two ways never differ in what they accept, nor in
/// their errors. The first record of every table that is encoded is encoded in both ways, and if they differ the program
/// is stopped.
public protocol DirectRecord: Record {
  /// Reads the properties in the order in which they are written.
  ///
  /// - Throws: ``RecordMismatch``, as the reader does, or to leave a record to `Codable`.
  init(reading reader: inout RecordReader) throws(RecordMismatch)

  /// Writes the properties in the order in which `Codable` encodes them.
  func write(to writer: inout RecordWriter)

  /// The direct way as the library uses it. Provided; there is no need to implement it.
  static var directCoding: DirectCoding<Self> { get }
}

/// The loops over records of a type, made where the type is known, so that the compiler can specialise them.
public struct DirectCoding<Value: Record>: Sendable {
  /// Reads records until one is not in its direct form, or until the end of the reader's part.
  @usableFromInline let readRun: @Sendable (inout RecordReader) -> [RecordBox<Value>]
  @usableFromInline
  let write: @Sendable (UnsafeBufferPointer<RecordBox<Value>>, inout RecordWriter) -> Void
  @usableFromInline
  let makeTable: @Sendable ([RecordBox<Value>], _ threads: Int) throws(SnapshotError) -> Table<Value>

  @inlinable
  init() where Value: DirectRecord {
    readRun = { reader in
      var boxes: [RecordBox<Value>] = []
      while reader.beginRecord() {
        guard let value = try? Value(reading: &reader), reader.endRecord() else {
          reader.abandonRecord()
          break
        }
        boxes.append(RecordBox(value))
      }
      return boxes
    }
    write = { boxes, writer in
      for box in boxes {
        writer.beginRecord()
        box.record.write(to: &writer)
        writer.endRecord()
      }
    }
    makeTable = { boxes, threads throws(SnapshotError) in try Table(sortedBoxes: boxes, threads: threads) }
  }
}

extension DirectRecord {
  /// The direct way as the library uses it.
  @inlinable public static var directCoding: DirectCoding<Self> { DirectCoding() }
}

extension Record {
  /// The direct way of this record type, if it has opted in to one.
  static var directCodingIfAny: DirectCoding<Self>? {
    func coding<Direct: DirectRecord>(_ type: Direct.Type) -> Any { type.directCoding }
    return (Self.self as? any DirectRecord.Type).flatMap { coding($0) as? DirectCoding<Self> }
  }
}
