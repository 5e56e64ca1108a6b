/// What one side of a merge had changed and the result does not have: records and single values, in a value of their
/// own. O(changes).
struct LostRecords<Root: Model>: FieldVisitor {
  private let side: Root
  private let base: Root
  private let result: Root
  /// The ids by table; an empty id for a single value. Nil for all of them.
  private let places: [String: Set<String>]?
  private var lost = Root()
  /// Where they are, in the form of ``places``.
  private var found: [String: Set<String>] = [:]

  /// The records of a side that are not in the result as that side had changed them. Nil if there are none.
  ///
  /// - Parameters:
  ///   - side: one of the two values that were merged.
  ///   - base: the value that both were made from.
  ///   - result: the result of the merge.
  ///   - conflicts: the decisions against this side; nil if something else has changed the result too.
  static func value(
    of side: Root, since base: Root, missingIn result: Root, _ conflicts: [MergeConflict]?
  ) -> Root? {
    let places = conflicts.map { Dictionary(grouping: $0, by: \.table).mapValues { Set($0.map(\.id)) } }
    if places?.isEmpty == true { return nil }
    var search = LostRecords(side: side, base: base, result: result, places: places)
    Root.schema.visit(&search)
    return search.found.isEmpty ? nil : search.lost
  }

  /// Those of some conflicts whose records or single values are not in a result as a side has them.
  static func conflicts(_ conflicts: [MergeConflict], of side: Root, missingIn result: Root) -> [MergeConflict] {
    var search = LostRecords(side: side, base: result, result: result, places: nil)
    Root.schema.visit(&search)
    return conflicts.filter { search.found[$0.table]?.contains($0.id) == true }
  }

  private init(side: Root, base: Root, result: Root, places: [String: Set<String>]?) {
    (self.side, self.base, self.result, self.places) = (side, base, result, places)
  }

  private func isSought(_ name: String, _ id: String) -> Bool { places.map { $0[name]?.contains(id) == true } ?? true }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    if places != nil && places?[name] == nil || Root.schema.derivedFields.contains(name) { return }
    let (final, derived) = (result[keyPath: path], Value.derivedKeys)
    for change in side[keyPath: path].storedChanges(from: base[keyPath: path]) {
      guard let box = change.after, isSought(name, "\(change.id)") else { continue }
      // What a rule has computed is not lost.
      if RecordBox.areStoredAlike(box, final.tree[change.id], ignoring: derived)
        || RecordBox.areStoredAlike(box, change.before, ignoring: derived)
      {
        continue
      }
      if lost[keyPath: path].takes(box) { found[name, default: []].insert("\(change.id)") }
    }
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    guard isSought(name, ""), !Root.schema.derivedFields.contains(name) else { return }
    let value = side[keyPath: path]
    if SingleValueCoding.areStoredAlike(value, base[keyPath: path]) { return }
    if SingleValueCoding.areStoredAlike(value, result[keyPath: path]) { return }
    lost[keyPath: path] = value
    found[name] = [""]
  }
}

extension MergeConflict {
  /// The same conflict, decided for theirs.
  var withTheirs: MergeConflict { MergeConflict(table: table, id: id, properties: properties, resolution: .tookTheirs) }

  /// Whether a change of ours is not in the result.
  var losesOurs: Bool {
    switch resolution {
    case .tookTheirs, .tookBase, .removed, .leftOursOut, .keptTheirChange: true
    case .tookOurs, .keptOurChange, .leftTheirsOut, .tookOursOverOlder: false
    }
  }

  /// Whether a change of theirs is not in the result.
  var losesTheirs: Bool {
    switch resolution {
    case .tookOurs, .tookBase, .removed, .leftTheirsOut, .tookOursOverOlder, .keptOurChange: true
    case .tookTheirs, .keptTheirChange, .leftOursOut: false
    }
  }
}
