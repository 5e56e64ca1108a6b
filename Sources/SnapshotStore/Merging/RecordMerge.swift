/// The merge of one record that both sides have, and have changed in different ways, property by property.
struct RecordMerge<Value: Record> {
  /// The result.
  private(set) var record: Value
  /// The properties that both changed, of which ours, or theirs, were taken.
  private(set) var tookOurs: [String] = []
  private(set) var tookTheirs: [String] = []
  /// The side that was taken as a whole, because the properties of both would make no record; nil if it went by property.
  private(set) var wholeSide: MergePolicy.Side?

  /// - Parameter bases: the records that both may have been made from; nil for none.
  init(
    _ table: String, bases: [Value?], ours: Value, theirs: Value, policy: MergePolicy, reportsEqualChanges: Bool = false
  ) {
    let known = bases.compactMap { $0 }
    let conflict = { (properties: [String]) in
      MergePolicy.Conflict(table: table, properties: properties, base: known.last, ours: ours, theirs: theirs)
    }
    record = ours
    // Where it is not even known whether both have added the record, their properties are not mixed.
    if bases.count == 1 || known.count == bases.count,
      var merge = PropertyMerge(bases: known, ours: ours, theirs: theirs, rules: Value.mergeRules)
    {
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
      case .newest: PropertyMerge(bases: [], ours: ours, theirs: theirs, rules: Value.mergeRules)?.laterSide ?? .ours
      case .resolve(let choose): choose(conflict([]))
      }
    wholeSide = side
    if side == .theirs { record = theirs }
  }
}
