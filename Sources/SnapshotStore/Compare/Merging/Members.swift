/// Members of records and single values, as merges compare them.
extension [Item.Member] {
  /// The members as written; nil if the value is not a dictionary, or cannot be written.
  init?(of value: some SingleValue) {
    guard case .dictionary(let members)? = try? ItemEncoder.item(forRecord: value).content else { return nil }
    self = members
  }

  /// The values by key. Each key occurs once.
  var byKey: [ExactText: Item] { Dictionary(map { ($0.key, $0.value) }) { first, _ in first } }
}

extension [ExactText: Item] {
  /// The keys whose values differ, or that only one side has.
  func keysDiffering(from other: Self) -> Set<ExactText> {
    Set(keys).union(other.keys).filter { !Item.areSame(self[$0], other[$0]) }
  }
}
