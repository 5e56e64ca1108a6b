/// The parts of a text format that salvage needs.
protocol SalvageGrammar {
  init(_ bytes: UnsafeBufferPointer<UInt8>, of source: SourceText, limits: ReadLimits)

  var offset: Int { get set }
  /// The next token; nil at the end. Separators and ends are skipped. All other tokens stay in place.
  mutating func token() throws(SnapshotError) -> SalvageToken?
  /// Enters the object at the position.
  mutating func enterObject()
  /// Reads a key, up to its value.
  mutating func key() throws(SnapshotError) -> String
  func isAtArray() -> Bool
  /// Enters the next array, or skips it if its tag says that it is empty.
  ///
  /// - Returns: whether the array is empty.
  mutating func enterArray() throws(SnapshotError) -> Bool
  mutating func value(depth: Int) throws(SnapshotError) -> Item
  /// The members of the object at the position, up to the first error.
  func members(depth: Int) -> [Item.Member]

  /// Whether a comma follows each record but the last one of a table.
  static var hasCommas: Bool { get }
}

/// A token of a text, as salvage sees it.
enum SalvageToken {
  /// A comma, or a mark around a whole file.
  case separator
  /// The end of an array that was not read as a whole.
  case arrayEnd
  /// The end of an object that was not read as a whole.
  case objectEnd
  case array
  case object
  case key
  /// Any other value, or text that is none.
  case other
}
