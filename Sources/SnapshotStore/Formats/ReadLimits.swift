/// What a reader accepts before it gives up; a file beyond a limit is refused with an error that names the limit.
public struct ReadLimits: Equatable, Sendable {
  /// The largest file, in bytes. 2 GiB unless changed.
  public var fileSize: Int
  /// How deep arrays and dictionaries may be nested, the file's own two levels included. Records nested deeper cannot be
  /// written either.
  public var depth: Int

  /// About how many bytes of a table one thread reads at a time. Smaller in tests only.
  var partSize = 1 << 19

  /// The default limits, with changes.
  public init(fileSize: Int = 1 << 31, depth: Int = ReadLimits.standardDepth) {
    self.fileSize = fileSize
    self.depth = depth
  }

  /// The depth that a file may have, and that writing keeps to: 64.
  public static let standardDepth = 64
}
