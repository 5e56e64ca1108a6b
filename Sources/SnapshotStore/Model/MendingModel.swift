public import SnapshotFoundation

/// A model whose records refer to each other, or that has more than its tables: what it does after merges, losses and
/// undos.
///
/// Merges and salvage may leave a record without the one that it refers to. The requirements say how such a value is
/// mended. All of them have a default, so that a model implements only what it needs. A model that is only a
/// ``Model`` is merged, salvaged and undone too, and nothing is mended.
///
/// ```swift
/// struct Library: MendingModel {
///   var shelves = Table<Shelf>()
///   var books = Table<Book>()
///   static let schema = Schema<Library>(name: "library", version: 1) {
///     Field("shelves", \.shelves)
///     Field("books", \.books)
///   }
///
///   mutating func mendAfterLosses() -> [Violation] {
///     let lost = books.filter { !shelves.contains($0.shelf) }
///     books.remove(lost.map(\.id))
///     return lost.map { Violation(place: "books \($0.id)", message: "removed, because its shelf does not exist") }
///   }
/// }
/// ```
///
/// Of a ``Part`` of a schema all of this is called before that of the whole.
public protocol MendingModel: Model {
  /// Mends a value that was salvaged from a damaged file, or merged from two, for example ids that lead nowhere.
  ///
  /// By default it does nothing.
  ///
  /// - Returns: what it did: the record concerned, and what was made of it.
  mutating func mendAfterLosses() -> [Violation]

  /// Takes back records that one side of a merge removed, and to which a record of the other side still refers.
  ///
  /// It is called before ``mendAfterLosses()``, which has to do without the records that this does not take back. By
  /// default it takes nothing back.
  ///
  /// - Parameter values: the values that were merged; each record is taken from the first that has it.
  /// - Returns: the records that were taken back.
  mutating func takeBackReferenced(from values: [Self]) -> [Violation]

  /// Removes again what an older version brought back into a salvaged value, but should not have.
  ///
  /// ``Salvaged/filled(from:)`` adds every record that the older version has and the damaged file lacks. Only the model
  /// knows which of them were deleted, for example by a tombstone. It is called before ``mendAfterLosses()``. By
  /// default it removes nothing.
  ///
  /// - Parameter salvaged: the value before it was filled.
  mutating func pruneAfterFilling(_ salvaged: Self)

  /// Whether the value may need ``takeBackReferenced(from:)`` or ``mendAfterLosses()`` after changes of others were
  /// merged into it.
  ///
  /// By default it is true, which is always safe. A model that finds references by indexes can answer from the
  /// changes alone. Its large changes that remove records are then merged while others write.
  ///
  /// - Parameter changes: the changes of others, made to a value that needed no mending.
  func mayNeedMending(after changes: ChangeSet<Self>) -> Bool

  /// Gives what an undo has brought back a new date, so that no other copy of the value takes it back. The undo is
  /// then an edit.
  ///
  /// ``UndoHistory`` calls it in the transaction in which it undoes or redoes a step. By default it is
  /// ``Model/renewDates(since:at:)``. A model that remembers deletions has more to do. A record that the undo removed
  /// was deleted now. A record that is back must be newer than its tombstone.
  ///
  /// - Parameters:
  ///   - before: the value before the undo.
  ///   - date: the date, by the clock of the history. A model with a clock of its own takes that.
  mutating func dateUndo(since before: Self, at date: Date)

  /// Merges what stands beside the tables, such as a counter, where a block in the background and others have both
  /// changed it.
  ///
  /// The value has the merged tables, and beside them what the others have. By default it gives false. A model
  /// returns true, and keeps either, where what stands there has no meaning by itself, as a source of random numbers.
  ///
  /// - Parameters:
  ///   - base: what both were made from.
  ///   - theirs: what the block has made.
  /// - Returns: false if the two cannot be merged. The block then runs again.
  mutating func mergeUnsaved(base: Self, theirs: Self) -> Bool
}

extension MendingModel {
  /// Nothing to mend.
  public mutating func mendAfterLosses() -> [Violation] { [] }

  /// Nothing to take back.
  public mutating func takeBackReferenced(from values: [Self]) -> [Violation] { [] }

  /// Nothing to remove.
  public mutating func pruneAfterFilling(_ salvaged: Self) {}

  /// True.
  public func mayNeedMending(after changes: ChangeSet<Self>) -> Bool { true }

  /// False: the block runs again.
  public mutating func mergeUnsaved(base: Self, theirs: Self) -> Bool { false }
}
