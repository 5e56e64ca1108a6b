/// Removes what someone else has put in the place of a computed value.
extension Model {
  /// Gives everything that rules compute the content of an earlier value. Records that are new keep theirs. O(changes).
  mutating func restoreDerived(from before: Self) {
    var restoring = DerivedRestoring(before: before, value: self)
    Self.schema.visit(&restoring)
    self = restoring.value
  }
}

private struct DerivedRestoring<Root: Model>: FieldVisitor {
  let before: Root
  var value: Root

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    if Root.schema.derivedFields.contains(name) {
      value[keyPath: path] = before[keyPath: path]
      return
    }
    let keys = Value.derivedKeys
    if keys.isEmpty { return }
    let boxes = value[keyPath: path].changedBoxes(since: before[keyPath: path]).compactMap { change in
      guard let old = change.before, let new = change.after else { return nil as RecordBox<Value>? }
      return new.record.taking(keys, from: old.record).map(RecordBox.init)
    }
    // A unique index may hold the old value of another record by now. Then the rule decides alone.
    if !boxes.isEmpty { try? value[keyPath: path].put(boxes) }
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    if Root.schema.derivedFields.contains(name) { value[keyPath: path] = before[keyPath: path] }
  }
}

extension Record {
  /// The record with some properties of another one; nil if these are the same already.
  fileprivate func taking(_ keys: Set<ExactText>, from other: Self) -> Self? {
    guard let mine = [Item.Member](of: self), let their = [Item.Member](of: other) else { return nil }
    let own = mine.filter { keys.contains($0.key) }
    let old = their.filter { keys.contains($0.key) }
    if own.byKey.keysDiffering(from: old.byKey).isEmpty { return nil }
    let members = mine.filter { !keys.contains($0.key) } + old
    return try? ItemDecoder.decodeWritten(Self.self, from: Item(.dictionary(members.sorted { $0.key < $1.key })))
  }
}
