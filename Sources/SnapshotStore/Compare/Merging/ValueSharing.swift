/// Values of one file that share memory, so that comparisons among them cost no more than their differences.
extension Model {
  /// A copy of this value that shares memory with other values. Each record that is written the same as in one of them
  /// is replaced by that one, preferably of the last value. Comparisons among them then cost O(changes · log n). O(n).
  func sharing(with values: [Self]) -> Self {
    var sharing = Sharing(values: values, value: self)
    Self.schema.visit(&sharing)
    return sharing.value
  }
}

private struct Sharing<Root: Model>: FieldVisitor {
  let values: [Root]
  var value: Root

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    let tables = values.map { $0[keyPath: path] }
    guard var shared = tables.last else { return }
    let changes = value[keyPath: path].storedChanges(from: shared)
    _ = shared.remove(boxes: changes.map { $0.id })
    let boxes = changes.compactMap { change in
      change.after.map { box in
        tables.dropLast().lazy.compactMap { $0.tree[change.id] }.last { RecordBox.areStoredAlike($0, box) } ?? box
      }
    }
    // The records already fit together in one table.
    guard (try? shared.put(boxes)) != nil else { return }
    value[keyPath: path] = shared
  }

  /// Single values are compared as they are written.
  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}

extension SnapshotContent {
  /// A copy whose unknown content shares memory with that of an older content, where it is written the same. O(unknown
  /// content).
  func sharingUnknown(with older: SnapshotContent) -> SnapshotContent {
    if unknown.isSame(as: older.unknown) { return self }
    var sharing = UnknownSharing(older: older.unknown, content: self)
    Root.schema.visit(&sharing)
    let tables = older.unknown.tables.byName
    sharing.content.unknown.set(unknown.tables.map { $0.sharing(with: tables[ExactText($0.name)]) })
    return sharing.content
  }
}

private struct UnknownSharing<Root: Model>: FieldVisitor {
  let older: UnknownContent
  var content: SnapshotContent<Root>

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    let (old, new) = (
      older.members(in: name, of: Value.self), content.unknown.members(in: name, of: Value.self)
    )
    if new.isEmpty { return }
    let shared = Dictionary(uniqueKeysWithValues: new.map { id, members in (id, members.orSame(as: old[id])) })
    content.unknown.set(shared, of: name, Value.self)
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}

extension UntypedTable {
  fileprivate func sharing(with older: UntypedTable?) -> UntypedTable {
    guard let older, let key = Self.keyOfIDs(in: [self, older]), let old = older.items.byID(key) else { return self }
    var shared = self
    shared.items = items.map { item in
      guard let before = item[key].flatMap({ old[ExactText($0.json)] }) else { return item }
      return Item.areSame(before, item) ? before : item
    }
    return shared
  }
}

extension [Item.Member] {
  fileprivate func orSame(as older: Self?) -> Self {
    guard let older else { return self }
    return Item.areSame(Item(.dictionary(self)), Item(.dictionary(older))) ? older : self
  }
}
