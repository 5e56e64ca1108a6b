/// Why a transaction was not made: nothing of it remains.
public struct TransactionRefusal: Error, Equatable, CustomStringConvertible {
  /// What both sides have changed, of a merge with the policy `fail`.
  public var conflicts: [MergeConflict] = []
  /// The rules that the value would break.
  public var violations: [Violation] = []

  /// All reasons, a line each.
  public var description: String {
    (conflicts.map(\.descriptionOfRefusal) + violations.map(\.description)).joined(separator: "\n")
  }
}
