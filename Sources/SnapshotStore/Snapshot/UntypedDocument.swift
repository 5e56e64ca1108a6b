/// The values of a JSON file or a property list of any shape: for imports from other programs.
///
/// The file is read as strictly as a snapshot: nothing is guessed, and a duplicate key is an error. No `Codable` type
/// is needed, so a value of an unexpected kind is not an error of reading. The importer decides, and makes an error
/// with the place of the value:
///
/// ```swift
/// let document = try UntypedDocument(reading: bytes)
/// for entry in document.root.array ?? [] {
///   guard let title = entry.record?["title"]?.text else {
///     throw document.error(.missingKey, "expected “title”", at: entry)
///   }
/// }
/// ```
public struct UntypedDocument: Sendable {
  /// The top-level value of the file.
  public let root: UntypedValue
  private let source: SourceText

  /// Reads JSON, or a property list in XML or binary form. The content determines the format. O(bytes).
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file. The document keeps them, because errors count their lines.
  ///   - limits: the limits for size and depth.
  /// - Throws: ``SnapshotError``: `tooLarge`, `emptyFile`, `unknownFormat`, `malformed`, `limitExceeded` or
  ///   `duplicate`, with the place in the file if there is one.
  public init(reading bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws(SnapshotError) {
    try limits.requireSize(of: bytes)
    // A snapshot is never an array, so `FileFormat` refuses one.
    let isArray = bytes.first { !ByteText.isWhitespace($0) } == UInt8(ascii: "[")
    let format: any Format.Type = isArray ? JSONFormat.self : try FileFormat.recognize(bytes).parts
    source = try SourceText(bytes, isText: format.isText)
    root = UntypedValue(try format.root(source, limits: limits))
  }

  /// An error with the place of a value in the file. O(bytes before the value), because it counts the lines.
  ///
  /// - Parameters:
  ///   - code: the kind of failure.
  ///   - message: what is wrong: one sentence without a final full stop.
  ///   - value: a value of this document. For any other value the place is wrong.
  ///   - dataPath: the place of the value in the data, such as `notes[17].tags`.
  public func error(
    _ code: SnapshotError.Code, _ message: String, at value: UntypedValue, dataPath: String? = nil
  ) -> SnapshotError {
    SnapshotError(code, message, position: source.position(value.item.offset), dataPath: dataPath)
  }
}
