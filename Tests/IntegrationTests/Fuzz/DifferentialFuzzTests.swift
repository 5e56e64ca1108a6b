import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Damaged, edited and odd files, read by the library and by Foundation's decoders. Both accept or both refuse, and
/// read the same values, except for the differences listed in `FuzzRule`.
///
/// `Scripts/fuzz` is the long form. `SNAPSHOT_FUZZ_COUNT` and `SNAPSHOT_FUZZ_SEED` set the number of inputs and the
/// seed. `SNAPSHOT_FUZZ_ONLY` is the number of a single input, and `SNAPSHOT_FUZZ_INPUT` a file to read instead.
@Suite(.serialized) struct DifferentialFuzzTests {
  /// The share of each format in the inputs.
  private static let shares: [FileFormat: Double] = [.json: 0.4, .xml: 0.3, .binary: 0.2, .ndjson: 0.1]

  private static func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment["SNAPSHOT_FUZZ_" + name].flatMap { UInt64($0) }
  }

  @Test func theLibraryReadsWhatFoundationReads() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let seed = Self.setting("SEED") ?? 1
      let count = Int(Double(Self.setting("COUNT") ?? Proofs.pick(full: 500, quick: 40)) * (Self.shares[format] ?? 0))
      let trace = try Trace()
      let corpus = try FuzzCorpus.make(format, seed: seed)
      var report = FuzzReport(title: "\(format), seed \(seed)")
      for input in corpus {
        try run(input.bytes, input, "the unchanged file “\(input.name)”", isUnchanged: true, trace, &report)
      }
      for number in Self.setting("ONLY").map({ Int($0)..<Int($0) + 1 }) ?? 0..<count {
        // Every input has a generator of its own, so that it can be made again without those before it.
        var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
        let input = generator.pick(corpus)
        let bytes = generator.mutation(of: input, others: corpus)
        try run(bytes, input, "seed \(seed), number \(number), from “\(input.name)”", trace, &report)
      }
      print(report.lines.joined(separator: "\n"))
      trace.remove()
    }
  }

  /// A table of more than a megabyte is read in parts by several threads, and the borders are guesses. However wrong a
  /// guess is, the result or the error is that of one thread.
  @Test func severalThreadsReadWhatOneReads() throws {
    let seed = Self.setting("SEED") ?? 1
    var notebook = Notebook()
    var filler = SeededGenerator(seed: seed)
    for id in 1...900 as ClosedRange<Int64> {
      let text = String(repeating: filler.pick(["word ", "é", "{[,]}", "line\n"]), count: 300)
      try notebook.notes.insert(Note(id: id, text: text, creationDate: Date(timeIntervalSinceReferenceDate: 0.25)))
    }
    let bytes = try Crafted.withoutChecksum(try SnapshotFile.encode(notebook, as: .json), .json)
    let input = FuzzSeed("large", .json, bytes, isWide: false)
    var counts = (accepted: 0, refused: 0)
    for number in 0..<max(Proofs.pick(full: 2, quick: 1), Int(Self.setting("COUNT") ?? 0) / 500) {
      var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
      let mutated =
        generator.chance(3)
        ? generator.mutation(of: input, others: [input]) : Edit.apply([generator.lineEdit(bytes)], to: bytes)
      let results = [1, 2, 3].map { threads in
        Result { try SnapshotFile.decode(Notebook.self, from: mutated, options: ReadOptions(threads: threads)) }
          .map { FuzzComparison.canonical($0) }.mapError { OracleRefusal(message: "\($0)") }
      }
      switch results[0] {
      case .success: counts.accepted += 1
      case .failure: counts.refused += 1
      }
      if results[1] != results[0] || results[2] != results[0] {
        let file = try Self.keep(mutated, .json)
        Issue.record("threads differ, seed \(seed), number \(number), \(file.path)")
      }
    }
    print(
      "in parts, seed \(seed): \(counts.accepted) accepted, \(counts.refused) refused, alike with 1, 2 and 3 threads")
  }

  /// Reads a file that an earlier run kept.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["SNAPSHOT_FUZZ_INPUT"] != nil))
  func oneFile() throws {
    let path = try #require(ProcessInfo.processInfo.environment["SNAPSHOT_FUZZ_INPUT"])
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let format = try #require(FileFormat(fileName: path))
    var notebook = FuzzComparison<Notebook>(bytes, as: format)
    var wide = FuzzComparison<WideModel>(bytes, as: format)
    print("as a notebook: \(notebook.run())\nas the wide model: \(wide.run())")
  }

  private func run(
    _ bytes: [UInt8], _ seed: FuzzSeed, _ name: String, isUnchanged: Bool = false, _ trace: Trace,
    _ report: inout FuzzReport
  ) throws {
    trace.write(bytes)
    let (result, time) =
      seed.isWide ? compare(WideModel.self, bytes, seed.format) : compare(Notebook.self, bytes, seed.format)
    report.add(result, took: time)
    if isUnchanged, case .bothRefuse = result { Issue.record("\(name) is refused by both") }
    guard case .defect(let message) = result else { return }
    let file = try Self.keep(bytes, seed.format)
    Issue.record("\(message)\n@ \(seed.format.rawValue), \(name), \(file.path)")
  }

  private func compare<Root: FuzzModel>(
    _ type: Root.Type, _ bytes: [UInt8], _ format: FileFormat
  ) -> (FuzzResult, Duration) {
    var comparison = FuzzComparison<Root>(bytes, as: format)
    let result = comparison.run()
    return (result, comparison.slowest)
  }

  /// Keeps an input for inspection and another try.
  private static func keep(_ bytes: [UInt8], _ format: FileFormat) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "snapshot-fuzz")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let name = String(
      bytes.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }, radix: 36)
    let fileExtension = [FileFormat.xml: "plist", .binary: "bplist"][format] ?? "\(format)"
    let file = folder.appending(path: "\(name).\(fileExtension)")
    try Data(bytes).write(to: file)
    return file
  }
}

/// The present input, in the file that `SNAPSHOT_FUZZ_TRACE` names, so that an input that ends the process can be
/// found.
private struct Trace {
  private let file: FileHandle?
  private let path = ProcessInfo.processInfo.environment["SNAPSHOT_FUZZ_TRACE"]

  init() throws {
    guard let path else {
      file = nil
      return
    }
    try Data().write(to: URL(filePath: path))
    file = try FileHandle(forWritingTo: URL(filePath: path))
  }

  func write(_ bytes: [UInt8]) {
    guard let file else { return }
    try? file.truncate(atOffset: 0)
    try? file.write(contentsOf: bytes)
  }

  func remove() {
    if let path { try? FileManager.default.removeItem(atPath: path) }
  }
}

extension SeededGenerator {
  /// A change at the start of a line, preferably where a part of a large table might begin.
  fileprivate mutating func lineEdit(_ bytes: [UInt8]) -> Edit {
    let near = chance(2) ? Int.random(in: bytes.indices, using: &self) : (1 << 19) * Int.random(in: 1...2, using: &self)
    guard let start = bytes[min(near, bytes.count - 1)...].firstIndex(of: UInt8(ascii: "\n")) else {
      return byteEdit(bytes)
    }
    let next = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    switch Int.random(in: 0..<8, using: &self) {
    case 0: return Edit(start..<start + 1, pick(["", " ", "\n\n", "\r\n", "\n ", " \n"]))
    case 1: return Edit(start..<next, [])
    case 2: return Edit(start..<start, Array(bytes[start..<next]))
    case 3: return Edit(start..<start, ",")
    case 4: return Edit(start - 1..<start, "")
    case 5: return Edit(next - 2..<next, "")
    case 6: return Edit(start..<start, "\n],\"deletedNotes\":[],\"tags\":[")
    // A member whose value looks like a record.
    default: return Edit(next - 2..<next - 2, pick([",\"x\":[{},\n{}]", ",\"tags\":[\"\",\n{}]", ",\n{\"id\":1}"]))
    }
  }
}
