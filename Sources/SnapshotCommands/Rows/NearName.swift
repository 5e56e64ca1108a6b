/// Finds the name that a user may have meant.
///
/// ```swift
/// let near = NearName.of("titel", in: ["title", "body"])     // title
/// ```
public enum NearName {
  /// The nearest name within two edits, or with the same letters in another case. A name of several words may be meant
  /// by its first ones. Nil if none is near.
  public static func of(_ name: String, in names: [String]) -> String? {
    let lower = Array(name.lowercased())
    // Longer names need more than two edits, and the distance of long texts takes long.
    guard lower.count <= 100 else { return nil }
    if let longer = names.prefix(10_000).first(where: { $0.lowercased().hasPrefix(name.lowercased() + "-") }) {
      return longer
    }
    let limit = min(2, max(1, lower.count / 2))
    let near = names.prefix(10_000).compactMap { candidate -> (name: String, distance: Int)? in
      guard candidate.count <= 100 else { return nil }
      let distance = distance(lower, Array(candidate.lowercased()))
      return distance <= limit ? (candidate, distance) : nil
    }
    return near.min { $0.distance < $1.distance }?.name
  }

  /// The number of characters to insert, remove or replace (Levenshtein), or 3 if it is more than 2. O(lengths), since
  /// few rows follow once the names differ.
  static func distance(_ a: [Character], _ b: [Character]) -> Int {
    if abs(a.count - b.count) > 2 { return 3 }
    // A common beginning and a common end need no edit.
    let start = zip(a, b).prefix { $0 == $1 }.count
    let end = zip(a[start...].reversed(), b[start...].reversed()).prefix { $0 == $1 }.count
    let (a, b) = (a[start..<a.count - end], b[start..<b.count - end])
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
      // It never becomes smaller again.
      if row.allSatisfy({ $0 > 2 }) { return 3 }
    }
    return min(row[b.count], 3)
  }
}
