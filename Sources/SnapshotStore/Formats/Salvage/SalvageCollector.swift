/// Collects the records of one table for salvage, whatever their type; or the one item of a single value.
protocol SalvageCollector: AnyObject {
  var name: String { get }

  /// Whether it is for a single value, and no record belongs to it.
  var isValue: Bool { get }

  /// Whether the form of a record tells whether it is of this table.
  var knowsForm: Bool { get }

  /// Decodes a record strictly, and keeps it.
  func add(_ item: Item, _ range: Range<Int>, _ index: Int?) throws

  /// How well a record fits into the table.
  ///
  /// - Throws: why it cannot be decoded.
  func fit(_ item: Item) throws -> SalvageFit
}

extension SalvageCollector {
  var isValue: Bool { false }
}

/// Collects the one item of a single value.
protocol ValueSalvageCollector: SalvageCollector {}

extension ValueSalvageCollector {
  var isValue: Bool { true }
  var knowsForm: Bool { true }

  func fit(_ item: Item) throws -> SalvageFit {
    throw SnapshotError(.wrongSchema, "the value \(name.quotedForMessage()) has no records")
  }
}

/// How well a record fits into a table.
enum SalvageFit {
  /// It has keys that the table does not know.
  case loose
  case exact
}

/// The same, of a model that is known.
protocol TypedSalvageCollector<Root>: SalvageCollector {
  associatedtype Root

  /// Makes the table of what was kept; what it cannot hold is lost.
  func put(into root: inout Root, _ unknown: inout UnknownContent, _ log: SalvageLog)
}

/// A collector for each table of a schema.
struct SalvageCollectorMaker<Root: Model>: FieldVisitor {
  let unknownKeys: UnknownKeys
  private(set) var collectors: [any TypedSalvageCollector<Root>] = []

  init(_ unknownKeys: UnknownKeys) { self.unknownKeys = unknownKeys }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    let decoding = RecordDecoding<Value>(table: name, defaults: Root.schema.defaults, unknownKeys)
    collectors.append(RecordSalvage(name: name, table: table, decoding: decoding))
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {
    let decoding = RecordDecoding<Value>(table: name, defaults: Root.schema.defaults, unknownKeys)
    collectors.append(ValueSalvage(name: name, path: value, decoding: decoding))
  }
}

private final class ValueSalvage<Root, Value: SingleValue>: TypedSalvageCollector,
  ValueSalvageCollector
{
  let name: String
  private let path: ValuePath<Root, Value>
  private let decoding: RecordDecoding<Value>
  private var found: (value: Value, unknown: [Item.Member])?

  init(name: String, path: ValuePath<Root, Value>, decoding: RecordDecoding<Value>) {
    self.name = name
    self.path = path
    self.decoding = decoding
  }

  func add(_ item: Item, _ range: Range<Int>, _ index: Int?) throws {
    found = try decoding.decode(item)
  }

  func put(into root: inout Root, _ unknown: inout UnknownContent, _ log: SalvageLog) {
    guard let found else { return }
    root[keyPath: path] = found.value
    unknown.set(found.unknown, ofValue: name)
  }
}

private final class RecordSalvage<Root, Value: Record>: TypedSalvageCollector {
  let name: String
  let knowsForm = true
  private let table: TablePath<Root, Value>
  private let decoding: RecordDecoding<Value>
  private var records: [Found] = []

  private struct Found {
    let box: RecordBox<Value>
    let range: Range<Int>
    let index: Int?
    let unknown: [Item.Member]
  }

  init(name: String, table: TablePath<Root, Value>, decoding: RecordDecoding<Value>) {
    self.name = name
    self.table = table
    self.decoding = decoding
  }

  func add(_ item: Item, _ range: Range<Int>, _ index: Int?) throws {
    let (record, unknown) = try decoding.decode(item)
    records.append(Found(box: RecordBox(record), range: range, index: index, unknown: unknown))
  }

  func fit(_ item: Item) throws -> SalvageFit {
    try decoding.decode(item).unknown.isEmpty ? .exact : .loose
  }

  /// Of records with one id the first in the file is kept. O(n log n).
  func put(into root: inout Root, _ content: inout UnknownContent, _ log: SalvageLog) {
    var kept: [RecordBox<Value>] = []
    var unknown: [(id: Value.ID, members: [Item.Member])] = []
    var sorted: [Found] = []
    for found in records {
      if found.box.record.id == found.box.record.id {
        sorted.append(found)
      } else {
        lose(found, SnapshotError(.invalidValue, "an id that is not equal to itself"), log)
      }
    }
    sorted.sort {
      ($0.box.record.id, $0.range.lowerBound) < ($1.box.record.id, $1.range.lowerBound)
    }
    for found in sorted {
      if let last = kept.last, last.record.id == found.box.record.id {
        if Self.isSame(last.record, found.box.record) { continue }
        let isSpelledAlike = ExactText("\(last.record.id)") == ExactText("\(found.box.record.id)")
        lose(
          found,
          isSpelledAlike
            ? SnapshotError(.duplicate, "another record before it has its id")
            : Table<Value>.duplicate(last.record.id, found.box.record.id), log)
      } else {
        kept.append(found.box)
        if !found.unknown.isEmpty { unknown.append((found.box.record.id, found.unknown)) }
      }
    }
    content.add(unknown, of: name, Value.self)
    do throws(SnapshotError) {
      root[keyPath: table] = try Table(sortedBoxes: kept)
    } catch {
      root[keyPath: table] = oneByOne(sorted, log)
    }
    records = []
  }

  /// A table without the records that a unique index refuses, of which the first in the file is kept.
  private func oneByOne(_ records: [Found], _ log: SalvageLog) -> Table<Value> {
    var result = Table<Value>()
    for found in records.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where !result.contains(found.box.record.id) {
      do throws(SnapshotError) {
        try result.insert(found.box.record)
      } catch {
        lose(found, error, log)
      }
    }
    return result
  }

  private func lose(_ found: Found, _ error: SnapshotError, _ log: SalvageLog) {
    let item = try? ItemEncoder.item(forRecord: found.box.record)
    log.addRecord(error, table: name, index: found.index, readable: item, found.range)
  }

  /// Whether two records are written in the same way; `==` may hold more to be equal.
  private static func isSame(_ a: Value, _ b: Value) -> Bool {
    guard let a = try? ItemEncoder.item(forRecord: a), let b = try? ItemEncoder.item(forRecord: b)
    else { return false }
    var first = ByteSink()
    var second = ByteSink()
    JSONText.append(a, to: &first)
    JSONText.append(b, to: &second)
    return first.bytes.elementsEqual(second.bytes)
  }
}
