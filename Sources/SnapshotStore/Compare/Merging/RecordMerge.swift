/// The merge, property by property, of a record or single value that both sides changed in different ways.
struct RecordMerge<Value: SingleValue> {
  /// The result.
  private(set) var record: Value
  /// The conflicts, each with its properties. A conflict without properties means that one side was taken as a whole,
  /// because properties of both would not make a record.
  private(set) var conflicts: [(MergeConflict.Resolution, [String])] = []

  /// - Parameter bases: the record in each possible base; nil where it is missing.
  init(
    _ table: String, bases: [Value?], ours: Value, theirs: Value, rules: [MergeRule], policy: MergePolicy,
    options: MergeOptions = []
  ) {
    let known = bases.compactMap { $0 }
    let conflict = { (properties: [String]) in
      MergePolicy.Conflict(table: table, properties: properties, base: known.last, ours: ours, theirs: theirs)
    }
    record = ours
    // If it is not known whether both sides added the record, their properties are not mixed.
    if bases.count == 1 || known.count == bases.count,
      var merge = PropertyMerge(bases: known, ours: ours, theirs: theirs, rules: rules)
    {
      merge.options = options
      merge.run { properties, later in
        policy.side(of: conflict(properties), later: later)
      }
      if let merged = merge.isChanged ? try? ItemDecoder.decodeWritten(Value.self, from: merge.item) : ours {
        (record, conflicts) = (merged, merge.conflicts)
        return
      }
    }
    let side = policy.side(of: conflict([]), later: Self.laterSide(ours: ours, theirs: theirs, rules: rules))
    conflicts = [(.took(side), [])]
    if side == .theirs { record = theirs }
    if side == .base, let base = known.last { record = base }
  }

  /// The side that changed the record later, by the date that its rules name; ours if no date decides.
  static func laterSide(ours: Value, theirs: Value, rules: [MergeRule]) -> MergePolicy.Side {
    PropertyMerge(bases: [], ours: ours, theirs: theirs, rules: rules)?.laterSide ?? .ours
  }
}
