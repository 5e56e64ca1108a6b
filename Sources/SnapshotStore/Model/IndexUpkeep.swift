/// How a table keeps one index in step with its records. Only ``Table`` uses it; it is public because ``RecordIndex``
/// names it.
///
/// A table holds indexes of many key types in one list, and code that is reached through an existential is never
/// specialised. So an index brings functions along: they are made where it is declared, and there the types are known
/// (decision 0013).
public final class IndexUpkeep<Value: Record>: Sendable {
  @usableFromInline typealias Box = RecordBox<Value>
  @usableFromInline let name: String
  @usableFromInline let isUnique: Bool
  /// The index of these records, and two ids that hold one key if the index forbids it.
  @usableFromInline let build: @Sendable (_ boxes: [Box]) -> (entries: ErasedTree, conflict: (Value.ID, Value.ID)?)
  /// The id of another record that holds one of the record's keys, in a unique index.
  @usableFromInline let conflict: @Sendable (_ entries: ErasedTree, _ box: Box) -> Value.ID?
  /// Moves a record from the keys it had to the keys it has, in one of a table's indexes. Leaves the array alone if the
  /// keys are the same.
  @usableFromInline
  let update: @Sendable (_ indexes: inout [TableIndex<Value>], _ position: Int, _ old: Box?, _ new: Box?) -> Void
  /// The same for many records, each with the version before and after. In order of the entries, which finds the next
  /// place near the last one.
  @usableFromInline
  let updateMany:
    @Sendable (_ indexes: inout [TableIndex<Value>], _ position: Int, _ changes: [(old: Box?, new: Box?)]) -> Void
  /// What is wrong with the entries, and whether they are others than those of an index that was built anew.
  @usableFromInline let violations: @Sendable (_ entries: ErasedTree, _ rebuilt: ErasedTree) -> [String]

  /// - Parameters:
  ///   - isUnaffected: a quick test that the keys of two versions of a record are the same; may say no when they are.
  ///   - rank: a number in the order of the keys, if they have one.
  @inlinable
  init<Key: Comparable & Sendable>(
    name: String, isUnique: Bool, isUnaffected: (@Sendable (Value, Value) -> Bool)?,
    rank: (@Sendable (Key) -> SortRank)?, keys: @escaping @Sendable (Value) -> IndexKeys<Key>
  ) {
    typealias Entries = SortedTree<IndexEntry<Key, Value.ID>, Void>
    self.name = name
    self.isUnique = isUnique
    build = { boxes in
      let all = IndexEntry.sorted(boxes, keys: keys, rank: rank)
      let entries = ErasedTree(Entries(count: all.count) { (all[$0], ()) })
      guard isUnique else { return (entries, nil) }
      return (entries, zip(all, all.dropFirst()).first { $0.key == $1.key }.map { ($0.id, $1.id) })
    }
    conflict = { entries, box in
      let entries = entries.knownTree(as: Entries.self)
      let keys = keys(box.record).normalized
      for position in 0..<keys.count {
        let key = keys[position]
        var cursor = Entries.Cursor(entries) { $0.key < key }
        while let entry = cursor.current?.key, entry.key == key {
          if entry.id != box.record.id { return entry.id }
          cursor.advance()
        }
      }
      return nil
    }
    update = { indexes, position, old, new in
      if let isUnaffected, let old, let new, isUnaffected(old.record, new.record) { return }
      let olds = old.map { keys($0.record) } ?? .none
      let news = new.map { keys($0.record) } ?? .none
      if olds.isSame(as: news) { return }
      indexes[position].entries.change(as: Entries.self) { entries in
        entries.move(from: olds.normalized, to: news.normalized, oldID: old?.record.id, newID: new?.record.id)
      }
    }
    updateMany = { indexes, position, changes in
      var gone: [IndexEntry<Key, Value.ID>] = []
      var come: [IndexEntry<Key, Value.ID>] = []
      for (old, new) in changes {
        if let isUnaffected, let old, let new, isUnaffected(old.record, new.record) { continue }
        let olds = old.map { keys($0.record) } ?? .none
        let news = new.map { keys($0.record) } ?? .none
        if olds.isSame(as: news) { continue }
        if let old { IndexEntry.append(olds, id: old.record.id, to: &gone) }
        if let new { IndexEntry.append(news, id: new.record.id, to: &come) }
      }
      if gone.isEmpty, come.isEmpty { return }
      gone.sort()
      come.sort()
      indexes[position].entries.change(as: Entries.self) { entries in
        for entry in gone { entries.removeValue(forKey: entry) }
        for entry in come { entries.updateValue((), forKey: entry) }
      }
    }
    violations = { entries, rebuilt in
      let (entries, rebuilt) = (entries.knownTree(as: Entries.self), rebuilt.knownTree(as: Entries.self))
      let isSame = entries.elements.map(\.key) == rebuilt.elements.map(\.key)
      return entries.invariantViolations() + (isSame ? [] : ["does not agree with its table"])
    }
  }
}

/// An index of a table: its entries, and how they are kept.
@usableFromInline
struct TableIndex<Value: Record>: Sendable {
  @usableFromInline let upkeep: IndexUpkeep<Value>
  @usableFromInline var entries: ErasedTree

  @inlinable
  init(_ upkeep: IndexUpkeep<Value>) {
    self.upkeep = upkeep
    entries = upkeep.build([]).entries
  }
}
