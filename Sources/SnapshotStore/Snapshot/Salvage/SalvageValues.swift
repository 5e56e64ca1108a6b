/// How sure it is that what stands under the name of a value is that value, and not a property of a record.
enum SalvageCertainty: Int, Comparable {
  /// It is within what may be a record that has lost its beginning.
  case none
  /// It is where tables are, with damage before it that may have been the end of one.
  case possible
  /// It follows the end of a table, or a member of the file's frame.
  case frame
  /// It also begins a line, no further right than the records.
  case line
  /// The file says so: a line of newline-delimited JSON, or a member of a binary list.
  case certain

  static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What is before a value in the file: its name, and how sure it is that it is a member of the file.
struct SalvageMember {
  let name: String
  let certainty: SalvageCertainty
  let isArray: Bool
}

/// The single values of a model, as salvage finds them in a file.
///
/// Of several under one name the one is kept of which it is surest that it is the value. In doubt that is the last one, since
/// a damaged record before it may have a property of its name; of lines that are certain it is the first.
struct SalvageValues {
  private let collectors: [ExactText: any SalvageCollector]
  private let names: [String]
  private let source: SourceText
  private let log: SalvageLog
  private var taken: [ExactText: (certainty: SalvageCertainty, range: Range<Int>)] = [:]
  private var lost: Set<ExactText> = []
  private var elements: [ExactText: Elements] = [:]

  /// The elements of a value that is an array, from lines as for the records of a table.
  private struct Elements {
    var items: [Item] = []
    var range: Range<Int>
    /// Why one of them cannot be read; then the value cannot either.
    var failure: (error: SnapshotError, range: Range<Int>)?
  }

  init(_ collectors: [any SalvageCollector], _ source: SourceText, _ log: SalvageLog) {
    let values = collectors.filter(\.isValue)
    self.collectors = Dictionary(uniqueKeysWithValues: values.map { (ExactText($0.name), $0) })
    names = values.map(\.name)
    self.source = source
    self.log = log
  }

  /// How many values were read.
  var count: Int { taken.count }

  func isValue(_ name: String) -> Bool { collectors[ExactText(name)] != nil }

  /// A value, well formed.
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
      position: FilePosition(offset: range.lowerBound))
  }

  /// A value that cannot be read.
  mutating func lose(_ name: String, _ error: SnapshotError, _ range: Range<Int>) {
    lost.insert(ExactText(name))
    log.addValue(error, name, range)
  }

  /// An element of a value that is an array.
  mutating func add(element item: Item, of name: String, _ range: Range<Int>) {
    elements[ExactText(name), default: Elements(range: range)].items.append(item)
  }

  /// An element that cannot be read.
  mutating func lose(elementOf name: String, _ error: SnapshotError, _ range: Range<Int>) {
    let failure = elements[ExactText(name), default: Elements(range: range)].failure
    elements[ExactText(name)]?.failure = failure ?? (error, range)
  }

  /// Makes values of their elements, and reports what is missing.
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
  /// A single value of the schema of which nothing was found.
  func addMissing(value name: String) {
    addValue(
      SnapshotError(.missingKey, "the value is missing or damaged; it is what the empty model has"),
      name, nil)
  }
}
