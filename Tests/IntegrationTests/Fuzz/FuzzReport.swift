import Foundation

@testable import NotebookTestSupport
@testable import TestSupport

/// The counts of a run.
struct FuzzReport {
  let title: String
  private(set) var inputs = 0
  private(set) var bothAccept = 0
  private(set) var bothRefuse = 0
  private(set) var allowed: [String: Int] = [:]
  private(set) var notCompared: [String: Int] = [:]
  private(set) var defects: [String: Int] = [:]
  private(set) var slowest = Duration.zero

  init(title: String) { self.title = title }

  mutating func add(_ result: FuzzResult, took time: Duration) {
    inputs += 1
    slowest = max(slowest, time)
    switch result {
    case .bothAccept: bothAccept += 1
    case .bothRefuse: bothRefuse += 1
    case .allowed(let rule): allowed[rule.name, default: 0] += 1
    case .notCompared(let reason): notCompared[reason, default: 0] += 1
    case .defect(let message): defects[message, default: 0] += 1
    }
  }

  var lines: [String] {
    let milliseconds = slowest.formatted(.units(allowed: [.milliseconds], fractionalPart: .show(length: 1)))
    var lines = [
      "\(title): \(inputs) inputs, \(bothAccept) accepted alike, \(bothRefuse) refused by both, "
        + "\(defects.values.reduce(0, +)) defects, slowest \(milliseconds)"
    ]
    for (name, counts) in [("allowed", allowed), ("not compared", notCompared)] {
      for (reason, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
        lines.append("  \(name): \(count)  \(reason)")
      }
    }
    return lines
  }
}
