import SnapshotStore

/// One test of a record: a comparison, a look into a text or a list, or the state of a property.
enum QueryTest: Sendable {
  case compare(Operand, Comparison, Operand)
  case has(Operand, Operand)
  case text(Operand, TextTest, Operand)
  case isMissing(PropertyPath)
  case isNull(PropertyPath)
  /// Whether a value is true.
  case holds(Operand)

  /// A side of a test.
  enum Operand: Sendable {
    case path(PropertyPath)
    case literal(QueryValue)

    func value(in record: UntypedValue) -> QueryValue {
      switch self {
      case .path(let path): QueryValue(path.value(in: record))
      case .literal(let value): value
      }
    }
  }

  enum Comparison: String, Sendable {
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  enum TextTest: Sendable {
    case contains
    case starts
    case ends
  }

  func isMet(by record: UntypedValue) -> Bool {
    switch self {
    case .compare(let a, let comparison, let b): comparison.holds(a.value(in: record), b.value(in: record))
    case .has(let a, let b): a.value(in: record).has(b.value(in: record))
    case .text(let a, let test, let b): test.holds(a.value(in: record), b.value(in: record))
    case .isMissing(let path): path.value(in: record) == nil
    case .isNull(let path): path.value(in: record)?.isNull == true
    case .holds(let operand): if case .bool(true) = operand.value(in: record) { true } else { false }
    }
  }

  /// The properties that the test names.
  var paths: [PropertyPath] {
    switch self {
    case .compare(let a, _, let b), .has(let a, let b), .text(let a, _, let b): [a, b].compactMap(\.path)
    // That a property is missing everywhere may be what the user asks for.
    case .isMissing: []
    case .isNull(let path): [path]
    case .holds(let operand): [operand].compactMap(\.path)
    }
  }
}

extension QueryTest.Operand {
  fileprivate var path: PropertyPath? { if case .path(let path) = self { path } else { nil } }
}

extension QueryTest.Comparison {
  fileprivate func holds(_ a: QueryValue, _ b: QueryValue) -> Bool {
    switch self {
    case .equal: QueryValue.areEqual(a, b)
    case .unequal: !QueryValue.areEqual(a, b)
    case .less: QueryValue.order(a, b) == .less
    case .greater: QueryValue.order(a, b) == .greater
    case .lessOrEqual: [.less, .equal].contains(QueryValue.order(a, b))
    case .greaterOrEqual: [.greater, .equal].contains(QueryValue.order(a, b))
    }
  }
}

extension QueryTest.TextTest {
  fileprivate func holds(_ a: QueryValue, _ b: QueryValue) -> Bool {
    guard let text = a.text, let part = b.text else { return false }
    return switch self {
    case .contains: text.holdsBytes(of: part)
    case .starts: text.utf8.starts(with: part.utf8)
    case .ends: text.utf8.count >= part.utf8.count && text.utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
    }
  }
}
