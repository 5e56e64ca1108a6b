/// The table of an import: the store's, with the records that came in. Of a record that others write meanwhile, the one that came in
/// counts.
///
/// While records come in, two of them may have one key in a unique index: a later record may take it away from one. What counts is the
/// end, so that it does not matter where batches end.
struct ImportedTable<Root: Model, Value: Record>: BesideChange {
  private let path: TablePath<Root, Value>
  /// What the table was brought onto.
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

  mutating func put(_ boxes: [RecordBox<Value>]) { table.putUnchecked(boxes) }

  /// Has others' records count from here on: what has come in is published.
  mutating func begin() { root = value }

  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken` if another record has a key of one that came in; the one with the lowest id
  ///   is named.
  func requireUnique() throws(SnapshotError) {
    if table.hasUniqueIndex { try table.requireUnique(table.changedBoxes(since: base).lazy.compactMap(\.after)) }
  }

  func requireSound() {}

  mutating func rebase(from old: Root, onto new: Root, isQuick: Bool) throws -> Bool {
    let others = new[keyPath: path].changedBoxes(since: base).filter { table.tree[$0.id] === $0.before }
    _ = table.remove(boxes: others.filter { $0.after == nil }.map(\.id))
    let boxes = others.compactMap(\.after)
    table.putUnchecked(boxes)
    root = new
    try table.requireUnique(boxes)
    return true
  }
}
