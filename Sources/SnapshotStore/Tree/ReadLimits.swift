/// The limits of a reader. It refuses a file beyond a limit, with an error that names the limit.
///
/// ```swift
/// let small = ReadLimits(fileSize: 1 << 20)         // for a file from the network
/// let options = ReadOptions(limits: small)
/// let dashboard = try SnapshotFile.read(Dashboard.self, at: url, options: options)
/// ```
///
/// A reader believes no count or length in a file before it has seen as many bytes. So a small file cannot take much
/// memory even without limits. They are for programs that read files from others. The defaults are far beyond a file of
/// the default size in practice.
public struct ReadLimits: Equatable, Sendable {
  /// The largest file, in bytes. 2 GiB by default. A store refuses to save a larger file.
  public var fileSize: Int
  /// The deepest nesting of arrays and dictionaries, including the two levels of the file itself. Records that are
  /// nested deeper cannot be written either.
  public var depth: Int
  /// The longest text, key or data. Texts count in bytes of UTF-8. Data counts in bytes in a binary list, and in
  /// characters of base64 elsewhere. 1 GiB by default. Saving ignores this limit.
  public var textSize: Int
  /// The most elements of one array, members of one dictionary, or records of one table. 2^27 by default, about 134
  /// million. Saving ignores this limit.
  public var elementCount: Int

  /// The approximate number of bytes of a table that one thread reads at a time. Only tests make it smaller.
  var partSize = 1 << 19
  /// How many values a binary list may unfold into beyond the number that its size allows. Only tests make it smaller.
  var unfolding = 1_000_000
  /// Whether `Codable` records are read through trees of items only. Only tests set it.
  var readsItemsOnly = false

  /// The default limits with changes.
  public init(
    fileSize: Int = 1 << 31, depth: Int = ReadLimits.standardDepth, textSize: Int = 1 << 30, elementCount: Int = 1 << 27
  ) {
    self.fileSize = fileSize
    self.depth = depth
    self.textSize = textSize
    self.elementCount = elementCount
  }

  /// The depth limit of files, for reading and writing: 64.
  @usableFromInline static let standardDepth = 64
}

extension ReadLimits {
  /// Refuses a text file that is too large or not UTF-8. It is the first step of a reader of a text format. O(bytes).
  ///
  /// A byte order mark at the beginning is valid.
  ///
  /// - Parameter bytes: all bytes of the file.
  /// - Throws: ``SnapshotError`` with code `tooLarge` for more than ``fileSize`` bytes. With code `malformed` for bytes
  ///   that are not UTF-8; it has the line and the column of the first wrong byte.
  public func requireText(_ bytes: [UInt8]) throws(SnapshotError) {
    try requireSize(of: bytes)
    if let offset = UTF8Check.firstInvalidOffset(in: bytes) {
      let position = SnapshotError.Position(offset: offset, inText: bytes)
      throw SnapshotError(.malformed, "the text is not valid UTF-8", position: position)
    }
  }

  /// Refuses bytes that are too many. A file on disk is refused before it is read, by `FileSystem.readFile`.
  func requireSize(of bytes: [UInt8]) throws(SnapshotError) {
    if bytes.count > fileSize {
      throw SnapshotError(.tooLarge, "the file has \(bytes.count.counted("byte")); the limit is \(fileSize)")
    }
  }

  /// Whether records may be read directly. Direct reading does not check the depth of their arrays (level 4), and not
  /// the length and number of their own keys.
  var allowDirectReading: Bool { depth >= 4 && textSize >= 1_024 && elementCount >= 256 }

  /// The message for a text that is too long.
  func textMessage(_ kind: String = "text") -> String {
    "the \(kind) is longer than the limit of \(textSize.counted("byte"))"
  }

  /// The message for a container or a table with too many elements.
  var countMessage: String { "more than \(elementCount.counted("element")), which is the limit" }
}
