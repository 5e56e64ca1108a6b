/// The format of records that read and write themselves: one form for each kind of cursor.
///
/// Every access to a property switches over the form. It is an enumeration so that the compiler can optimise the
/// switch.
enum RecordForm {
  case json
  case xml
  case binary

  /// The form that a cursor reads; nil if records of its format are read through `Codable` only.
  init?(cursor: Any.Type) {
    if cursor == JSONCursor.self {
      self = .json
    } else if cursor == XMLCursor.self {
      self = .xml
    } else if cursor == BinaryCursor.self {
      self = .binary
    } else {
      return nil
    }
  }
}

extension TableReader {
  /// Reads records directly, up to the end or to the first that is not in its direct form, and at most `most`.
  mutating func readDirectly<Value>(_ coding: _DirectCoding<Value>, into boxes: inout [RecordBox<Value>], most: Int) {
    guard let cursor = cursor(), var reader = RecordReader(cursor, most: most) else { return }
    let count = boxes.count
    coding.readRun(&reader, &boxes)
    move(to: reader.cursor(as: Cursor.self), count: boxes.count - count)
  }
}
