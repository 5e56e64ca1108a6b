/// What changes between two lists.
extension LiveList {
  /// The changes from one list to the next, in the form that list views expect.
  ///
  /// ```swift
  /// var rows = Array(batch.before)
  /// batch.apply(to: &rows)                       // now the records of batch.after
  /// for pair in batch.updates { show("row \(pair.new) changed") }
  /// ```
  ///
  /// **Deletes** and the origins of **moves** are indexes of the old list. **Inserts** and the destinations of moves
  /// are indexes of the new list. **Updates** have both. ``apply(to:)`` makes the new list from the old one in three
  /// steps:
  ///
  /// 1. Remove the deletes and the origins of moves, last first.
  /// 2. Insert the inserts and the destinations of moves, first to last.
  /// 3. Replace the updated records.
  ///
  /// A record is in at most one of deletes, inserts, moves and updates. It is an *update* if its content changed and it
  /// can keep its place, even if its key changed. It is a *move* if it changed its section or cannot keep its place.
  /// Its content may have changed too. If several records changed their order, as few as possible move.
  ///
  /// In a list with a limit, records that leave at the end are deletes, and records that enter are inserts. Sections
  /// are identified by their keys. A section with its first record is inserted, a section without its last is deleted,
  /// and sections never move.
  public struct Batch: Sendable {
    /// The list before.
    public let before: LiveList<Value, Section>
    /// The list after.
    public let after: LiveList<Value, Section>
    /// The old indexes of records that are no longer in the list, ascending.
    public internal(set) var deletes: [Int] = []
    /// The new indexes of records that were not in the list, ascending.
    public internal(set) var inserts: [Int] = []
    /// Records that changed their place, by new index, ascending.
    public internal(set) var moves: [IndexPair] = []
    /// Records that changed in place, by new index, ascending.
    public internal(set) var updates: [IndexPair] = []
    /// The old indexes of removed sections, ascending.
    public internal(set) var sectionDeletes: [Int] = []
    /// The new indexes of added sections, ascending.
    public internal(set) var sectionInserts: [Int] = []

    init(before: LiveList<Value, Section>, after: LiveList<Value, Section>) {
      self.before = before
      self.after = after
    }

    /// Whether no record and no section in the list has changed. A list with a limit may deliver an empty batch: only
    /// its ``LiveList/matchCount`` has changed.
    public var isEmpty: Bool {
      deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty && sectionDeletes.isEmpty
        && sectionInserts.isEmpty
    }

    /// Whether a follower sees a difference.
    var hasChanges: Bool { !isEmpty || before.matchCount != after.matchCount }

    /// Converts a copy of the old list to the new one. O(n) plus O(log n) for each change.
    public func apply(to records: inout [Value]) {
      if records.count != before.count {
        fatalError(
          "LiveList.Batch.apply(to:) was given \(records.count.counted("record")), but its list had \(before.count). "
            + "Apply each batch once, in order, to the records of the list before it.")
      }
      let (olds, news) = (deletes + moves.map { $0.old }, inserts + moves.map { $0.new })
      records = Self.edited(records, without: olds, with: news) { after[$0] }
      // The counts differ only if the query's functions do not depend on the record alone.
      if records.count != after.count { records = Array(after) }
      for update in updates { records[update.new] = after[update.new] }
    }

    /// Converts the keys of the old sections to those of the new ones. O(sections).
    public func apply(toSections keys: inout [Section]) {
      let sections = after.sections
      keys = Self.edited(keys, without: sectionDeletes, with: sectionInserts) { sections[$0].key }
    }

    private static func edited<Element>(
      _ elements: [Element], without deletes: [Int], with inserts: [Int], _ new: (Int) -> Element
    ) -> [Element] {
      let gone = Set(deletes)
      var kept = elements.indices.lazy.filter { !gone.contains($0) }.makeIterator()
      let come = Set(inserts)
      return (0..<elements.count - gone.count + come.count).compactMap { index in
        come.contains(index) ? new(index) : kept.next().map { elements[$0] }
      }
    }
  }
}

extension LiveList.Batch {
  /// The index of a record in an old list, and its index in the new one.
  public struct IndexPair: Hashable, Sendable {
    /// The index in the old list.
    public var old: Int
    /// The index in the new list.
    public var new: Int

    /// Two indexes of one record.
    public init(old: Int, new: Int) {
      self.old = old
      self.new = new
    }
  }
}
