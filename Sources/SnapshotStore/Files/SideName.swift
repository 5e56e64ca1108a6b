/// The names of files that a store keeps beside its own. No store may have one of them.
enum SideName {
  /// The file that is locked in place of the store's own.
  static func lock(of name: String) -> String { ".\(name.shortenedFileName).lock" }

  /// The folder with the generations.
  static func generations(of name: String) -> String { ".\(name.shortenedFileName).generations" }

  /// The journal, which has the changes since the file was written.
  static func journal(of name: String) -> String { ".\(name.shortenedFileName).journal" }

  /// The meaning of a name that is reserved for a file beside another store, in words. Nil for a name that a store may
  /// have.
  static func meaning(of name: String) -> String? {
    // Many file systems do not distinguish upper and lower case.
    let lower = name.lowercased()
    if TemporaryName.isMade(name) || TemporaryName.isMade(lower) { return "a temporary file of another store" }
    guard lower.utf8.first == UInt8(ascii: ".") else { return nil }
    let rest = lower.dropFirst()
    if rest.hasSuffix(".lock"), rest != ".lock" { return "the lock of another store" }
    if rest.hasSuffix(".generations"), rest != ".generations" { return "the older versions of another store" }
    if rest.hasSuffix(".journal"), rest != ".journal" { return "the journal of another store" }
    return nil
  }
}
