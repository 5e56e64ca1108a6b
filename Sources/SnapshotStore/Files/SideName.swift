/// The names that a store gives to what stands beside its file, and the rule that no store may have one of them.
enum SideName {
  /// The file that is locked in place of the store's own.
  static func lock(of name: String) -> String { ".\(name.shortenedFileName).lock" }

  /// The folder with the kept versions.
  static func generations(of name: String) -> String { ".\(name.shortenedFileName).generations" }

  /// What a name stands for, in words, if it is kept for something beside another store; nil for a name that a store may have.
  static func meaning(of name: String) -> String? {
    // Many file systems hold upper and lower case for the same.
    let lower = name.lowercased()
    if TemporaryName.isMade(name) || TemporaryName.isMade(lower) { return "a temporary file of another store" }
    guard lower.utf8.first == UInt8(ascii: ".") else { return nil }
    let rest = lower.dropFirst()
    if rest.hasSuffix(".lock"), rest != ".lock" { return "the lock of another store" }
    if rest.hasSuffix(".generations"), rest != ".generations" { return "the older versions of another store" }
    return nil
  }
}
