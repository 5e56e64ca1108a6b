/// Fills a salvaged content with records and values that only an older version has.
struct SalvageFilling<Root: Model>: FieldVisitor {
  private let older: SnapshotContent<Root>
  private let lostValues: Set<ExactText>
  /// The content as filled so far.
  private(set) var content: SnapshotContent<Root>
  /// Records of the older version that do not fit.
  private(set) var leftOut: [Violation] = []

  init(_ salvaged: Salvaged<Root>, from older: SnapshotContent<Root>) {
    content = salvaged.beforeRepair
    lostValues = salvaged.lostValues
    self.older = older
  }

  mutating func run() {
    let salvaged = content
    Root.schema.visit(&self)
    // With an empty base, the result has everything that either side has.
    _ = content.unknown.takeMerged(bases: [UnknownContent()], ours: salvaged.unknown, theirs: older.unknown, .ours)
    content.value.removeDeletedAsWhole(salvaged.value)
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    let table = content.value[keyPath: path]
    let boxes = older.value[keyPath: path].boxes.filter { !table.contains($0.record.id) }
    if boxes.isEmpty { return }
    var fitting: [Table<Value>.Box] = []
    for box in boxes {
      if let (index, conflict) = table.conflict(of: box) {
        let reason =
          "not taken from the older version, because \(conflict.holder) has its key in the unique index \(index)"
        leftOut.append(Violation(place: "\(name) \(box.record.id)", message: reason))
      } else {
        fitting.append(box)
      }
    }
    // All of them come from one table, so no two have the same key.
    try? content.value[keyPath: path].put(fitting)
    takeMembers(of: boxes.map(\.record.id), in: name, Value.self)
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    if Root.schema.flattened == ExactText(name) { return fillMembers(isWhole: lostValues.contains(ExactText(name))) }
    guard lostValues.contains(ExactText(name)) else { return }
    content.value[keyPath: path] = older.value[keyPath: path]
    content.unknown.set(older.unknown.members(ofValue: name), ofValue: name)
  }

  /// Takes the lost members of the flattened value.
  private mutating func fillMembers(isWhole: Bool) {
    var (mine, theirs) = (content, older)
    // What is filled in has the members that are written, and not those that were read.
    mine.unknown.flattened = FlattenedMembers()
    theirs.unknown.flattened = FlattenedMembers()
    guard (try? theirs.scatter()) != nil, isWhole || (try? mine.scatter()) != nil else { return }
    let lost = isWhole ? Set(theirs.unknown.names).subtracting(mine.unknown.names) : lostValues
    mine.unknown.remove(lost)
    mine.unknown.set(mine.unknown.tables + theirs.unknown.tables.filter { lost.contains(ExactText($0.name)) })
    mine.unknown.set(mine.unknown.values + theirs.unknown.values.filter { lost.contains(ExactText($0.name)) })
    let source = SourceText(unchecked: [], isText: true)
    guard (try? mine.gather(DecodingOptions(unknownKeys: .keep), in: source)) != nil else { return }
    content = mine
  }

  /// Takes the unknown keys of records. Those of records that are left out are kept too, but not written.
  private mutating func takeMembers<Value: Record>(of ids: [Value.ID], in table: String, _ type: Value.Type) {
    let theirs = older.unknown.members(in: table, of: Value.self)
    if theirs.isEmpty { return }
    var members = content.unknown.members(in: table, of: Value.self)
    for id in ids { members[id] = theirs[id] }
    content.unknown.set(members, of: table, Value.self)
  }
}
