/// Numbers in messages.
extension Int {
  /// The number with a noun that takes an “s” in the plural: `1 field`, `2 fields`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
