import Foundation

/// A measured row, as it is shown and written.
struct RowResult {
  let row: BenchmarkRow
  let measurement: Measurement

  var ours: Double { measurement.ours * row.unit.scale }
  var peer: Double { measurement.peer * row.unit.scale }
  var isReached: Bool? { row.target.map { measurement.ratio >= $0 } }
}

/// The results for people and for programs.
enum Report {
  /// An aligned table, and the remarks under it.
  static func table(_ results: [RowResult]) -> String {
    let head = ["name", "ours", "peer", "unit", "ratio", "target", "", "peer is"]
    let body = results.map { result in
      [
        result.row.name, number(result.ours), number(result.peer), result.row.unit.rawValue,
        number(result.measurement.ratio), result.row.target.map(number) ?? "", mark(result), result.row.peer,
      ]
    }
    let widths = head.indices.map { column in ([head] + body).map { $0[column].count }.max() ?? 0 }
    let lines = ([head] + body).map { cells in
      zip(cells.indices, cells).map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return [1, 2, 4, 5].contains(column) ? padding + cell : cell + padding
      }.joined(separator: "  ").trimmingSuffix(" ")
    }
    let remarks = results.compactMap { result in result.measurement.remark.map { "\(result.row.name): \($0)" } }
    return (lines + (remarks.isEmpty ? [] : [""]) + remarks).joined(separator: "\n")
  }

  /// A JSON array with one row per line.
  static func json(_ results: [RowResult]) -> String {
    let rows = results.map { result in
      let target = result.row.target.map { "\($0)" } ?? "null"
      return """
        {"name":"\(result.row.name)","unit":"\(result.row.unit.rawValue)",\
        "ours":\(rounded(result.ours)),"peer":\(rounded(result.peer)),"peerName":"\(result.row.peer)",\
        "ratio":\(rounded(result.measurement.ratio)),"target":\(target)}
        """
    }
    return "[\n" + rows.joined(separator: ",\n") + "\n]\n"
  }

  /// Three significant digits, and all digits before the point.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3
    return String(format: "%.\(digits)f", value)
  }

  private static func mark(_ result: RowResult) -> String {
    result.isReached.map { $0 ? "✓" : "✗" } ?? ""
  }

  /// Six significant digits; JSON has no infinity.
  private static func rounded(_ value: Double) -> String {
    value.isFinite ? String(format: "%.6g", value) : "null"
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    var result = self
    while result.last == character { result.removeLast() }
    return result
  }
}
