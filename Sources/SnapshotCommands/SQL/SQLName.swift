/// Names of tables, columns and indexes that both databases accept, and that differ from each other.
///
/// A name stays as it is if that is possible, and is always quoted. Otherwise it changes in this order:
///
/// - Control characters become `_`, and an empty name is `_`.
/// - A name is cut to the 63 bytes that PostgreSQL keeps of it, at a character.
/// - A name that is taken or reserved gets `_2`, `_3` and so on. SQLite does not tell names apart by case.
struct SQLNames {
  private var taken: Set<String>
  /// The next number to try behind a beginning. A thousand names that are cut to it take no million tries.
  private var next: [String: Int] = [:]
  private static let limit = 63

  /// - Parameter reserved: the names that must not be used, in lower case.
  init(reserved: Set<String> = []) { taken = reserved }

  /// The names that the system columns of PostgreSQL have.
  static let ofColumns = SQLNames(reserved: ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"])

  /// A free name, from now on taken.
  mutating func add(_ wish: String) -> String {
    let name = Self.cut(Self.plain(wish), to: Self.limit)
    let key = name.lowercased()
    // SQLite keeps this beginning for its own tables.
    if !key.hasPrefix("sqlite_"), taken.insert(key).inserted { return name }
    let whole = (key.hasPrefix("sqlite_") ? "_" : "") + name
    var numbers = 2..<10
    while true {
      let stem = Self.cut(whole, to: Self.limit - "_\(numbers.lowerBound)".utf8.count)
      let beginning = stem.lowercased()
      let first = max(numbers.lowerBound, next[beginning] ?? 0)
      for number in first..<max(first, numbers.upperBound) {
        next[beginning] = number + 1
        if taken.insert("\(beginning)_\(number)").inserted { return "\(stem)_\(number)" }
      }
      numbers = numbers.upperBound..<numbers.upperBound * 10
    }
  }

  private static func plain(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { $0.properties.generalCategory == .control ? "_" : $0 }
    return scalars.isEmpty ? "_" : String(String.UnicodeScalarView(scalars))
  }

  private static func cut(_ name: String, to limit: Int) -> String {
    if name.utf8.count <= limit { return name }
    var bytes = 0
    // By scalars: a character may have more bytes than a name.
    let scalars = name.unicodeScalars.prefix { scalar in
      bytes += UTF8.width(scalar)
      return bytes <= limit
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

extension String {
  /// The text as a quoted name.
  var asSQLName: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
