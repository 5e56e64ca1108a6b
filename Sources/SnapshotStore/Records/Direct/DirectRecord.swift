/// A record that reads and writes its properties directly, one after another, instead of through `Codable`.
///
/// `Codable` works for every record, but takes many small steps. A direct record takes fewer, most of all in property
/// lists, which helps for records of which there are very many. It names its stored properties in the order in which
/// `Codable` encodes them, which is the order of their declarations:
///
/// ```swift
/// extension Post: DirectRecord {
///   init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
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
/// The output must be the same as that of `Codable`: the same keys and values in the same order. Keys must not contain
/// characters that a format would escape. `Codable` reads every record that is not exactly as `write` writes it, and
/// accepts or refuses it. So both ways accept the same files and throw the same errors. The first record of every
/// encoded table is encoded in both ways. The program traps if they differ.
public protocol DirectRecord: Record {
  /// Reads the properties in the order in which they are written.
  ///
  /// - Throws: ``RecordReader/Mismatch``, from the reader, or to leave a record to `Codable`.
  init(reading reader: inout RecordReader) throws(RecordReader.Mismatch)

  /// Writes the properties in the order in which `Codable` encodes them.
  func write(to writer: inout RecordWriter)

  /// The functions with which the library uses the direct way. The default is sufficient; do not implement it.
  static var _directCoding: _DirectCoding<Self> { get }
}

/// The loops over records of a type. They are made where the type is known, so that the compiler can specialise them.
///
/// It is public because ``DirectRecord`` names it. It has an underscore because no program should.
public struct _DirectCoding<Value: Record>: Sendable {
  /// Appends records until one is not in its direct form, or until the end of the reader's part.
  @usableFromInline let readRun: @Sendable (inout RecordReader, inout [RecordBox<Value>]) -> Void
  @usableFromInline
  let write: @Sendable (UnsafeBufferPointer<RecordBox<Value>>, inout RecordWriter) -> Void
  /// Writes the records that differ between two tables, and calls back behind each. The callback may remove what was
  /// written. After an error nothing more is written.
  @usableFromInline
  let writeChanges:
    @Sendable (
      _ old: Table<Value>, _ new: Table<Value>, inout RecordWriter,
      _ isWritten: (inout RecordWriter, WrittenChange) throws(SnapshotError) -> Void
    ) throws(SnapshotError) -> Void
  @usableFromInline
  let makeTable:
    @Sendable ([RecordBox<Value>], _ threads: Int, _ defersIndexes: Bool) throws(SnapshotError) -> Table<Value>
  /// See `Table.latestChanges` and `Table.replace`.
  @usableFromInline
  let latestChanges:
    @Sendable ([RecordBox<Value>], _ removed: [(id: Value.ID, place: Int)]) -> Table<Value>.LatestChanges
  @usableFromInline
  let replace:
    @Sendable (inout Table<Value>, [RecordBox<Value>], _ removed: [Value.ID], _ threads: Int)
      throws(SnapshotError) -> Void

  @inlinable
  init() where Value: DirectRecord {
    readRun = { reader, boxes in
      while reader.beginRecord() {
        guard let box = try? RecordBox(Value(reading: &reader)), reader.endRecord() else {
          reader.abandonRecord()
          break
        }
        boxes.append(box)
      }
    }
    write = { boxes, writer in
      for box in boxes {
        writer.beginRecord()
        box.record.write(to: &writer)
        writer.endRecord()
      }
    }
    writeChanges = { old, new, writer, isWritten throws(SnapshotError) in
      var failure: SnapshotError?
      new.tree.forEachDifference(from: old.tree, areSame: { $0 === $1 }) { _, before, after in
        if failure != nil { return }
        let start = writer.count
        if let after {
          writer.beginRecord()
          after.record.write(to: &writer)
          writer.endRecord()
        }
        let middle = writer.count
        if let before {
          writer.beginRecord()
          before.record.write(to: &writer)
          writer.endRecord()
        }
        let change = WrittenChange(
          after: start..<middle, before: middle..<writer.count, newID: after.flatMap { PlainID(of: $0.record) },
          oldID: before.flatMap { PlainID(of: $0.record) })
        do throws(SnapshotError) {
          try isWritten(&writer, change)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
    makeTable = { boxes, threads, defersIndexes throws(SnapshotError) in
      try Table(sortedBoxes: boxes, threads: threads, defersIndexes: defersIndexes)
    }
    latestChanges = { Table.latestChanges($0, removed: $1) }
    replace = { table, boxes, removed, threads throws(SnapshotError) in
      try table.replace(boxes, removing: removed, threads: threads)
    }
  }
}

extension DirectRecord {
  /// The functions with which the library uses the direct way.
  @inlinable public static var _directCoding: _DirectCoding<Self> { _DirectCoding() }
}

extension Record {
  /// The direct way of this record type; nil if it does not conform to ``DirectRecord``.
  static var directCodingIfAny: _DirectCoding<Self>? {
    func coding<Direct: DirectRecord>(_ type: Direct.Type) -> Any { type._directCoding }
    return (Self.self as? any DirectRecord.Type).flatMap { coding($0) as? _DirectCoding<Self> }
  }
}
