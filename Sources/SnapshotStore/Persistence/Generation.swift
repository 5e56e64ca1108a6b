public import SnapshotFoundation

/// Which older versions of a store's file are kept beside it.
///
/// When a save replaces the file, the old one stays in the hidden folder `.NAME.generations` if no other has been kept for
/// as long as the interval says; then the oldest ones go. Only a file that this store has read in full, checksum included,
/// or has written itself becomes a generation. Keeping one costs a hard link.
///
/// A file of an older version of the schema is kept before a save brings it to the one of the program, whatever the policy says. The
/// newest of each older version does not count among the others, and does not go for them.
public struct GenerationPolicy: Equatable, Sendable {
  /// How many are kept, the newest ones; 0 for none.
  public var count: Int
  /// The least time between two.
  public var interval: Duration

  /// Three generations, at least an hour apart, or as given.
  public init(count: Int = 3, interval: Duration = .seconds(3600)) {
    self.count = max(0, count)
    self.interval = interval
  }

  /// No generations.
  public static let none = GenerationPolicy(count: 0)
}

/// A kept older version of a store's file.
public struct Generation: Hashable, Sendable {
  /// Counts up with each generation of a file; what `snapshot-cli generations` calls it.
  public let number: Int
  /// When it was replaced by a newer version, to the second, by the clock of the machine.
  public let date: Date
  /// The version of the schema that it has, if it was kept because a migration led away from it.
  public let migratedVersion: Int?
  /// Its file: a whole snapshot file in the format of the store.
  public let url: URL
}

extension Date {
  /// The time to the second as a part of the names of files: `2026-11-21T15.30.12Z`. A clock that is beyond the years that the form has
  /// counts as at their end.
  var inFileName: String {
    // From 1901 to 9999.
    let (first, last) = (-3_155_673_600.0, 252_423_993_599.0)
    let seconds = timeIntervalSinceReferenceDate
    let time = seconds.isNaN ? 0 : min(max(seconds, first), last)
    return Date(timeIntervalSinceReferenceDate: time).formatted(.iso8601).replacing(":", with: ".")
  }

  /// The time between two dates, whichever is later; a century at the most.
  func distance(from other: Date) -> Duration {
    let seconds = abs(timeIntervalSince(other))
    return seconds < 3_155_760_000 ? .seconds(seconds) : .century
  }
}

extension Duration {
  static var century: Duration { .seconds(3_155_760_000) }
}

extension Generation {
  /// `000017_2026-11-21T15.30.12Z.json`, or `000017_2026-11-21T15.30.12Z_v2.json` from before a migration.
  static func fileName(number: Int, date: Date, migratedVersion: Int? = nil, of name: String) -> String {
    let digits = String(number)
    let padded = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    let time = date.inFileName
    let suffix = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[$0...]) } ?? ""
    let mark = migratedVersion.map { "_v\($0)" } ?? ""
    return "\(padded)_\(time)\(mark)\(suffix.utf8.count > 32 ? "" : suffix)"
  }

  /// Nil for the name of another file.
  init?(fileName: String, in folder: String) {
    let parts = fileName.split(separator: "_", maxSplits: 1)
    // Bounded, so that there is always a next one, whatever someone puts into the folder.
    guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[0]),
      (1...999_999_999).contains(number), parts[1].utf8.count >= 20
    else { return nil }
    let time = parts[1].prefix(20).replacing(".", with: ":")
    guard let date = try? Date.ISO8601FormatStyle().parse(String(time)) else { return nil }
    let mark = parts[1].dropFirst(20).prefix { $0 != "." }
    self.init(
      number: number, date: date, migratedVersion: mark.hasPrefix("_v") ? Int(mark.dropFirst(2)) : nil,
      url: URL(fileURLWithPath: "\(folder)/\(fileName)", isDirectory: false))
  }
}
