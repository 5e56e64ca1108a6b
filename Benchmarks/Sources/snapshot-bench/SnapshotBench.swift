import Foundation

/// Measures the library beside its peers; `--help` says how.
@main
enum SnapshotBench {
  static func main() {
    do {
      if try MemoryProbe.runIfAsked(CommandLine.arguments) { return }
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      try run(options)
    } catch {
      FileHandle.standardError.write(Data("snapshot-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ options: Options) throws {
    if options.showsHelp { return print(Options.help) }
    let rows = try options.selected(from: allRows())
    if options.listsRows {
      for row in rows { print("\(row.name)\n    \(row.summary)\n    peer: \(row.peer)") }
      return
    }
    let workload = try Workload(notes: options.notes, seed: options.seed)
    defer { workload.removeFolder() }
    let results = try rows.map { try measure($0, workload, options) }
    print(Report.table(results))
    if let path = options.json {
      try Data(Report.json(results).utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  private static func measure(_ row: BenchmarkRow, _ workload: Workload, _ options: Options) throws -> RowResult {
    let (measurement, seconds) = try timed { try row.measure(workload, min(options.rounds, row.mostRounds)) }
    let line = "\(row.name): \(Report.number(measurement.ratio)) times, in \(Report.number(seconds)) s\n"
    FileHandle.standardError.write(Data(line.utf8))
    return RowResult(row: row, measurement: measurement)
  }
}
