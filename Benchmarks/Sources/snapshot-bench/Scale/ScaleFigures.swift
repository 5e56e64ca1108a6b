/// The figures of a step by their names: seconds, or bytes where the name says so. Texts are what both sides must agree
/// on.
struct ScaleFigures {
  private(set) var numbers: [(name: String, value: Double)] = []
  private(set) var results: [String: String] = [:]

  mutating func add(_ name: String, _ value: Double) { numbers.append((name, value)) }
  mutating func add(result: some Any, _ name: String) { results[name] = "\(result)" }

  /// The lines that a process prints for the one that started it.
  var lines: String {
    (numbers.map { "\($0.name)\t\($0.value)" } + results.map { "=\($0.key)\t\($0.value)" }).joined(separator: "\n")
  }

  init() {}

  init(lines: String) throws {
    for line in lines.split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 1).map(String.init)
      guard fields.count == 2 else { throw BenchmarkFailure("a process printed \(line)") }
      if fields[0].hasPrefix("=") {
        results[String(fields[0].dropFirst())] = fields[1]
      } else {
        guard let value = Double(fields[1]) else { throw BenchmarkFailure("a process printed \(line)") }
        numbers.append((fields[0], value))
      }
    }
  }

  /// The medians of several processes with the same figures, which must have had the same results.
  ///
  /// - Parameter sizes: the sizes of the files before the first of them, by name.
  init(mediansOf runs: [ScaleFigures], sizes: [(name: String, value: Double)]) throws {
    guard let first = runs.first else { return }
    results = first.results
    for run in runs { try requireEqual(run.results, first.results, "results of two rounds") }
    numbers =
      sizes
      + first.numbers.indices.map { index in
        (first.numbers[index].name, runs.map { $0.numbers[index].value }.median)
      }
  }
}
