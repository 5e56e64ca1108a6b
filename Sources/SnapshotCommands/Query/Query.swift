import SnapshotStore

/// A condition on records: `blogName == "x" and tags has "paris" and date >= 2026-01-01`.
///
/// The language is described in `Docs/COMMAND-LINE.md`, and its rules in decision 0059. Reading a text is O(length).
/// A match is O(length of the condition × keys of the record), and copies no value of the record except arrays.
struct Query: Sendable {
  private let condition: Condition

  /// Reads a condition.
  init(_ text: String) throws(QueryError) {
    var parser = QueryParser(text)
    condition = try parser.condition()
  }

  /// The condition that all of some conditions are met. Without any, every record matches.
  init(all queries: [Query]) {
    condition = .all(queries.map(\.condition))
  }

  /// Whether a record meets the condition.
  func matches(_ record: UntypedValue) -> Bool { condition.isMet(by: record) }

  /// The properties that the condition names, each once.
  var paths: [PropertyPath] {
    var (paths, seen) = ([PropertyPath](), Set<PropertyPath>())
    condition.visitPaths { path in
      if seen.insert(path).inserted { paths.append(path) }
    }
    return paths
  }
}

/// A condition in its parts. Lists of conditions are flat, so a long text makes no deep recursion.
indirect enum Condition: Sendable {
  case all([Condition])
  case any([Condition])
  case not(Condition)
  case test(QueryTest)

  func isMet(by record: UntypedValue) -> Bool {
    switch self {
    case .all(let conditions): conditions.allSatisfy { $0.isMet(by: record) }
    case .any(let conditions): conditions.contains { $0.isMet(by: record) }
    case .not(let condition): !condition.isMet(by: record)
    case .test(let test): test.isMet(by: record)
    }
  }

  fileprivate func visitPaths(_ visit: (PropertyPath) -> Void) {
    switch self {
    case .all(let conditions), .any(let conditions): for condition in conditions { condition.visitPaths(visit) }
    case .not(let condition): condition.visitPaths(visit)
    case .test(let test): for path in test.paths { visit(path) }
    }
  }
}
