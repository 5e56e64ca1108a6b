/// What may be opened in place of a file that cannot be read.
///
/// The damaged file then gets one more name, `NAME.damaged-DATE.EXTENSION`, under which it stays, and the value that was
/// opened is saved under its own name. ``Store/openReport`` says what happened. A file of a newer or older version of the
/// schema, or of another schema, is not damaged, nor is one with a key or a value that this program does not take; nothing is opened in their
/// place.
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
  /// Whether the bytes are damaged, as opposed to being another file than was meant, out of reach, or whole with content
  /// that this program does not take: that may be the work of a newer program, or of its user.
  var meansDamage: Bool {
    [.emptyFile, .unknownFormat, .malformed, .checksumMismatch].contains(code)
  }
}
