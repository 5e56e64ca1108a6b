public import SnapshotFoundation

/// A kept older version of a store's file.
///
/// ```swift
/// let generations = try SnapshotFile.generations(of: url)
/// for generation in generations { print(generation.number, generation.date) }
/// if let newest = generations.first {
///   try SnapshotFile.restore(newest, as: Dashboard.self, at: url)
/// }
/// ```
public struct Generation: Hashable, Sendable {
  /// The number of the generation, as in `snapshot-cli generations`. It increases with each generation of a file.
  public let number: Int
  /// The time when a newer version replaced it, to the second, by the clock of the machine.
  public let date: Date
  /// The schema version of its content, if it was kept before a migration; otherwise nil.
  public let migratedVersion: Int?
  /// The URL of its file: a whole snapshot file in the format of the store.
  public let url: URL
}

extension Generation {
  /// The policy for generations: older versions of a store's file that are kept beside it.
  ///
  /// When a save replaces the file, the old one may stay in the hidden folder `.NAME.generations`. It stays if the
  /// newest generation is older than the interval; then the oldest generations are removed. Only a file that this store
  /// has written or has read completely, with its checksum, becomes a generation. Keeping one costs a hard link.
  ///
  /// Under every policy, a file of an older schema version is kept before a save migrates it. The newest of each older
  /// version does not count among the others, and they do not displace it.
  public struct Policy: Equatable, Sendable {
    /// The number of generations to keep, the newest ones; 0 for none.
    public var count: Int
    /// The least time between two generations.
    public var interval: Duration

    /// By default three generations, at least an hour apart.
    public init(count: Int = 3, interval: Duration = .seconds(3600)) {
      self.count = max(0, count)
      self.interval = interval
    }

    /// Keeps no generations.
    public static let none = Policy(count: 0)
  }
}

extension Generation {
  /// `000017_2026-11-21T15.30.12Z.json`, or `000017_2026-11-21T15.30.12Z_v2.json` before a migration.
  static func fileName(number: Int, date: Date, migratedVersion: Int? = nil, of name: String) -> String {
    let digits = String(number)
    let padded = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    let time = date.inFileName
    let suffix = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[$0...]) } ?? ""
    let mark = migratedVersion.map { "_v\($0)" } ?? ""
    return "\(padded)_\(time)\(mark)\(suffix.utf8.count > 32 ? "" : suffix)"
  }

  /// Nil if the name is not that of a generation.
  init?(fileName: String, in folder: String) {
    let parts = fileName.split(separator: "_", maxSplits: 1)
    // The number is bounded, so that a next one always exists, whatever files are in the folder.
    guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[0]),
      (1...999_999_999).contains(number), parts[1].utf8.count >= 20
    else { return nil }
    guard let date = Date(inFileName: parts[1].prefix(20)) else { return nil }
    let mark = parts[1].dropFirst(20).prefix { $0 != "." }
    self.init(
      number: number, date: date, migratedVersion: mark.hasPrefix("_v") ? Int(mark.dropFirst(2)) : nil,
      url: URL(fileURLWithPath: "\(folder)/\(fileName)", isDirectory: false))
  }
}
