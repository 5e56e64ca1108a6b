import Synchronization

/// An index that is built when it is first needed, from the records that a table had when the index was deferred.
///
/// Opening a file is done sooner without it. The versions of a table share it, so it is built once for all of them.
@usableFromInline
final class DeferredIndex<Value: Record>: Sendable {
  private enum State {
    case records([RecordBox<Value>])
    case entries(ErasedTree)
  }

  private let maintainer: IndexMaintainer<Value>
  private let state: SmallLock<State>
  /// Held by the thread that builds. Others wait for it.
  private let building = ThreadLock()

  /// - Parameter boxes: the records, in ascending order of their ids. The index must not be unique, because a refusal
  ///   would come too late.
  init(_ maintainer: IndexMaintainer<Value>, _ boxes: [RecordBox<Value>]) {
    precondition(!maintainer.isUnique)
    self.maintainer = maintainer
    state = SmallLock(.records(boxes))
  }

  /// The entries. O(n log n) for n records the first time, then O(1).
  @usableFromInline var entries: ErasedTree {
    builtEntries
      ?? building.withLock {
        // Another thread may have built them meanwhile. The records are released after the small lock.
        switch state.withLock({ $0 }) {
        case .entries(let entries): return entries
        case .records(let boxes):
          let entries = maintainer.build(boxes).entries
          state.withLock { $0 = .entries(entries) }
          return withExtendedLifetime(boxes) { entries }
        }
      }
  }

  /// The entries; nil if they were not needed yet.
  @usableFromInline var builtEntries: ErasedTree? {
    if case .entries(let entries) = state.withLock({ $0 }) { entries } else { nil }
  }
}

/// An index of a table: its entries and its functions.
@usableFromInline
struct TableIndex<Value: Record>: Sendable {
  @usableFromInline let maintainer: IndexMaintainer<Value>
  @usableFromInline var built: ErasedTree
  /// The index in place of `built`, as long as the table has not changed it.
  @usableFromInline var deferred: DeferredIndex<Value>?

  @inlinable
  init(_ maintainer: IndexMaintainer<Value>) {
    self.maintainer = maintainer
    built = maintainer.build([]).entries
  }

  /// The entries. A deferred index is built for them.
  @inlinable var entries: ErasedTree {
    get { deferred.map(\.entries) ?? built }
    set {
      built = newValue
      deferred = nil
    }
  }

  /// Changes the entries in place. They must have this type.
  @inlinable
  mutating func change<Key, Element>(
    as type: SortedTree<Key, Element>.Type, _ body: (inout SortedTree<Key, Element>) -> Void
  ) {
    if let deferred { entries = deferred.entries }
    built.change(as: type, body)
  }
}

extension Table {
  /// Builds the indexes of new records when they are needed. Unique ones are built at once, for their refusals.
  ///
  /// - Parameters:
  ///   - boxes: all records, in ascending order of their ids.
  ///   - isMeant: whether to defer the index at a position. It is not called for unique indexes.
  @usableFromInline
  mutating func deferIndexes(of boxes: [RecordBox<Value>], where isMeant: (Int) -> Bool = { _ in true }) {
    for position in indexes.indices where !indexes[position].maintainer.isUnique && isMeant(position) {
      indexes[position].deferred = DeferredIndex(indexes[position].maintainer, boxes)
    }
  }

  /// The positions of the indexes that nobody has needed yet.
  @usableFromInline var unbuiltIndexes: Set<Int> {
    Set(indexes.indices.filter { indexes[$0].deferred.map { $0.builtEntries == nil } ?? false })
  }

  /// The work that builds the indexes that nobody has needed yet, for other threads.
  var deferredBuilding: [@Sendable () -> Void] {
    indexes.compactMap(\.deferred).map { index in { _ = index.entries } }
  }
}

extension Model {
  /// The work that builds the indexes of all tables that nobody has needed yet, for other threads.
  var deferredBuilding: [@Sendable () -> Void] {
    var search = DeferredIndexes(root: self)
    Self.schema.visit(&search)
    return search.building
  }
}

private struct DeferredIndexes<Root: Model>: FieldVisitor {
  let root: Root
  var building: [@Sendable () -> Void] = []

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    building += root[keyPath: table].deferredBuilding
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}
