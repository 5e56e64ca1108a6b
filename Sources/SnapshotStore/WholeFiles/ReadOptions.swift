/// The options of ``SnapshotFile`` for reading a whole file.
///
/// ```swift
/// let edited = ReadOptions(acceptsChecksumMismatch: true)
/// let dashboard = try SnapshotFile.read(Dashboard.self, at: url, options: edited)
/// ```
public struct ReadOptions: Sendable {
  /// The limits for size and depth.
  public var limits: ReadLimits
  /// Whether to accept content that was edited after its checksum was made. Otherwise it is an error.
  public var acceptsChecksumMismatch: Bool
  /// Whether `read` and `decode` leave out unknown keys and tables, for a caller that does not write the value again.
  /// Otherwise they are an error. `readContent` and `decodeContent` always keep them.
  public var leavesOutUnknownKeys: Bool
  /// The most threads that decode at once; nil means the number of processors.
  public var threads: Int?

  /// The default options with changes.
  public init(
    limits: ReadLimits = ReadLimits(), acceptsChecksumMismatch: Bool = false, leavesOutUnknownKeys: Bool = false,
    threads: Int? = nil
  ) {
    self.limits = limits
    self.acceptsChecksumMismatch = acceptsChecksumMismatch
    self.leavesOutUnknownKeys = leavesOutUnknownKeys
    self.threads = threads
  }
}

extension DecodingOptions {
  init(_ options: ReadOptions, unknownKeys: UnknownKeys) {
    self.init(
      unknownKeys: unknownKeys, acceptsChecksumMismatch: options.acceptsChecksumMismatch,
      threads: options.threads ?? Parallel.defaultThreads, defersIndexes: true)
  }
}
