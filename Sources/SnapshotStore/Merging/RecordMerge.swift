/// The merge of one record that both sides have, and have changed in different ways, property by property.
struct RecordMerge<Value: Record> {
  /// The result.
  private(set) var record: Value
  /// The properties that both changed, of which ours, or theirs, were taken.
  private(set) var tookOurs: [String] = []
  private(set) var tookTheirs: [String] = []
  /// The properties that both changed, and that are as they were before.
  private(set) var tookBase: [String] = []
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
        policy.side(of: conflict(properties), later: later)
      }
      if let merged = merge.isChanged ? try? ItemDecoder.decode(Value.self, from: merge.item) : ours {
        (record, tookOurs, tookTheirs, tookBase) = (merged, merge.tookOurs, merge.tookTheirs, merge.tookBase)
        return
      }
    }
    let side = policy.side(of: conflict([]), later: Self.laterSide(ours: ours, theirs: theirs))
    wholeSide = side
    if side == .theirs { record = theirs }
    if side == .base, let base { record = base }
  }

  /// The side that changed the record later, by the date that its rules name; ours if none does.
  static func laterSide(ours: Value, theirs: Value) -> MergePolicy.Side {
    PropertyMerge(base: nil, ours: ours, theirs: theirs, rules: Value.mergeRules)?.laterSide ?? .ours
  }
}
