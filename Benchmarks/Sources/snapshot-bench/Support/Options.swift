/// The command line.
struct Options {
  var notes = 100_000
  var rounds = 5
  var seed: UInt64 = 1
  var only: [String] = []
  var json: String?
  /// The sizes of stores to measure, instead of the rows.
  var scale: [Int] = []
  var listsRows = false
  var showsHelp = false

  static let help = """
    Usage: snapshot-bench [--notes N] [--only NAME,…] [--rounds N] [--seed N] [--json PATH] [--list] [--help]
           snapshot-bench --scale N,… [--rounds N] [--json PATH]

      --notes N     how many notes (100000); from 100
      --only NAMES  these rows only, separated by commas; a name may end in * and stands for all that begin so
      --rounds N    how often each row is measured (5); rows that take seconds use fewer. The medians count.
      --seed N      the seed that the notes are made from (1)
      --json PATH   write the figures to a file too
      --scale N,…   stores of several sizes beside databases, instead of the rows; from 100 records
      --list        list the rows and what they measure
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": showsHelp = true
      case "--list": listsRows = true
      case "--notes": notes = Int(try Self.number(argument, &rest, least: 100))
      case "--rounds": rounds = Int(try Self.number(argument, &rest, least: 1))
      case "--seed": seed = UInt64(try Self.number(argument, &rest, least: 0))
      case "--only": only += try Self.value(argument, &rest).split(separator: ",").map(String.init)
      case "--scale":
        scale = try Self.value(argument, &rest).split(separator: ",").map { size in
          guard let records = Int(size), records >= 100 else {
            throw BenchmarkFailure("--scale needs numbers of records, at least 100")
          }
          return records
        }
      case "--json": json = try Self.value(argument, &rest)
      default: throw BenchmarkFailure("unknown argument \(argument)\n\(Self.help)")
      }
    }
  }

  /// The rows that `--only` names, in the order of the table.
  func selected(from rows: [BenchmarkRow]) throws -> [BenchmarkRow] {
    if only.isEmpty { return rows }
    for pattern in only where !rows.contains(where: { Self.matches($0.name, pattern) }) {
      throw BenchmarkFailure(
        "there is no row \(pattern); the rows are:\n  \(rows.map(\.name).joined(separator: "\n  "))")
    }
    return rows.filter { row in only.contains { Self.matches(row.name, $0) } }
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
  }

  private static func value(_ option: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw BenchmarkFailure("\(option) needs a value") }
    return value
  }

  private static func number(_ option: String, _ rest: inout ArraySlice<String>, least: Int) throws -> Int {
    guard let number = Int(try value(option, &rest)), number >= least else {
      throw BenchmarkFailure("\(option) needs a number, at least \(least)")
    }
    return number
  }
}
