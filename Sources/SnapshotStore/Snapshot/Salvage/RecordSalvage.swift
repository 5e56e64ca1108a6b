/// Collects the records of one table for salvage.
///
/// A damaged file may have several records with the same id. The first in the file is kept. Copies of it that are
/// written in the same way add unknown members that it lacks. Every other one is lost, and listed.
struct RecordSalvage<Value: Record> {
  private let name: String
  private let log: SalvageLog
  private var records: [Found] = []

  private struct Found {
    let box: RecordBox<Value>
    let range: Range<Int>
    let index: Int?
    var unknown: CopiedMembers

    var record: Value { box.record }
  }

  private typealias Refused = (found: Found, error: SnapshotError)

  init(name: String, _ log: SalvageLog) {
    self.name = name
    self.log = log
  }

  mutating func add(_ record: Value, _ unknown: [Item.Member], _ place: FoundContent.Record) {
    records.append(
      Found(box: RecordBox(record), range: place.range, index: place.index, unknown: CopiedMembers(unknown)))
  }

  /// The table. Its unknown members go to the content. A record that it cannot hold is lost. O(n log n).
  func table(_ content: inout UnknownContent) -> Table<Value> {
    var (kept, refused) = firstOfEachID()
    var table: Table<Value>
    if let made = try? Table(sortedBoxes: kept.map(\.box)) {
      table = made
    } else {
      (table, kept, refused) = oneByOne(kept + refused.map(\.found))
    }
    for (found, error) in refused { lose(found, error) }
    let unknown = kept.filter { !$0.unknown.members.isEmpty }.map { (id: $0.record.id, members: $0.unknown.members) }
    content.add(unknown, of: name, Value.self)
    return table
  }

  /// The first record of each id, in ascending order, and the later records with the same ids.
  private func firstOfEachID() -> (kept: [Found], refused: [Refused]) {
    var kept: [Found] = []
    var refused: [Refused] = []
    for found in sorted() {
      guard let last = kept.indices.last, kept[last].record.id == found.record.id else {
        kept.append(found)
        continue
      }
      if Self.isSame(kept[last].record, found.record), kept[last].unknown.add(found.unknown.members) { continue }
      refused.append((found, Self.duplicate(kept[last].record, found.record)))
    }
    return (kept, refused)
  }

  /// The records sorted by id. Those with the same id keep the order of the file.
  private func sorted() -> [Found] {
    var sorted: [Found] = []
    for found in records {
      if found.record.id == found.record.id {
        sorted.append(found)
      } else {
        lose(found, SnapshotError(.invalidValue, "an id that is not equal to itself"))
      }
    }
    sorted.sort { ($0.record.id, $0.range.lowerBound) < ($1.record.id, $1.range.lowerBound) }
    return sorted
  }

  /// A table without the records that a unique index refuses. Of records with the same key, the first in the file is
  /// kept.
  private func oneByOne(_ records: [Found]) -> (Table<Value>, kept: [Found], refused: [Refused]) {
    var table = Table<Value>()
    var kept: [Found] = []
    var refused: [Refused] = []
    for found in records.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      do throws(SnapshotError) {
        if let other = table[found.record.id] {
          refused.append((found, Self.duplicate(other, found.record)))
          continue
        }
        try table.insert(found.record)
        kept.append(found)
      } catch {
        // Unlike a second record of one id, this one leaves its id without a record.
        refused.append((found, SnapshotError(.invalidValue, error.message)))
      }
    }
    return (table, kept, refused)
  }

  private func lose(_ found: Found, _ error: SnapshotError) {
    let item = try? ItemEncoder.item(forRecord: found.record).adding(found.unknown.members)
    log.addRecord(error, table: name, index: found.index, readable: item, found.range)
  }

  private static func duplicate(_ first: Value, _ second: Value) -> SnapshotError {
    let isSpelledAlike = ExactText("\(first.id)") == ExactText("\(second.id)")
    return isSpelledAlike
      ? SnapshotError(.duplicate, "another record before it has its id") : Table<Value>.duplicate(first.id, second.id)
  }

  /// Whether two records are written in the same way. `==` may treat more records as equal.
  private static func isSame(_ a: Value, _ b: Value) -> Bool {
    guard let a = try? ItemEncoder.item(forRecord: a), let b = try? ItemEncoder.item(forRecord: b)
    else { return false }
    return Item.areSame(a, b)
  }
}

/// The unknown members of a record, collected from all its copies.
private struct CopiedMembers {
  private(set) var members: [Item.Member]
  /// The members by their keys, once there is a copy.
  private var values: [ExactText: Item] = [:]

  init(_ members: [Item.Member]) { self.members = members }

  /// Adds the additional members of a copy. O(members of the copy), and O(members) the first time.
  ///
  /// - Returns: false, with nothing added, if a key has a different value here.
  mutating func add(_ more: [Item.Member]) -> Bool {
    if more.isEmpty { return true }
    if values.isEmpty { values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first } }
    for member in more {
      if let own = values[member.key], !Item.areSame(own, member.value) { return false }
    }
    for member in more where values.updateValue(member.value, forKey: member.key) == nil { members.append(member) }
    return true
  }
}
