/// How two values of a model differ, record by record and property by property, for people and for programs.
///
/// Records are compared as they would be written: what `==` holds to be the same (a text in another Unicode form, `-0.0`
/// and `0.0`) but a file does not is a difference, and a record with a NaN is none to itself. So two values are without
/// difference exactly if they are saved as the same bytes. Costs O(changes · log n) if one value was made from the other,
/// and the encoding of every record of both otherwise.
public struct ModelDifference: Sendable {
  /// What differs: the tables in the order of the schema, the records of each in ascending order of their ids.
  public let records: [RecordDifference]

  /// What turns one value into another.
  ///
  /// - Throws: ``SnapshotError`` with code `unencodable` if a record cannot be written.
  public init<Root: Model>(from old: Root, to new: Root) throws {
    var comparison = RecordComparison(old: old, new: new)
    try Root.schema.visit(&comparison)
    records = comparison.records
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { records.isEmpty }
}

/// Compares the tables of two values.
private struct RecordComparison<Root: Model>: FieldVisitor {
  typealias Failure = SnapshotError
  private typealias Pair<Value: Record> = (old: RecordBox<Value>?, new: RecordBox<Value>?)

  let old: Root
  let new: Root
  private(set) var records: [RecordDifference] = []

  init(old: Root, new: Root) {
    self.old = old
    self.new = new
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) throws(SnapshotError) {
    var pairs: [Pair<Value>] = []
    let tree = new[keyPath: path].tree
    tree.forEachDifference(from: old[keyPath: path].tree, areSame: { $0 === $1 }) { _, old, new in
      pairs.append((old, new))
    }
    let parts = Parallel.map(over: pairs.count, atLeast: 256, threads: Parallel.defaultThreads) { range in
      Result { () throws(SnapshotError) in try Self.differences(pairs[range], in: name) }
    }
    for part in parts { records += try part.get() }
  }

  private static func differences<Value>(
    _ pairs: ArraySlice<Pair<Value>>, in table: String
  ) throws(SnapshotError) -> [RecordDifference] {
    var differences: [RecordDifference] = []
    for (old, new) in pairs {
      let (old, new) = (try item(old, in: table), try item(new, in: table))
      if let difference = RecordDifference(table: table, old: old, new: new) { differences.append(difference) }
    }
    return differences
  }

  private static func item(
    _ box: RecordBox<some Record>?, in table: String
  ) throws(SnapshotError) -> (id: String, item: Item)? {
    guard let record = box?.record else { return nil }
    do {
      return ("\(record.id)", try ItemEncoder.item(forRecord: record))
    } catch {
      throw SnapshotError.encoding(error, at: "\(table) \("\(record.id)".escapedForMessage(limit: 60))")
    }
  }
}
