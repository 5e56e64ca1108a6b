public import SnapshotFoundation

/// A property that a ``DirectRecord`` can read and write.
///
/// Truth values, integers, numbers, texts, dates, UUIDs and arrays of texts conform. Your own types can conform if one
/// of these represents them. A type with a raw value needs only the conformance. Another type reads and writes the
/// value that represents it:
///
/// ```swift
/// enum Priority: Int, Codable, DirectValue { case low, high }
///
/// extension Celsius: DirectValue {
///   init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
///     degrees = try Double(reading: &reader)
///   }
///   func write(to writer: inout RecordWriter) { degrees.write(to: &writer) }
/// }
/// ```
///
/// Its `encode(to:)` must encode the same value in a single value container, as types with a raw value do.
public protocol DirectValue: Sendable {
  /// Reads exactly one value. A value that does not, or that reads again after a mismatch, leaves the record to
  /// `Codable`.
  ///
  /// - Throws: ``RecordReader/Mismatch``, from the value that is read, or to leave the record to `Codable`.
  init(reading reader: inout RecordReader) throws(RecordReader.Mismatch)

  /// Writes exactly one value. Writing none or several traps.
  func write(to writer: inout RecordWriter)
}

extension DirectValue where Self: RawRepresentable, RawValue: DirectValue {
  /// Reads the raw value. An unknown raw value is left to `Codable`, which refuses it.
  @inlinable
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
    guard let value = Self(rawValue: try RawValue(reading: &reader)) else { throw RecordReader.Mismatch() }
    self = value
  }

  /// Writes the raw value.
  @inlinable
  public func write(to writer: inout RecordWriter) { rawValue.write(to: &writer) }
}

extension Bool: DirectValue {
  /// Reads a truth value.
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) { self = try reader.bool() }

  /// Writes a truth value.
  public func write(to writer: inout RecordWriter) { writer.append(self) }
}

extension Int64: DirectValue {
  /// Reads an integer.
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) { self = try reader.integer() }

  /// Writes an integer.
  public func write(to writer: inout RecordWriter) { writer.append(self) }
}

extension Int: DirectValue {
  /// Reads an integer.
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
    guard let value = Int(exactly: try reader.integer()) else { throw RecordReader.Mismatch() }
    self = value
  }

  /// Writes an integer.
  public func write(to writer: inout RecordWriter) { writer.append(Int64(self)) }
}

extension Double: DirectValue {
  /// Reads a number.
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) { self = try reader.number() }

  /// Writes a number.
  public func write(to writer: inout RecordWriter) { writer.append(self) }
}

extension String: DirectValue {
  /// Reads a text.
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) { self = try reader.text() }

  /// Writes a text.
  public func write(to writer: inout RecordWriter) { writer.append(self) }
}

extension Date: DirectValue {
  /// Reads a date.
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
    self.init(timeIntervalSinceReferenceDate: try reader.date())
  }

  /// Writes a date.
  public func write(to writer: inout RecordWriter) { writer.append(date: timeIntervalSinceReferenceDate) }
}

extension UUID: DirectValue {
  /// Reads a UUID, which is a text in a file.
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
    guard let id = UUID(uuidString: try reader.text()) else { throw RecordReader.Mismatch() }
    self = id
  }

  /// Writes a UUID as text.
  public func write(to writer: inout RecordWriter) { writer.append(uuidString) }
}

extension [String]: DirectValue {
  /// Reads an array of texts.
  public init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) { self = try reader.texts() }

  /// Writes an array of texts.
  public func write(to writer: inout RecordWriter) { writer.append(self) }
}
