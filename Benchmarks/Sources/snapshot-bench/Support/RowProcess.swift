import Foundation

/// Measures rows in a child process.
enum RowProcess {
  private static let flag = "--measure-rows"

  /// Measures some rows in one process, and returns the figures in their order.
  static func measure(_ rows: [BenchmarkRow], _ options: Options) throws -> [Measurement] {
    let names = rows.map(\.name)
    let purpose = names.joined(separator: ", ")
    let text = try ChildProcess.output(
      [flag, "\(options.notes)", "\(options.seed)", "\(options.rounds)"] + names, purpose: purpose,
      keepsMemory: rows.contains(where: \.keepsMemory))
    let measurements = text.split(separator: "\n").compactMap { Measurement(line: $0) }
    guard measurements.count == rows.count else {
      throw BenchmarkFailure("the process that measures \(purpose) printed something else")
    }
    return measurements
  }

  /// In the child: measures, prints, and returns true.
  static func runIfAsked(_ arguments: [String]) throws -> Bool {
    guard arguments.count > 5, arguments[1] == flag, let notes = Int(arguments[2]), let seed = UInt64(arguments[3]),
      let rounds = Int(arguments[4])
    else { return false }
    let workload = try Workload(notes: notes, seed: seed)
    defer { workload.removeFolder() }
    for row in allRows() where arguments[5...].contains(row.name) {
      let (measurement, seconds) = try timed { try row.measure(workload, min(rounds, row.mostRounds)) }
      print(measurement.line)
      let progress = "\(row.name): \(Report.number(measurement.ratio)) times, in \(Report.number(seconds)) s\n"
      FileHandle.standardError.write(Data(progress.utf8))
    }
    return true
  }
}

extension Measurement {
  /// The figures, followed by the remark.
  fileprivate var line: String { "\(ours)\t\(peer)\t\(remark ?? "")" }

  fileprivate init?(line: Substring) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count == 3, let ours = Double(fields[0]), let peer = Double(fields[1]) else { return nil }
    self.init(ours: ours, peer: peer, remark: fields[2].isEmpty ? nil : String(fields[2]))
  }
}
