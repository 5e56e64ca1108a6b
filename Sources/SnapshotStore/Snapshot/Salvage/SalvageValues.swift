/// How certain it is that content under the name of a value is that value, and not a property of a record.
enum SalvageCertainty: Int, Comparable {
  /// It may be inside a record that has lost its beginning.
  case none
  /// It is at the level of tables, but damage before it may have hidden the end of a table.
  case possible
  /// It follows the end of a table, or a member of the file's frame.
  case frame
  /// It also begins a line, with no more indentation than the records.
  case line
  /// The file states it: a line of newline-delimited JSON, or a member of a binary list.
  case certain

  static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The name before a value in the file, and the certainty that it is a member of the file.
struct SalvageMember {
  let name: String
  let certainty: SalvageCertainty
  let isArray: Bool
}

/// The single values of a model, filled with those that salvage finds.
///
/// Of several candidates under one name, the most certain one is kept. Among uncertain ones that is the last, because a
/// damaged record before it may have a property of the same name. Among lines that are certain it is the first.
struct SalvageValues {
  private let collectors: [ExactText: any SalvageCollector]
  private let names: [String]
  private let source: SourceText
  private let log: SalvageLog
  private var taken: [ExactText: (certainty: SalvageCertainty, range: Range<Int>)] = [:]
  private var lost: Set<ExactText> = []
  private var elements: [ExactText: Elements] = [:]

  /// The elements of a value that is an array, read from lines like the records of a table.
  private struct Elements {
    var items: [Item] = []
    var range: Range<Int>
    /// The first error in an element. The value then cannot be read.
    var failure: (error: SnapshotError, range: Range<Int>)?
  }

  init(_ collectors: [any SalvageCollector], _ source: SourceText, _ log: SalvageLog) {
    let values = collectors.filter(\.isValue)
    self.collectors = Dictionary(uniqueKeysWithValues: values.map { (ExactText($0.name), $0) })
    names = values.map(\.name)
    self.source = source
    self.log = log
  }

  /// The number of values that were read.
  var count: Int { taken.count }

  func isValue(_ name: String) -> Bool { collectors[ExactText(name)] != nil }

  /// Adds a well-formed value.
  mutating func add(
    _ item: Item, of name: String, _ certainty: SalvageCertainty, _ range: Range<Int>
  ) {
    guard let collector = collectors[ExactText(name)] else { return }
    if let taken = taken[ExactText(name)],
      taken.certainty > certainty || taken.certainty == .certain
    {
      return lose(name, twice(range), range)
    }
    do {
      try collector.add(item, range, nil)
      if let earlier = taken.updateValue((certainty, range), forKey: ExactText(name)) {
        lose(name, twice(earlier.range), earlier.range)
      }
    } catch {
      lose(
        name,
        error as? SnapshotError ?? SnapshotError.decoding(error, of: item, at: name, in: source),
        range)
    }
  }

  private func twice(_ range: Range<Int>) -> SnapshotError {
    SnapshotError(
      .duplicate, "the value occurs twice; this one was not taken",
      position: SnapshotError.Position(offset: range.lowerBound))
  }

  /// Notes a value that cannot be read.
  mutating func lose(_ name: String, _ error: SnapshotError, _ range: Range<Int>) {
    lost.insert(ExactText(name))
    log.addValue(error, name, range)
  }

  /// Adds an element of a value that is an array.
  mutating func add(element item: Item, of name: String, _ range: Range<Int>) {
    elements[ExactText(name), default: Elements(range: range)].items.append(item)
  }

  /// Notes an element that cannot be read.
  mutating func lose(elementOf name: String, _ error: SnapshotError, _ range: Range<Int>) {
    let failure = elements[ExactText(name), default: Elements(range: range)].failure
    elements[ExactText(name)]?.failure = failure ?? (error, range)
  }

  /// Makes values from their elements, and reports missing values.
  mutating func settle(reportsMissing: Bool) {
    for name in names {
      guard let elements = elements.removeValue(forKey: ExactText(name)) else { continue }
      if let (error, range) = elements.failure {
        lose(name, error, range)
      } else {
        add(
          Item(.array(elements.items), offset: elements.range.lowerBound), of: name, .line,
          elements.range)
      }
    }
    guard reportsMissing else { return }
    for name in names where taken[ExactText(name)] == nil && !lost.contains(ExactText(name)) {
      log.addMissing(value: name)
    }
  }
}

extension SalvageLog {
  /// Reports a single value of the schema that was not found.
  func addMissing(value name: String) {
    addValue(
      SnapshotError(.missingKey, "the value is missing or damaged; the empty model's value takes its place"),
      name, nil)
  }
}
