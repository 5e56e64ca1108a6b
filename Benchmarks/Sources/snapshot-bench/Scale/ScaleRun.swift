import Foundation

/// Measures stores of several sizes beside databases with the same records.
enum ScaleRun {
  private static let flag = "--measure-scale"

  /// The figures of one size.
  struct Size {
    let records: Int
    let rounds: Int
    let store: ScaleFigures
    let database: ScaleFigures
  }

  /// Measures each size, and writes the figures to a file after each of them.
  static func run(_ sizes: [Int], rounds: Int, json: String?) throws {
    var measured: [Size] = []
    for records in sizes {
      let (size, total) = try timed { try measure(records, rounds: min(rounds, max(1, 3_000_000 / records))) }
      measured.append(size)
      FileHandle.standardError.write(Data("\(records) records: in \(Report.number(total)) s\n".utf8))
      if let json { try Data(text(measured).utf8).write(to: URL(fileURLWithPath: json)) }
    }
    if json == nil { print(text(measured), terminator: "") }
  }

  /// The sides take turns. Each round of each is a process of its own, and the medians count.
  private static func measure(_ records: Int, rounds: Int) throws -> Size {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("snapshot-scale-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try child(.make, records, round: 0, folder)
    let sizes = try ScaleFiles(folder: folder).sizes()
    var stores: [ScaleFigures] = []
    var databases: [ScaleFigures] = []
    for round in 0..<rounds {
      stores.append(try child(.store, records, round: round, folder))
      databases.append(try child(.database, records, round: round, folder))
    }
    let size = try Size(
      records: records, rounds: rounds, store: ScaleFigures(mediansOf: stores, sizes: sizes.store),
      database: ScaleFigures(mediansOf: databases, sizes: sizes.database))
    try requireEqual(size.store.results, size.database.results, "results with \(records) records")
    return size
  }

  private static func child(_ step: ScaleStep, _ records: Int, round: Int, _ folder: URL) throws -> ScaleFigures {
    let (text, total) = try timed {
      try ChildProcess.output(
        [flag, step.rawValue, "\(records)", "\(round)", folder.path], purpose: "\(step) of \(records) records")
    }
    FileHandle.standardError.write(Data("  \(step): in \(Report.number(total)) s\n".utf8))
    return try ScaleFigures(lines: text)
  }

  /// In the child: does the step, prints its figures, and returns true.
  static func runIfAsked(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 6, arguments[1] == flag, let step = ScaleStep(rawValue: arguments[2]),
      let records = Int(arguments[3]), let round = Int(arguments[4])
    else { return false }
    let files = ScaleFiles(folder: URL(fileURLWithPath: arguments[5]))
    print(try step.run(ScalePosts(count: records, round: round), files).lines)
    return true
  }

  /// A JSON array with two lines per size.
  private static func text(_ sizes: [Size]) -> String {
    let lines = sizes.map { size in
      """
      {"records":\(size.records),"rounds":\(size.rounds),
       "store":{\(members(size.store))},
       "database":{\(members(size.database))}}
      """
    }
    return "[\n" + lines.joined(separator: ",\n") + "\n]\n"
  }

  private static func members(_ figures: ScaleFigures) -> String {
    figures.numbers.map { "\"\($0.name)\":\(String(format: "%.6g", $0.value))" }.joined(separator: ",")
  }
}
