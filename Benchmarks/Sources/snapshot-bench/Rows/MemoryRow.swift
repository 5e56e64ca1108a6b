import Foundation
import SnapshotNotebook
import SnapshotStore

/// The memory of an open store, indexes included, compared with a bare array of its notes.
func memoryRow() -> BenchmarkRow {
  BenchmarkRow(
    "memory.vs-array", "Resident memory of an open store with its indexes, each side in a process of its own.",
    unit: .megabytes, peer: "[Note]", target: 0.6, mostRounds: 3
  ) { work, rounds in
    let json = try work.file(.json)
    let numbers = try work.foundationFile(.json)
    return try alternating(rounds: rounds) {
      try MemoryProbe.measure(.store, json, count: work.count)
    } peer: {
      // Two ways to make the array, because one may leave more holes behind: the smaller counts.
      try min(
        MemoryProbe.measure(.decodedArray, numbers, count: work.count),
        MemoryProbe.measure(.copiedArray, json, count: work.count))
    }
  }
}

/// Measures the memory of a subject in a child process.
enum MemoryProbe {
  enum Subject: String {
    /// A store, opened.
    case store
    /// An array of notes from JSONDecoder.
    case decodedArray
    /// An array of the notes of a snapshot file, with nothing else retained.
    case copiedArray
  }

  private static let flag = "--measure-memory"

  /// Bytes that stay resident.
  static func measure(_ subject: Subject, _ url: URL, count: Int) throws -> Double {
    let text = try ChildProcess.output([flag, subject.rawValue, url.path], purpose: "the memory of \(subject)")
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard numbers.count == 2 else {
      throw BenchmarkFailure("the process that measures the memory of \(subject) printed something else")
    }
    try requireEqual(numbers[0], count, "notes in memory")
    return Double(numbers[1])
  }

  /// In the child: measures, prints, and returns true.
  static func runIfAsked(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 4, arguments[1] == flag, let subject = Subject(rawValue: arguments[2]) else {
      return false
    }
    let url = URL(fileURLWithPath: arguments[3])
    try warmUp()
    let before = try residentBytes()
    switch subject {
    case .store:
      let store = try Store<Notebook>.open(at: url)
      try report(store.read { $0.notes.count }, before)
      withExtendedLifetime(store) {}
    case .decodedArray:
      let notes = try JSONDecoder().decode(NoteList.self, from: Data(contentsOf: url)).notes
      try report(notes.count, before)
      withExtendedLifetime(notes) {}
    case .copiedArray:
      let notes = Array(try SnapshotFile.read(Notebook.self, at: url).notes)
      try report(notes.count, before)
      withExtendedLifetime(notes) {}
    }
    return true
  }

  private static func report(_ count: Int, _ before: Int) throws {
    print(count, try residentBytes() - before)
  }

  /// Code and tables that both sides load at first use are not measured.
  private static func warmUp() throws {
    let notebook = try NoteGenerator.notebook(notes: 100, seed: 1)
    _ = try SnapshotFile.decode(Notebook.self, from: SnapshotFile.encode(notebook, as: .json))
    let data = try FoundationCoder.json.encode(NoteList(notes: Array(notebook.notes)))
    _ = try FoundationCoder.json.decode(NoteList.self, from: data)
  }

  /// The process's resident memory after free memory was returned to the system.
  private static func residentBytes() throws -> Int {
    returnFreeMemory()
    return try ProcessUsage.residentMemory()
  }

  /// glibc's `malloc_trim`, which its module map does not export.
  private static func returnFreeMemory() {
    typealias Trim = @convention(c) (Int) -> Int32
    guard let address = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(address, to: Trim.self)(0)
  }
}
