/// Collects the records of one table of any type for salvage, or the item of a single value.
protocol SalvageCollector: AnyObject {
  var name: String { get }

  /// Whether the collector is for a single value, and takes no records.
  var isValue: Bool { get }

  /// Whether the form of a record shows whether it belongs to this table.
  var knowsForm: Bool { get }

  /// Decodes a record strictly and keeps it.
  func add(_ item: Item, _ range: Range<Int>, _ index: Int?) throws

  /// How well a record fits into the table.
  ///
  /// - Throws: the reason why it cannot be decoded.
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
  /// The record has keys that the table does not know.
  case loose
  case exact
}

/// A collector for a known model.
protocol TypedSalvageCollector<Root>: SalvageCollector {
  associatedtype Root

  /// Whether nothing was kept.
  var isEmpty: Bool { get }

  /// Puts the collected records into the table. A record that the table cannot hold is lost.
  func put(into root: inout Root, _ unknown: inout UnknownContent, _ log: SalvageLog)
}

/// Makes a collector for each table of a schema.
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
  var isEmpty: Bool { found == nil }

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
