/// A position among the records of one table of a document.
protocol TableReader {
  /// Reads the next record; nil at the end of the table, or of the part that this reader was given.
  mutating func next() throws(SnapshotError) -> Item?

  /// Reads records directly, up to the end or to the first one that is not in its direct form, and no more than `most`.
  mutating func readDirectly<Value>(_ coding: DirectCoding<Value>, most: Int) -> [RecordBox<Value>]

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
  mutating func readDirectly<Value>(_ coding: DirectCoding<Value>, most: Int) -> [RecordBox<Value>] { [] }
  func parts() -> [Self] { [] }
  func ends(at next: Self) -> Bool { false }
  mutating func move(to other: Self) { self = other }
}
