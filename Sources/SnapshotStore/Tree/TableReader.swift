/// A position among the records of one table of a document.
protocol TableReader {
  /// Where records are read directly, of a type that tells the format; `Never` if the format has no such way.
  associatedtype Cursor = Never

  /// Reads the next record; nil at the end of the table, or of the part that this reader was given.
  mutating func next() throws(SnapshotError) -> Item?

  /// The place of the next record, or behind the last one, for reading records directly; nil if that is not possible here.
  mutating func cursor() -> Cursor?

  /// Goes on behind some records that were read directly.
  mutating func move(to cursor: Cursor, count: Int)

  /// Readers of consecutive parts of what is left, the first of which begins at this position; none if there is too little.
  ///
  /// Where parts begin is guessed from the bytes. The guess was right if each part `ends(at:)` the start of the next one,
  /// because every part then began where, and in the state in which, one reader alone would have come by.
  func parts() -> [Self]

  /// Whether this reader has come to the very position where another one began, and a record has to follow.
  func ends(at next: Self) -> Bool

  /// Goes to where another reader of the table has come.
  mutating func move(to other: Self)
}

extension TableReader {
  func parts() -> [Self] { [] }
  func ends(at next: Self) -> Bool { false }
  mutating func move(to other: Self) { self = other }
}

extension TableReader where Cursor == Never {
  func cursor() -> Never? { nil }
  mutating func move(to cursor: Never, count: Int) {}
}

extension SnapshotError {
  /// The same error, with the record named in which the rules of the format are broken.
  func inRecord(_ index: Int, of table: String) -> SnapshotError {
    var error = self
    if error.dataPath == nil { error.dataPath = "\(table.escapedForMessage(limit: 60))[\(index)]" }
    return error
  }
}
