public import SnapshotFoundation

/// A model that repairs itself after merges, losses and undos: its records refer to each other, or it has more than
/// tables.
///
/// A merge or salvage may leave a record whose referenced record is missing. The requirements of this protocol repair
/// the value. All have a default, so implement only those that you need. In a plain ``Model``, a merge repairs only
/// what its relations and tombstones say.
///
/// ```swift
/// struct Library: RepairingModel {
///   var shelves = Table<Shelf>()
///   var books = Table<Book>()
///   static let schema = Schema(
///     "library", version: 1,
///     Field("shelves", \Library.shelves),
///     Field("books", \Library.books))
///
///   mutating func repair() -> [Violation] {
///     let lost = books.filter { !shelves.contains($0.shelf) }
///     books.remove(lost.map(\.id))
///     return lost.map {
///       Violation(place: "books \($0.id)", message: "removed: it has no shelf")
///     }
///   }
/// }
/// ```
///
/// The functions of a part are called before those of the whole.
public protocol RepairingModel: Model {
  /// Repairs a value that was salvaged from a damaged file, or merged from two. An example is an id without a record.
  ///
  /// By default it does nothing.
  ///
  /// - Returns: the repaired records, each with the change that was made.
  mutating func repair() -> [Violation]

  /// Restores records that one side of a merge removed, and to which a record of the other side still refers.
  ///
  /// It is called before ``repair()``, which handles references that are still broken. By default it restores
  /// nothing.
  ///
  /// - Parameter values: the merged values. Take each record from the first value that has it.
  /// - Returns: the restored records.
  mutating func restoreReferenced(from values: [Self]) -> [Violation]

  /// Removes records that were added from an older version but had been deleted.
  ///
  /// ``Salvaged/filled(from:)`` adds every record that the older version has and the damaged file lacks. Only the model
  /// knows which of them were deleted, for example by a tombstone. It is called before ``repair()``. By
  /// default it removes nothing.
  ///
  /// - Parameter salvaged: the value before it was filled.
  mutating func removeDeleted(addedTo salvaged: Self)

  /// Whether the value may need ``restoreReferenced(from:)`` or ``repair()`` after a merge of other writers'
  /// changes.
  ///
  /// By default it is true, which is always safe. A model that finds references by indexes can decide from the changes
  /// alone. Its large changes that remove records are then merged while other writers continue.
  ///
  /// - Parameter changes: the changes of the others, made to a value that needed no repair.
  func mayNeedRepair(after changes: ChangeSet<Self>) -> Bool

  /// Sets new dates on everything that an undo has restored, so that a sync does not revert it. The undo is then an
  /// edit.
  ///
  /// ``UndoHistory`` calls it in the transaction that undoes or redoes a step. By default it is
  /// ``Model/renewDates(since:at:)``. A model that remembers deletions has more to do. A record that the undo removed
  /// was deleted now. A record that is restored must be newer than its tombstone.
  ///
  /// - Parameters:
  ///   - before: the value before the undo.
  ///   - date: the date, by the clock of the history. A model with its own clock uses that instead.
  mutating func dateUndo(since before: Self, at date: Date)

  /// Merges stored properties beside the tables, such as a counter, that both a background block and other writers
  /// changed.
  ///
  /// The value has the merged tables, and the other properties of the other writers. By default it returns false. A
  /// model may return true and keep either version if the property has no meaning by itself, such as a source of random
  /// numbers.
  ///
  /// - Parameters:
  ///   - base: the value that both were made from.
  ///   - theirs: the value that the block has made.
  /// - Returns: false if the two cannot be merged. The block then runs again.
  mutating func mergeUnsaved(base: Self, theirs: Self) -> Bool
}

extension RepairingModel {
  /// Repairs nothing.
  public mutating func repair() -> [Violation] { [] }

  /// Restores nothing.
  public mutating func restoreReferenced(from values: [Self]) -> [Violation] { [] }

  /// Removes nothing.
  public mutating func removeDeleted(addedTo salvaged: Self) {}

  /// Always true.
  public func mayNeedRepair(after changes: ChangeSet<Self>) -> Bool { true }

  /// Always false: the block runs again.
  public mutating func mergeUnsaved(base: Self, theirs: Self) -> Bool { false }
}
