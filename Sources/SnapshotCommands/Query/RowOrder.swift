import Foundation
import SnapshotStore

/// The order of records by one or more properties: `name`, or `-date,name` for the latest first.
struct RowOrder: Sendable {
  private let keys: [(path: PropertyPath, isDescending: Bool)]

  /// Reads the keys, with commas between them. A minus before a key reverses its order.
  init(_ text: String) throws(QueryError) {
    var scanner = QueryScanner(text)
    var keys: [(PropertyPath, Bool)] = []
    repeat {
      let isDescending = scanner.skip("-")
      keys.append((try scanner.path(), isDescending))
    } while scanner.skip(",")
    if !scanner.isAtEnd { throw scanner.error("expected a comma and a path; a key of other characters is [\"key\"]") }
    self.keys = keys
  }

  /// The properties that are compared.
  var paths: [PropertyPath] { keys.map(\.path) }

  /// Sorts records. Records that the keys do not tell apart keep their order. O(n log n).
  func sorted(_ records: [UntypedValue]) -> [UntypedValue] {
    let count = keys.count
    let values = records.flatMap { record in keys.map { SortValue($0.path.value(in: record)) } }
    let order = records.indices.sorted { a, b in
      for key in 0..<count {
        let comparison = SortValue.compare(values[a * count + key], values[b * count + key])
        if comparison != 0 { return keys[key].isDescending ? comparison > 0 : comparison < 0 }
      }
      return a < b
    }
    return order.map { records[$0] }
  }
}

/// A value as it is sorted. All values have an order: missing, null, false, true, numbers, dates, texts, others.
///
/// A text that is a whole date is sorted as a date. In some formats a date is a text, and the text of a time with a
/// fraction does not sort by its bytes.
private enum SortValue {
  case low(Int)
  case number(ExactNumber)
  case date(Double)
  case text(ExactText)
  case other

  init(_ value: UntypedValue?) {
    switch QueryValue(value) {
    case .missing: self = .low(0)
    case .null: self = .low(1)
    case .bool(let bool): self = .low(bool ? 3 : 2)
    case .number(let number): self = .number(number)
    case .date(let seconds): self = .date(seconds)
    case .text(let text):
      let seconds = text.utf8.count >= 20 ? QueryDate.seconds(text) : nil
      self = seconds.map(SortValue.date) ?? .text(ExactText(text))
    case .data, .array, .dictionary: self = .other
    }
  }

  /// Negative if a comes first. NaN comes before all other numbers.
  static func compare(_ a: SortValue, _ b: SortValue) -> Int {
    switch (a, b) {
    case (.low(let a), .low(let b)): a - b
    case (.number(let a), .number(let b)): compare(ExactNumber.order(a, b), a.isNaN, b.isNaN)
    case (.date(let a), .date(let b)): compare(QueryValue.order(a, b), a.isNaN, b.isNaN)
    case (.text(let a), .text(let b)): a < b ? -1 : b < a ? 1 : 0
    default: a.rank - b.rank
    }
  }

  private static func compare(_ order: QueryValue.Order?, _ a: Bool, _ b: Bool) -> Int {
    switch order {
    case .less: -1
    case .equal: 0
    case .greater: 1
    case nil: (a ? 0 : 1) - (b ? 0 : 1)
    }
  }

  private var rank: Int {
    switch self {
    case .low: 0
    case .number: 1
    case .date: 2
    case .text: 3
    case .other: 4
    }
  }
}
