/// An order for values that Swift keeps in no order.
extension Item {
  /// A total order on values, by kind and then by content; texts by their UTF-8. It makes the output of a `Set` or a
  /// `Dictionary` the same in every process.
  static func isOrderedBefore(_ a: Item, _ b: Item) -> Bool { compare(a, b) < 0 }

  /// Whether two values are written in the same way.
  static func areSame(_ a: Item, _ b: Item) -> Bool { compare(a, b) == 0 }

  /// Whether two values are written in the same way, or both are missing.
  static func areSame(_ a: Item?, _ b: Item?) -> Bool {
    guard let a, let b else { return (a == nil) == (b == nil) }
    return areSame(a, b)
  }

  private static func compare(_ a: Item, _ b: Item) -> Int {
    switch (a.content, b.content) {
    case (.bool(let a), .bool(let b)): order(a ? 1 : 0, b ? 1 : 0)
    case (.integer(let a), .integer(let b)): order(a, b)
    case (.unsigned(let a), .unsigned(let b)): order(a, b)
    case (.real(let a), .real(let b)), (.date(let a), .date(let b)): totalOrder(a, b)
    case (.decimal(let a), .decimal(let b)):
      DecimalDigits(a).flatMap { a in DecimalDigits(b).map { order(a, $0) } } ?? 0
    case (.string(let a), .string(let b)): lexicographic(a.utf8, b.utf8, order)
    case (.data(let a), .data(let b)): lexicographic(a, b, order)
    case (.array(let a), .array(let b)): lexicographic(a, b, compare)
    case (.dictionary(let a), .dictionary(let b)):
      lexicographic(a, b) { a, b in
        let keys = lexicographic(a.key.text.utf8, b.key.text.utf8, order)
        return keys != 0 ? keys : compare(a.value, b.value)
      }
    default: order(a.rank, b.rank)
    }
  }

  private static func totalOrder(_ a: Double, _ b: Double) -> Int {
    a.isTotallyOrdered(belowOrEqualTo: b) ? (b.isTotallyOrdered(belowOrEqualTo: a) ? 0 : -1) : 1
  }

  private static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : b < a ? 1 : 0 }

  private static func lexicographic<S: Sequence>(_ a: S, _ b: S, _ compare: (S.Element, S.Element) -> Int) -> Int {
    var (a, b) = (a.makeIterator(), b.makeIterator())
    while true {
      switch (a.next(), b.next()) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let x?, let y?):
        let result = compare(x, y)
        if result != 0 { return result }
      }
    }
  }

  private var rank: Int {
    switch content {
    case .null: 0
    case .bool: 1
    case .integer: 2
    case .unsigned: 3
    case .real: 4
    case .decimal: 5
    case .date: 6
    case .string: 7
    case .data: 8
    case .array: 9
    case .dictionary: 10
    }
  }
}
