/// The merge of one record that both sides have, and have changed in different ways, property by property.
struct RecordMerge<Value: Record> {
  /// The result.
  private(set) var record: Value
  /// The properties that both changed, of which ours, or theirs, were taken.
  private(set) var tookOurs: [String] = []
  private(set) var tookTheirs: [String] = []
  /// The side that was taken as a whole, because the properties of both would make no record; nil if it went by property.
  private(set) var wholeSide: MergePolicy.Side?

  init(
    _ table: String, base: Value?, ours: Value, theirs: Value, policy: MergePolicy, reportsEqualChanges: Bool = false
  ) {
    let conflict = { (properties: [String]) in
      MergePolicy.Conflict(table: table, properties: properties, base: base, ours: ours, theirs: theirs)
    }
    record = ours
    if var merge = PropertyMerge(base: base, ours: ours, theirs: theirs, rules: Value.mergeRules) {
      merge.reportsEqualChanges = reportsEqualChanges
      merge.run { properties, later in
        switch policy {
        case .ours, .fail: .ours
        case .theirs: .theirs
        case .newest: later
        case .resolve(let choose): choose(conflict(properties))
        }
      }
      if let merged = merge.isChanged ? try? ItemDecoder.decode(Value.self, from: merge.item) : ours {
        (record, tookOurs, tookTheirs) = (merged, merge.tookOurs, merge.tookTheirs)
        return
      }
    }
    let side: MergePolicy.Side =
      switch policy {
      case .ours, .fail: .ours
      case .theirs: .theirs
      case .newest: PropertyMerge(base: nil, ours: ours, theirs: theirs, rules: Value.mergeRules)?.laterSide ?? .ours
      case .resolve(let choose): choose(conflict([]))
      }
    wholeSide = side
    if side == .theirs { record = theirs }
  }
}
