/// The table of an import: the store's table with the imported records. If another writer changes such a record
/// meanwhile, the imported one wins.
///
/// During the import, two records may have the same key in a unique index, because a later record may take it from
/// another. Only the final table is checked. So the result does not depend on the batches.
struct ImportedTable<Root: Model, Value: Record>: BesideChange {
  private let path: TablePath<Root, Value>
  /// The value onto which the table was last rebased.
  private(set) var root: Root
  private var table: Table<Value>
  private var base: Table<Value> { root[keyPath: path] }

  init(in root: Root, _ path: TablePath<Root, Value>) {
    (self.root, self.path) = (root, path)
    table = root[keyPath: path]
  }

  var value: Root {
    var value = root
    value[keyPath: path] = table
    return value
  }

  /// The records of others and the imported ones. Rules see the differences of both.
  private(set) var others: [Root] = []

  /// The records of other writers win over what a rule has made of the imported ones: the rules run again.
  mutating func settle(_ settled: Settled<Root>, over seen: Root) {}

  mutating func put(_ boxes: [RecordBox<Value>]) { table.putUnchecked(boxes) }

  /// Begins the next part of an import, after this part was published. From now on, records of other writers win over
  /// it.
  mutating func begin() {
    root = value
    others = []
  }

  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken` if another record has a key of an imported one. It names
  ///   the imported one with the lowest id.
  func requireUnique() throws(SnapshotError) {
    if table.hasUniqueIndex { try table.requireUnique(table.changedBoxes(since: base).lazy.compactMap(\.after)) }
  }

  func requireSound() {}

  mutating func rebase(from old: Root, onto new: Root, isQuick: Bool) throws -> Bool {
    // The first one has what others have removed since the import began.
    if others.isEmpty, !new.hasSameTables(as: root) { others = [value] }
    let theirs = new[keyPath: path].changedBoxes(since: base).filter { table.tree[$0.id] === $0.before }
    _ = table.remove(boxes: theirs.filter { $0.after == nil }.map { $0.id })
    let boxes = theirs.compactMap { $0.after }
    table.putUnchecked(boxes)
    root = new
    try table.requireUnique(boxes)
    return true
  }
}
