/// What turned one list into the next: all at once, in the way that list views expect.
///
/// **Deletes** and the origins of **moves** are indexes of the old list; **inserts**, the destinations of moves, and **updates**
/// (which name both) are indexes of the new list. One who takes out the deletes and the origins, last first, then puts in the inserts and the
/// destinations, first to last, then replaces the updated ones, has the new list: ``apply(to:)`` does so.
///
/// A record is in at most one of the four. It is an *update* if its content changed and it keeps its place among those that
/// stay, whatever its key is now; it is a *move* if it has to be, or if it changed its section, and its content may have changed
/// too. Of several records that changed their order, as few as possible move. Where a list has a limit, records pushed out of it are deletes,
/// and records that come in are inserts. Sections are told apart by their keys: one that gets its first record is inserted, one that
/// loses its last is deleted, and they never move.
public struct ListBatch<Value: Record, Section: Comparable & Sendable>: Sendable {
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
  /// The old indexes of sections that are gone, ascending.
  public internal(set) var sectionDeletes: [Int] = []
  /// The new indexes of sections that have come, ascending.
  public internal(set) var sectionInserts: [Int] = []

  init(before: LiveList<Value, Section>, after: LiveList<Value, Section>) {
    self.before = before
    self.after = after
  }

  /// Whether no record and no section that the list shows has changed. A list with a limit is delivered with such a batch too, when
  /// ``LiveList/matchCount`` is all that has.
  public var isEmpty: Bool {
    deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty && sectionDeletes.isEmpty
      && sectionInserts.isEmpty
  }

  /// Whether a follower sees a difference.
  var isNews: Bool { !isEmpty || before.matchCount != after.matchCount }

  /// Makes the new list of a copy of the old one. O(n) plus O(log n) for each change.
  public func apply(to records: inout [Value]) {
    if records.count != before.count {
      fatalError(
        "ListBatch.apply(to:) was given \(records.count.counted("record")), but its list had \(before.count). "
          + "Apply each batch once, in order, to the records of the list before it.")
    }
    records = Self.edited(records, without: deletes + moves.map(\.old), with: inserts + moves.map(\.new)) { after[$0] }
    // Only a query whose functions change their minds comes to this.
    if records.count != after.count { records = Array(after) }
    for update in updates { records[update.new] = after[update.new] }
  }

  /// Makes the keys of the new sections of those of the old ones. O(sections).
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

/// Where a record was in an old list, and where it is in the new one.
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
