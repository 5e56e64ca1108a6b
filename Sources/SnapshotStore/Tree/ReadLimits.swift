/// What a reader accepts before it gives up; a file beyond a limit is refused with an error that names the limit.
///
/// No count and no length in a file is believed before as many bytes were seen, so none of the limits is what keeps a
/// small file from taking much memory; they are for those who read files of others and want to bound what they get. The
/// defaults are far beyond what fits into a file of the default size in practice.
public struct ReadLimits: Equatable, Sendable {
  /// The largest file, in bytes. 2 GiB unless changed. A store refuses to save what would be larger.
  public var fileSize: Int
  /// How deep arrays and dictionaries may be nested, the file's own two levels included. Records nested deeper cannot
  /// be written either.
  public var depth: Int
  /// The longest text or key, in bytes of UTF-8, and the longest data: as bytes in a binary list, in base64 elsewhere.
  /// 1 GiB unless changed. Saving does not look at this limit.
  public var textSize: Int
  /// The most elements of one array, members of one dictionary, or records of one table. 2^27, about 134 million,
  /// unless changed. Saving does not look at this limit.
  public var elementCount: Int

  /// About how many bytes of a table one thread reads at a time. Smaller in tests only.
  var partSize = 1 << 19
  /// How many values a binary list may unfold into, if that is more than its size allows. Smaller in tests only.
  var unfolding = 1_000_000

  /// The default limits, with changes.
  public init(
    fileSize: Int = 1 << 31, depth: Int = ReadLimits.standardDepth, textSize: Int = 1 << 30, elementCount: Int = 1 << 27
  ) {
    self.fileSize = fileSize
    self.depth = depth
    self.textSize = textSize
    self.elementCount = elementCount
  }

  /// The depth that a file may have, and that writing keeps to: 64.
  public static let standardDepth = 64
}

extension ReadLimits {
  /// Refuses a text file that is too large or not UTF-8: the first step of a reader of a text format. O(bytes).
  ///
  /// A byte order mark at the beginning is part of UTF-8.
  ///
  /// - Parameter bytes: all bytes of the file.
  /// - Throws: ``SnapshotError`` with code `tooLarge` for more than ``fileSize`` bytes; with code `malformed`, and the
  ///   line and the column of the first wrong byte, for what is not UTF-8.
  public func requireText(_ bytes: [UInt8]) throws(SnapshotError) {
    try requireSize(of: bytes)
    if let offset = UTF8Check.firstInvalidOffset(in: bytes) {
      let position = FilePosition(offset: offset, inText: bytes)
      throw SnapshotError(.malformed, "the text is not valid UTF-8", position: position)
    }
  }

  /// Refuses a file that is too large.
  func requireSize(of bytes: [UInt8]) throws(SnapshotError) {
    if bytes.count > fileSize {
      throw SnapshotError(.tooLarge, "the file has \(bytes.count.counted("byte")); the limit is \(fileSize)")
    }
  }

  /// Whether records may be read directly, which looks neither at the depth of their arrays (level 4) nor at the length
  /// and the number of their own keys.
  var allowDirectReading: Bool { depth >= 4 && textSize >= 1_024 && elementCount >= 256 }

  /// What to say of a text that is too long.
  func textMessage(_ kind: String = "text") -> String {
    "the \(kind) is longer than the limit of \(textSize.counted("byte"))"
  }

  /// What to say of a container or a table with too much in it.
  var countMessage: String { "more than \(elementCount.counted("element")), which is the limit" }
}
