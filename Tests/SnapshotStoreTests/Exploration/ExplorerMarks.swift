/// The versions of the records that every store changes, and which was made from which.
///
/// Each change writes a number of its own. So a record tells which versions its writer knew. What was acknowledged is
/// there, or a version that was made from it, or it is in a file beside it. A conflict that is told may undo a removal.
struct ExplorerMarks: Hashable {
  /// The versions from which a version was made.
  private var parents: [Int: Set<Int>] = [:]
  /// The steps in which versions were made.
  private var made: [Int: Int] = [:]
  /// The removals of a record, which are versions too.
  private var removals: [Int: Set<Int>] = [:]
  /// The versions of each record that were reported as saved.
  private(set) var acknowledged: [Int: Set<Int>] = [:]
  /// The step in which a conflict of a record was told last.
  private var told: [Int: Int] = [:]
  private var last = 0
  /// The step that is made.
  var step = 0

  /// A number for a version.
  mutating func next() -> Int {
    last += 1
    return last
  }

  /// Notes a change of a record; nil for one that is not there.
  ///
  /// - Returns: the new version.
  mutating func note(_ id: Int, from old: Int?, to new: Int?) -> Int {
    let mark = new ?? next()
    made[mark] = step
    // A record that is added was removed in a way that its writer may know.
    parents[mark, default: []].formUnion(old.map { [$0] } ?? removals[id, default: []])
    if new == nil { removals[id, default: []].insert(mark) }
    return mark
  }

  mutating func acknowledge(_ id: Int, _ mark: Int) { acknowledged[id, default: []].insert(mark) }

  mutating func tell(_ ids: Set<Int>) { for id in ids { told[id] = step } }

  /// Whether a conflict of a record was told since a version of it was made.
  func isTold(_ id: Int, since mark: Int) -> Bool { told[id, default: -1] >= made[mark, default: 0] }

  /// The records of which a version is lost that was reported as saved.
  ///
  /// - Parameters:
  ///   - records: what is there.
  ///   - kept: what is in files beside it.
  ///   - acknowledged: the versions that were reported as saved then.
  func lost(in records: [Int: Int], kept: [[Int: Int]], _ acknowledged: [Int: Set<Int>]) -> [Int] {
    acknowledged.filter { id, marks in
      // A conflict that was told may undo a removal. Any other version is in a file then.
      let isGone = { mark in isThere(mark, id, records[id]) || isTold(id, since: mark) }
      // What was removed afterwards may be gone.
      let removed = origins(of: removals[id, default: []].filter(isGone))
      return marks.contains { mark in
        if removed.contains(mark) || isThere(mark, id, records[id]) { return false }
        return !kept.contains { $0[id].map { origins(of: [$0]).contains(mark) } == true }
      }
    }.keys.sorted()
  }

  /// Whether a version is there, or one that was made from it.
  ///
  /// - Parameter found: what is there; nil if the record is not.
  func isThere(_ mark: Int, _ id: Int, _ found: Int?) -> Bool {
    let removals = removals[id, default: []]
    if origins(of: found.map { [$0] } ?? removals).contains(mark) { return true }
    // Another store may have added a record with the same id. It is not the one that was removed.
    guard let found, removals.contains(mark) else { return false }
    return origins(of: [mark], until: removals.subtracting([mark]))
      .isDisjoint(with: origins(of: [found], until: removals))
  }

  /// Versions, and all from which they were made.
  private func origins(of marks: Set<Int>, until end: Set<Int> = []) -> Set<Int> {
    var (found, open) = (marks, Array(marks))
    while let mark = open.popLast() {
      for parent in parents[mark, default: []] where !end.contains(parent) && found.insert(parent).inserted {
        open.append(parent)
      }
    }
    return found
  }
}
