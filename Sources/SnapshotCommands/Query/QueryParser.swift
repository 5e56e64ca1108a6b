import SnapshotStore

/// Reads a condition by recursive descent.
///
/// ```
/// condition = and { "or" and }
/// and       = not { "and" not }
/// not       = "not" not | "(" condition ")" | test
/// test      = value [ ("==" | "!=" | "<" | "<=" | ">" | ">=") value ]
///           | value ("has" | "contains" | "starts with" | "ends with") value
///           | path "is" ["not"] ("missing" | "null")
/// value     = path | text | number | date | "true" | "false" | "null"
/// ```
struct QueryParser {
  /// The names that a condition reads as words where a value may stand. As keys they are written `["and"]`.
  static let reserved: Set<String> = ["and", "or", "not", "true", "false", "null"]
  /// The deepest nesting of “(” and “not”.
  static let depthLimit = 200

  private var scanner: QueryScanner
  /// The token that is not yet used, and the place where it begins.
  private var token: QueryScanner.Token = .end
  private var start = 0
  private var depth = 0

  init(_ text: String) { scanner = QueryScanner(text) }

  mutating func condition() throws(QueryError) -> Condition {
    try advance()
    let condition = try alternatives()
    guard case .end = token else {
      throw error(isSymbol(")") ? "this “)” has no “(”" : "expected “and”, “or” or the end")
    }
    return condition
  }

  private mutating func alternatives() throws(QueryError) -> Condition {
    var parts = [try conjunction()]
    while try skip(word: "or") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(QueryError) -> Condition {
    var parts = [try negation()]
    while try skip(word: "and") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(QueryError) -> Condition {
    let opening = start
    let isNot = word == "not"
    guard isNot || isSymbol("(") else { return try test() }
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthLimit { throw error("“(” and “not” are nested deeper than \(Self.depthLimit)") }
    try advance()
    if isNot { return .not(try negation()) }
    let inner = try alternatives()
    guard isSymbol(")") else {
      if case .end = token { throw error("this “(” has no “)”", at: opening) }
      throw error("expected “and”, “or” or “)”")
    }
    try advance()
    return inner
  }
}

// MARK: - Tests

extension QueryParser {
  private mutating func test() throws(QueryError) -> Condition {
    let begin = start
    let value = try operand()
    if case .symbol(let symbol) = token, let comparison = QueryTest.Comparison(rawValue: symbol) {
      try advance()
      if word == "missing" { throw error("“missing” stands after “is”; a key of that name is [\"missing\"]") }
      return .test(.compare(value, comparison, try operand()))
    }
    switch word {
    case "has":
      try advance()
      return .test(.has(value, try operand()))
    case "contains":
      try advance()
      return .test(.text(value, .contains, try operand()))
    case "starts": return .test(.text(value, .starts, try operandAfterWith()))
    case "ends": return .test(.text(value, .ends, try operandAfterWith()))
    case "is": return try state(of: value, at: begin)
    default: return .test(try alone(value))
    }
  }

  private mutating func operandAfterWith() throws(QueryError) -> QueryTest.Operand {
    try advance()
    guard try skip(word: "with") else { throw error("expected “with”") }
    return try operand()
  }

  /// `is missing`, `is null`, and both with `not`.
  private mutating func state(of value: QueryTest.Operand, at begin: Int) throws(QueryError) -> Condition {
    guard case .path(let path) = value else { throw error("only a property can be missing or null", at: begin) }
    try advance()
    let isNot = try skip(word: "not")
    let test: QueryTest
    switch word {
    case "missing": test = .isMissing(path)
    case "null": test = .isNull(path)
    default: throw error(isNot ? "expected “missing” or “null”" : "expected “missing”, “null” or “not”")
    }
    try advance()
    return isNot ? .not(.test(test)) : .test(test)
  }

  /// A property that is true or false, or one of these words.
  private func alone(_ value: QueryTest.Operand) throws(QueryError) -> QueryTest {
    switch value {
    case .path, .literal(.bool): return .holds(value)
    case .literal: throw error("expected a comparison, such as “==”")
    }
  }

  private mutating func operand() throws(QueryError) -> QueryTest.Operand {
    let operand: QueryTest.Operand
    switch token {
    case .text(let text): operand = .literal(.text(text))
    case .number(let number): operand = .literal(.number(number))
    case .date(let seconds): operand = .literal(.date(seconds))
    case .path(let path, let name):
      switch name {
      case "true": operand = .literal(.bool(true))
      case "false": operand = .literal(.bool(false))
      case "null": operand = .literal(.null)
      case "and", "or", "not": throw error("expected a property or a value; a key of that name is [\"\(name ?? "")\"]")
      default: operand = .path(path)
      }
    case .symbol, .end: throw error("expected a property or a value")
    }
    try advance()
    return operand
  }
}

// MARK: - Tokens

extension QueryParser {
  private mutating func advance() throws(QueryError) {
    _ = scanner.isAtEnd
    start = scanner.offset
    token = try scanner.token()
  }

  /// The token as a word of the language; nil if it is a path in quotes or of several steps, or anything else.
  private var word: String? {
    if case .path(_, let name) = token { name } else { nil }
  }

  private mutating func skip(word expected: String) throws(QueryError) -> Bool {
    guard word == expected else { return false }
    try advance()
    return true
  }

  private func isSymbol(_ symbol: String) -> Bool {
    if case .symbol(symbol) = token { true } else { false }
  }

  private func error(_ message: String, at offset: Int? = nil) -> QueryError {
    scanner.error(message, at: offset ?? start)
  }
}
