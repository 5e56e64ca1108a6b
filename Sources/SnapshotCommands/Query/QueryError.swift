/// An error in the text of a condition or a path, with its place.
struct QueryError: Error {
  /// What is wrong, and what to write instead: one sentence without a final full stop.
  let message: String
  /// The whole text.
  let text: String
  /// The place in the text, in bytes of UTF-8.
  let offset: Int

  /// The place in characters, from 1.
  var column: Int { before.count + 1 }

  /// The text before the place.
  var before: String { String(decoding: text.utf8.prefix(offset), as: UTF8.self) }

  /// The text from the place on.
  var after: String { String(decoding: text.utf8.dropFirst(offset), as: UTF8.self) }
}
