/// How records that read and write themselves are written: one form for each cursor of a format.
///
/// Every property that is read or written asks for the form, so it is a switch that the compiler sees through.
enum RecordForm {
  case json
  case xml
  case binary

  /// The form of what a cursor reads; nil if records of its format are read through `Codable` only.
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
  /// Reads records directly, up to the end or to the first one that is not in its direct form, and no more than `most`.
  mutating func readDirectly<Value>(_ coding: DirectCoding<Value>, most: Int) -> [RecordBox<Value>] {
    guard let cursor = cursor(), var reader = RecordReader(cursor, most: most) else { return [] }
    let boxes = coding.readRun(&reader)
    move(to: reader.cursor(as: Cursor.self), count: boxes.count)
    return boxes
  }
}
