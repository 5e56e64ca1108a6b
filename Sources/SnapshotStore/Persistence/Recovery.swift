/// What may be opened in place of a file that cannot be read.
///
/// The damaged file then gets one more name, `NAME.damaged-DATE.EXTENSION`, under which it stays, and the value that was
/// opened is saved under its own name. ``Store/openReport`` says what happened. A file of a newer or older version of the
/// schema, or of another schema, is not damaged; nothing is opened in its place.
public enum Recovery: Int, Comparable, Sendable {
  /// Nothing: opening fails, and touches nothing.
  case none
  /// The newest generation that can be read.
  case generations
  /// If there is no such generation: those records of the damaged file that can be read.
  case salvage

  /// Whether less is opened.
  public static func < (a: Recovery, b: Recovery) -> Bool { a.rawValue < b.rawValue }
}

extension SnapshotError {
  /// Whether the file is damaged, as opposed to being another one than was meant, or out of reach.
  var meansDamage: Bool {
    switch code {
    case .emptyFile, .unknownFormat, .malformed, .limitExceeded, .checksumMismatch: true
    case .invalidValue, .missingKey, .unknownKey, .duplicate, .uniqueKeyTaken: true
    default: false
    }
  }
}
