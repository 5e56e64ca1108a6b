/// The functions with which a table keeps one index up to date.
///
/// A table holds indexes of many key types in one list, and the compiler does not specialise code behind an
/// existential. So an index supplies its own functions. They are made where the index is declared, because the types
/// are known there (decision 0013).
@usableFromInline
final class IndexMaintainer<Value: Record>: Sendable {
  @usableFromInline typealias Box = RecordBox<Value>
  @usableFromInline let name: String
  @usableFromInline let isUnique: Bool
  /// The text of a key, and two records that both have it.
  @usableFromInline typealias Conflict = (key: String, id: Value.ID, holder: Value.ID)
  /// Builds the index of records. If the index forbids it, also returns a key of two records.
  @usableFromInline let build: @Sendable (_ boxes: [Box]) -> (entries: ErasedTree, conflict: Conflict?)
  /// One of the record's keys that another record has, in a unique index.
  @usableFromInline let conflict: @Sendable (_ entries: ErasedTree, _ box: Box) -> Conflict?
  /// Moves a record from its old keys to its new keys, in one index of a table. The array is not changed if the keys
  /// are the same.
  @usableFromInline
  let update: @Sendable (_ indexes: inout [TableIndex<Value>], _ position: Int, _ old: Box?, _ new: Box?) -> Void
  /// The same for many records, each with its old and new version. It proceeds in the order of the entries, so that the
  /// next place is near the last one.
  @usableFromInline
  let updateMany:
    @Sendable (_ indexes: inout [TableIndex<Value>], _ position: Int, _ changes: [(old: Box?, new: Box?)]) -> Void
  /// Violations of the entries' invariants, and of the agreement with an index that was built anew.
  @usableFromInline let violations: @Sendable (_ entries: ErasedTree, _ rebuilt: ErasedTree) -> [String]

  /// - Parameters:
  ///   - isUnaffected: a quick test whether two versions of a record have the same keys. False proves nothing.
  ///   - rank: returns a number that is ordered like the keys, if there is one.
  @inlinable
  init<Key: Comparable & Sendable>(
    name: String, isUnique: Bool, isUnaffected: (@Sendable (Value, Value) -> Bool)?,
    rank: (@Sendable (Key) -> SortRank)?, keys: @escaping @Sendable (Value) -> IndexKeys<Key>
  ) {
    typealias Entries = SortedTree<IndexPosition<Key, Value.ID>, Void>
    self.name = name
    self.isUnique = isUnique
    build = { boxes in
      let all = IndexPosition.sorted(boxes, keys: keys, rank: rank)
      let entries = ErasedTree(Entries(count: all.count) { (all[$0], ()) })
      guard isUnique else { return (entries, nil) }
      return (entries, zip(all, all.dropFirst()).first { $0.key == $1.key }.map { ("\($0.key)", $0.id, $1.id) })
    }
    conflict = { entries, box in
      let entries = entries.knownTree(as: Entries.self)
      let keys = keys(box.record).normalized
      for position in 0..<keys.count {
        let key = keys[position]
        var cursor = Entries.Cursor(entries) { $0.key < key }
        while let entry = cursor.current?.key, entry.key == key {
          if entry.id != box.record.id { return ("\(key)", box.record.id, entry.id) }
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
      indexes[position].change(as: Entries.self) { entries in
        entries.move(from: olds.normalized, to: news.normalized, oldID: old?.record.id, newID: new?.record.id)
      }
    }
    updateMany = { indexes, position, changes in
      var gone: [IndexPosition<Key, Value.ID>] = []
      var come: [IndexPosition<Key, Value.ID>] = []
      for (old, new) in changes {
        if let isUnaffected, let old, let new, isUnaffected(old.record, new.record) { continue }
        let olds = old.map { keys($0.record) } ?? .none
        let news = new.map { keys($0.record) } ?? .none
        if olds.isSame(as: news) { continue }
        if let old { IndexPosition.append(olds, id: old.record.id, to: &gone) }
        if let new { IndexPosition.append(news, id: new.record.id, to: &come) }
      }
      if gone.isEmpty, come.isEmpty { return }
      if Self.areInOrder(changes) {
        IndexPosition<Key, Value.ID>.sort(&gone, rank)
        IndexPosition<Key, Value.ID>.sort(&come, rank)
      } else {
        gone.sort()
        come.sort()
      }
      indexes[position].change(as: Entries.self) { entries in
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

  /// Whether changes are in ascending order of the ids. O(n).
  @inlinable
  static func areInOrder(_ changes: [(old: Box?, new: Box?)]) -> Bool {
    var last: Value.ID?
    for (old, new) in changes {
      guard let id = (new ?? old)?.record.id else { continue }
      if let last, !(last < id) { return false }
      last = id
    }
    return true
  }
}
