/// Numbers in messages.
extension Int {
  /// The number with a noun whose plural ends in “s”: `1 field`, `2 fields`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
