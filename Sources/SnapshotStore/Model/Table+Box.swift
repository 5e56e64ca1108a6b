/// Records as a table stores them.
extension Table {
  /// A record on the heap, as a table stores it. Moving it costs one reference, and an unchanged record stays the same
  /// object.
  ///
  /// Code that processes many large records can take boxes from a table and put boxes in; see ``box(_:)``. Then
  /// records that are only read are never copied.
  public final class Box: Sendable {
    /// The record.
    public let record: Value

    /// Puts a record on the heap.
    @inlinable
    public init(_ record: Value) { self.record = record }

    /// The size of a box in memory: the header of an object, and the record.
    @inlinable static var size: Int { 16 + MemoryLayout<Value>.size }
  }
}

/// The box of a table of these records, in code without a table.
@usableFromInline
typealias RecordBox<Value: Record> = Table<Value>.Box
