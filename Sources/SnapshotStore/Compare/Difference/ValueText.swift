/// Values as text of bounded length, for one line of a difference.
enum ValueText {
  /// The most characters of a value that are shown.
  static let limit = 80
  /// The number of common characters shown before the first difference of long values.
  private static let context = 20

  /// A value as JSON, without characters that a terminal could act on.
  static func text(_ item: Item) -> String { item.json.escapedForMessage(limit: limit) }

  /// Two different values as JSON. Long ones begin shortly before the first difference.
  static func texts(_ old: Item, _ new: Item) -> (old: String, new: String) { cut(old.json, new.json) }

  /// Two different texts. Long ones begin shortly before the first difference.
  static func cut(_ old: String, _ new: String) -> (old: String, new: String) {
    let (a, b) = (old.unicodeScalars, new.unicodeScalars)
    if a.count <= limit, b.count <= limit { return (old.escapedForMessage(), new.escapedForMessage()) }
    let common = zip(a, b).lazy.prefix { $0 == $1 }.reduce(0) { count, _ in count + 1 }
    let start = max(0, common - context)
    return (cut(old, from: start), cut(new, from: start))
  }

  private static func cut(_ text: String, from start: Int) -> String {
    (start > 0 ? "…" : "") + String(text.unicodeScalars.dropFirst(start)).escapedForMessage(limit: limit)
  }
}
