/// The sources that may replace a file that cannot be read.
///
/// ```swift
/// let options = StoreOptions(recovery: .salvage)
/// let store = try Store<Dashboard>.open(at: url, options: options)
/// if let problem = store.openReport?.problem {
///   show("damaged: \(problem.message)")
/// }
/// ```
///
/// The damaged file then gets another name, `NAME.damaged-DATE.EXTENSION`, and stays under it. The opened value is
/// saved under the original name. ``Store/openReport`` tells what happened.
///
/// A file of another schema, or of another version of it, is not damaged. Nor is a file with a key or a value that this
/// program does not accept. Nothing is opened in their place.
public enum Recovery: Int, Comparable, Sendable {
  /// None: opening fails and touches nothing.
  case none
  /// The newest generation that can be read.
  case generations
  /// If there is no such generation, the readable records of the damaged file.
  case salvage
  /// If nothing of it can be read, the initial value: the empty model, or the value that `Store.value` was called with.
  case initial

  /// Whether the left one allows fewer sources.
  public static func < (a: Recovery, b: Recovery) -> Bool { a.rawValue < b.rawValue }
}

extension SnapshotError {
  /// Whether the error means that the bytes are damaged. A wrong or inaccessible file is not damaged. Nor is a file
  /// with content that this program does not accept: a newer program or a user may have written it.
  var meansDamage: Bool {
    [.emptyFile, .unknownFormat, .malformed, .checksumMismatch].contains(code)
  }
}
