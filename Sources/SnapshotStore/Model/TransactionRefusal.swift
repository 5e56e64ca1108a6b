/// Why a transaction was not made: nothing of it remains.
public struct TransactionRefusal: Error, Equatable, CustomStringConvertible {
  /// What both sides have changed, of a merge with the policy `fail`.
  public var conflicts: [MergeConflict] = []
  /// The rules that the value would break.
  public var violations: [Violation] = []

  /// How many reasons the description has, at most.
  static var listLimit: Int { 10 }

  /// The first ten reasons, a line each, and how many more there are.
  public var description: String {
    let first = conflicts.prefix(Self.listLimit).map(\.descriptionOfRefusal)
    let others = violations.prefix(Self.listLimit - first.count).map(\.description)
    let more = conflicts.count + violations.count - first.count - others.count
    return (first + others + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "\n")
  }
}
