/// A position among the records of one table of a document.
protocol TableReader {
  /// The type that reads records directly; it determines the format. `Never` if the format has no direct reading.
  associatedtype Cursor = Never

  /// Reads the next record; nil at the end of the table or of this reader's part.
  mutating func next() throws(SnapshotError) -> Item?

  /// The place of the next record, or the end of the last one, for direct reading. Nil if it is not possible here.
  mutating func cursor() -> Cursor?

  /// Continues after records that were read directly.
  mutating func move(to cursor: Cursor, count: Int)

  /// A reader of the next records, up to a part of the document; nil if no more than that is left. It begins here and
  /// ends at a record, or at the end of the table.
  var firstPart: Self? { get }

  /// Divides the records behind the first part into consecutive parts and returns a reader for each. The first of them
  /// begins here. Empty at the end of the table.
  ///
  /// The beginnings of parts are guessed from the bytes. The guess was right if each part `ends(at:)` the start of the
  /// next one. Then every part began at a place, and in a state, that a single reader would have reached.
  func parts() -> [Self]

  /// Whether this reader has reached the exact position at which another one began, and a record must follow.
  func ends(at next: Self) -> Bool

  /// Moves to the position of another reader of the table.
  mutating func move(to other: Self)
}

extension TableReader {
  var firstPart: Self? { nil }
  func parts() -> [Self] { [] }
  func ends(at next: Self) -> Bool { false }
  mutating func move(to other: Self) { self = other }
}

extension TableReader where Cursor == Never {
  func cursor() -> Never? { nil }
  mutating func move(to cursor: Never, count: Int) {}
}

extension SnapshotError {
  /// The same error, with the name of the record that breaks the rules of the format.
  func inRecord(_ index: Int, of table: String) -> SnapshotError {
    var error = self
    if error.dataPath == nil { error.dataPath = "\(table.escapedForMessage(limit: 60))[\(index)]" }
    return error
  }
}
