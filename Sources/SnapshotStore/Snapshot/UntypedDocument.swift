/// The values of a JSON file or a property list of any shape: for imports from other programs.
///
/// The file is read as strictly as a snapshot: nothing is guessed, and a key that occurs twice is an error. No
/// `Codable` type is needed, so a value of the wrong kind is no error of the file. The importer decides, and makes an
/// error with its place:
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
  /// The value that the file consists of.
  public let root: UntypedValue
  private let source: SourceText

  /// Reads JSON, or a property list in XML or in binary form. The content tells the format. O(bytes).
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file. The document keeps them, because errors count their lines.
  ///   - limits: what is refused for its size or depth.
  /// - Throws: ``SnapshotError``: `tooLarge`, `emptyFile`, `unknownFormat`, `malformed`, `limitExceeded` or
  ///   `duplicate`, with the place in the file where there is one.
  public init(reading bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws(SnapshotError) {
    try limits.requireSize(of: bytes)
    // A snapshot is never an array, so the general recognition refuses one.
    let isArray = bytes.first { !ByteText.isWhitespace($0) } == UInt8(ascii: "[")
    let format: any Format.Type = isArray ? JSONFormat.self : try FileFormat.recognize(bytes).parts
    source = try SourceText(bytes, isText: format.isText)
    root = UntypedValue(try format.root(source, limits: limits))
  }

  /// An error that names the place of a value in the file. O(bytes before the value), for counting the lines.
  ///
  /// - Parameters:
  ///   - code: the kind of failure.
  ///   - message: what is wrong, in one sentence without a final full stop.
  ///   - value: a value of this document. Another one has no place here; the error then names a wrong one.
  ///   - dataPath: where the value stands in the data, such as `notes[17].tags`.
  public func error(
    _ code: SnapshotError.Code, _ message: String, at value: UntypedValue, dataPath: String? = nil
  ) -> SnapshotError {
    SnapshotError(code, message, position: source.position(value.item.offset), dataPath: dataPath)
  }
}
