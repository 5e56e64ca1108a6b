import Foundation

/// Measures the library beside its peers; `--help` explains how.
@main
enum SnapshotBench {
  static func main() {
    do {
      let isChild =
        try MemoryProbe.runIfAsked(CommandLine.arguments) || PeakMemoryProbe.runIfAsked(CommandLine.arguments)
        || RowProcess.runIfAsked(CommandLine.arguments) || SharedWorker.runIfAsked(CommandLine.arguments)
        || ScaleRun.runIfAsked(CommandLine.arguments)
      if isChild { return }
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      try run(options)
    } catch {
      FileHandle.standardError.write(Data("snapshot-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ options: Options) throws {
    if options.showsHelp { return print(Options.help) }
    if !options.scale.isEmpty {
      return try ScaleRun.run(options.scale, rounds: options.rounds, json: options.json)
    }
    let rows = try options.selected(from: allRows())
    if options.listsRows {
      for row in rows { print("\(row.name)\n    \(row.summary)\n    peer: \(row.peer)") }
      return
    }
    var results: [RowResult] = []
    for group in rows.chunked(by: \.process) {
      results += zip(group, try RowProcess.measure(group, options)).map { RowResult(row: $0, measurement: $1) }
    }
    print(Report.table(results))
    if let path = options.json {
      try Data(Report.json(results).utf8).write(to: URL(fileURLWithPath: path))
    }
  }
}

extension Array {
  /// Runs of adjacent elements with equal keys.
  fileprivate func chunked(by key: (Element) -> some Equatable) -> [[Element]] {
    reduce(into: []) { chunks, element in
      if let last = chunks.last?.last, key(last) == key(element) {
        chunks[chunks.count - 1].append(element)
      } else {
        chunks.append([element])
      }
    }
  }
}
