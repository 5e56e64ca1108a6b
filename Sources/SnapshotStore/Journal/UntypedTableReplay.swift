/// Applies the lines of a journal to a table whose type is not known.
///
/// Records are found by the value under the key of ids that a line names. Where no key has the ids, a line has the old
/// records whole.
struct UntypedTableReplay {
  private let table: UntypedTable
  private let context: JournalContext
  /// The records; nil for those that were removed.
  private var items: [Item?]
  private var key = IDKey.key("id")
  /// The places of records: by their ids, or by their whole content where no key has the ids. Each is made when a line
  /// needs it. It may have places at which another record stands by now.
  private var indexes: [(key: IDKey, places: [ExactText: [Int]])] = []
  /// The lines that have put records at places.
  private var lines: [Int: Int] = [:]

  /// The most keys of ids that one table may have in a journal. A writer changes its key once at most.
  private static let mostKeys = 64

  init(_ table: UntypedTable, _ context: JournalContext) {
    self.table = table
    self.context = context
    items = table.items
  }

  /// Begins with the changes of a line whose records have their ids there.
  mutating func begin(_ key: IDKey) { self.key = key }

  /// Removes the record with an id.
  mutating func remove(_ id: Item) throws(SnapshotError) {
    guard key != .nowhere else { throw failure(.invalidValue, "no key has the ids of this table", "removed", id) }
    try remove(Self.text(ofID: id), "removed", id)
  }

  /// Removes a record that is written exactly like this one.
  mutating func removeOld(_ record: Item) throws(SnapshotError) {
    begin(.nowhere)
    try remove(Self.text(of: record), "old", record)
  }

  private mutating func remove(_ text: ExactText, _ section: String, _ item: Item) throws(SnapshotError) {
    guard let place = try place(of: text, section, item) else {
      if context.isPart, key != .nowhere { return }
      var error = failure(.recordNotFound, "the record that the line removes is not in the table", section, item)
      error.advice = "If the file was edited by hand, open it with the program that knows the types of its records."
      throw error
    }
    items[place] = nil
  }

  /// Replaces the record with the id of this one, or adds it.
  mutating func put(_ record: Item, line: Int) throws(SnapshotError) {
    guard let text = text(of: record, key) else { throw failure(.missingKey, "the record has no id", "put", record) }
    let old = key == .nowhere ? nil : try place(of: text, "put", record)
    if let old, lines[old] == line { throw failure(.duplicate, "two records have the same id", "put", record) }
    let place = old ?? items.count
    let before = old.flatMap { items[$0] }
    if old == nil { items.append(record) } else { items[place] = record }
    lines[place] = line
    for index in indexes.indices {
      let key = indexes[index].key
      guard let text = self.text(of: record, key), before.flatMap({ self.text(of: $0, key) }) != text else { continue }
      indexes[index].places[text, default: []].append(place)
    }
  }

  /// The table after all changes. New records are put in order, if the others are in order.
  func finish() throws(SnapshotError) -> UntypedTable {
    var table = table
    var old = items[..<table.items.count].compactMap { $0 }
    var new = items[table.items.count...].compactMap { $0 }
    if old.count + new.count > context.limits.elementCount {
      throw SnapshotError(
        .limitExceeded, context.limits.countMessage, dataPath: table.name.escapedForMessage(limit: 60))
    }
    if table.items.isEmpty { table.statedIDKey = key == .key("id") ? nil : key }
    if case .key(let key) = key, let ordered = Self.merged(old, new, by: key) {
      (old, new) = (ordered, [])
    }
    table.items = old + new
    return table
  }

  /// Both together, ascending by the values under a key. Nil if the old ones are not in order, or if a record has no
  /// value there.
  private static func merged(_ old: [Item], _ new: [Item], by key: ExactText) -> [Item]? {
    if new.isEmpty { return old }
    let (oldIDs, newIDs) = (old.compactMap { $0[key] }, new.compactMap { $0[key] })
    guard oldIDs.count == old.count, newIDs.count == new.count,
      zip(oldIDs, oldIDs.dropFirst()).allSatisfy({ Item.isOrderedBefore($0, $1) })
    else { return nil }
    let order = new.indices.sorted { Item.isOrderedBefore(newIDs[$0], newIDs[$1]) }
    var result: [Item] = []
    result.reserveCapacity(old.count + new.count)
    var next = 0
    for index in order {
      while next < old.count, Item.isOrderedBefore(oldIDs[next], newIDs[index]) {
        result.append(old[next])
        next += 1
      }
      result.append(new[index])
    }
    return result + old[next...]
  }

  // MARK: Finding records

  /// The place of the one record with a text; nil if there is none. O(1), and removes wrong places from the index.
  private mutating func place(of text: ExactText, _ section: String, _ item: Item) throws(SnapshotError) -> Int? {
    let index = try index(section, item)
    guard var places = indexes[index].places.removeValue(forKey: text) else { return nil }
    var (found, other): (Int?, Int?)
    while other == nil, let place = places.popLast() {
      guard place != found, let record = items[place], self.text(of: record, key) == text else { continue }
      if found == nil { found = place } else { other = place }
    }
    places += [other, found].compactMap { $0 }
    if !places.isEmpty { indexes[index].places[text] = places }
    // Records without a key of ids may be alike. Then each will do.
    if other != nil, key != .nowhere {
      throw failure(.duplicate, "two records in the file have the same id", section, item)
    }
    return found
  }

  /// The number of the index by the present key.
  private mutating func index(_ section: String, _ item: Item) throws(SnapshotError) -> Int {
    if let index = indexes.firstIndex(where: { $0.key == key }) { return index }
    if indexes.count == Self.mostKeys {
      throw failure(
        .limitExceeded, "the ids of the table are under too many keys; the limit is \(Self.mostKeys)", section, item)
    }
    var places: [ExactText: [Int]] = [:]
    places.reserveCapacity(items.count)
    for (place, record) in items.enumerated() {
      if let record, let text = text(of: record, key) { places[text, default: []].append(place) }
    }
    indexes.append((key, places))
    return indexes.count - 1
  }

  /// The text by which a record is found; nil if it has no id.
  private func text(of record: Item, _ key: IDKey) -> ExactText? {
    guard case .key(let key) = key else { return Self.text(of: record) }
    return record[key].map(Self.text(ofID:))
  }

  /// A record as text.
  private static func text(of record: Item) -> ExactText {
    var sink = ByteSink(capacity: 256)
    JSONText.append(record, to: &sink)
    return ExactText(String(decoding: sink.bytes, as: UTF8.self))
  }

  /// An id as text. A value that another program may have spelled differently has the same text.
  private static func text(ofID id: Item) -> ExactText {
    if case .real(let number) = id.content, let integer = Int64(exactly: number) {
      return text(of: Item(.integer(integer)))
    }
    return id.text.map { ExactText("\"" + $0) } ?? text(of: id)
  }

  private func failure(
    _ code: SnapshotError.Code, _ message: String, _ section: String, _ item: Item
  ) -> SnapshotError {
    SnapshotError(
      code, message, position: context.source.position(item.offset),
      dataPath: "\(section).\(table.name)".escapedForMessage(limit: 60))
  }
}
