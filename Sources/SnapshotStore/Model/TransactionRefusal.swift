/// The reason why a transaction was refused. It was rolled back.
///
/// ```swift
/// do {
///   try store.write { try $0.posts.insert(Post(id: "1", title: "")) }
/// } catch let refusal as TransactionRefusal {
///   show(refusal.violations.map(\.message))
/// }
/// ```
public struct TransactionRefusal: Error, Equatable, CustomStringConvertible {
  /// The conflicts of a merge with the policy `fail`. Nothing was decided, so use their
  /// ``MergeConflict/place``. The `resolution` of each is only what the merge would have done.
  public var conflicts: [MergeConflict] = []
  /// The rules that the value would break.
  public var violations: [Violation] = []

  /// The most reasons in the description.
  static var listLimit: Int { 10 }

  /// The first ten reasons, one on each line, and the number of further ones.
  public var description: String {
    let first = conflicts.prefix(Self.listLimit).map(\.descriptionOfRefusal)
    let others = violations.prefix(Self.listLimit - first.count).map(\.description)
    let more = conflicts.count + violations.count - first.count - others.count
    return (first + others + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "\n")
  }
}
