import Foundation
import SnapshotStore

/// A part of the measurement of one size, each in a process of its own.
enum ScaleStep: String, CaseIterable {
  /// Makes the files of both sides.
  case make
  /// Opens, uses and closes the store.
  case store
  /// The same with the databases.
  case database

  /// How often one process does an operation. Short ones are done often, and their mean counts.
  static let lookups = 5_000
  static let transactions = 1_000
  static let saves = 3
  static let durableTransactions = 50
}

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
      } else if let value = Double(fields[1]) {
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

/// The files of one size.
struct ScaleFiles {
  let folder: URL

  var store: URL { folder.appendingPathComponent("posts.json") }
  var database: URL { folder.appendingPathComponent("posts.sqlite") }
  /// The same with an index of words.
  var wordsDatabase: URL { folder.appendingPathComponent("words.sqlite") }

  /// The sizes of the files of each side.
  func sizes() throws -> (store: [(name: String, value: Double)], database: [(name: String, value: Double)]) {
    let databases = [("fileBytes", try Self.size(database)), ("wordsFileBytes", try Self.size(wordsDatabase))]
    return ([("fileBytes", try Self.size(store))], databases)
  }

  /// The bytes of a file.
  private static func size(_ url: URL) throws -> Double {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return Double(attributes[.size] as? Int ?? 0)
  }
}
