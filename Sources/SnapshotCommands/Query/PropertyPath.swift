import SnapshotStore

/// The way to a value in a record: `a.b.c`, `a[0]`, `["any key"].b`.
struct PropertyPath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case key(ExactText)
    case index(Int)
  }

  /// The way to a record that is a plain value, such as a text. It leads to no value in a record with keys.
  static let plainValue = PropertyPath([])

  /// The steps. The first one is a key.
  let steps: [Step]

  /// The path to a property of this name, whatever its characters.
  init(key: String) { steps = [.key(ExactText(key))] }

  /// Reads one path.
  init(_ text: String) throws(QueryError) {
    var scanner = QueryScanner(text)
    self = try scanner.path()
    if !scanner.isAtEnd {
      throw scanner.error("a path ends here, as in “a.b[0]”; a key of other characters is [\"key\"]")
    }
  }

  /// Reads paths with commas between them.
  static func list(_ text: String) throws(QueryError) -> [PropertyPath] {
    var scanner = QueryScanner(text)
    var paths = [try scanner.path()]
    while scanner.skip(",") { paths.append(try scanner.path()) }
    if !scanner.isAtEnd { throw scanner.error("expected a comma and a path; a key of other characters is [\"key\"]") }
    return paths
  }

  init(_ steps: [Step]) { self.steps = steps }

  /// The value in a record; nil if there is none. O(steps × keys).
  func value(in record: UntypedValue) -> UntypedValue? {
    if steps.isEmpty, record.kind == .dictionary { return nil }
    var value = record
    for step in steps {
      guard let next = step.value(in: value) else { return nil }
      value = next
    }
    return value
  }
}

extension PropertyPath.Step {
  func value(in value: UntypedValue) -> UntypedValue? {
    switch self {
    case .key(let key): value.record?[key.text]
    case .index(let index): value.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    }
  }
}

extension PropertyPath: CustomStringConvertible {
  /// The path as a condition has it.
  var description: String {
    steps.reduce("") { path, step in
      switch step {
      case .index(let number): "\(path)[\(number)]"
      case .key(let key): RecordDifference.Property.name(of: key.text, in: path)
      }
    }
  }
}
