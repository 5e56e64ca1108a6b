import Foundation
import SnapshotNotebook

/// A file with notes that several processes have open.
final class SharedFile {
  let workers: [WorkerProcess]
  private let url: URL
  private let kind: SharedNotes.Kind
  /// The number of the last round of changes.
  private var number = 0
  /// The longest change so far, in seconds.
  private(set) var longest = 0.0

  init(_ url: URL, _ kind: SharedNotes.Kind, processes: Int) throws {
    (self.url, self.kind) = (url, kind)
    workers = try (0..<processes).map { _ in try SharedWorker.start(kind, url) }
  }

  /// Each process changes notes of its own, all at the same time. Returns the seconds until the last one is done.
  func change(_ parts: [[Int64]]) throws -> Double {
    // The first change of a process loads code, and the first of all makes the journal.
    if number == 0 { for (worker, ids) in zip(workers, parts) { try change(ids.prefix(1), worker) } }
    number += 1
    return try seconds {
      for (worker, ids) in zip(workers, parts) { try tell(ids[...], worker) }
      for worker in workers { longest = max(longest, Double(try worker.answer("changed")[2]) / 1e9) }
    }
  }

  /// Checks what every process has, and what is in the file when all of them have closed it.
  func close(expecting expected: NotesContent) throws {
    for worker in workers { try require(expected, worker) }
    for worker in workers { try worker.close() }
    let notes = try SharedNotes(kind == .database ? .database : .alone, at: url)
    try requireEqual(notes.content(), expected, "the notes in the file, which several processes have changed")
    try notes.close()
  }

  /// A process has what others have saved a moment later.
  private func require(_ expected: NotesContent, _ worker: WorkerProcess) throws {
    let end = ContinuousClock.now + .seconds(5)
    while true {
      try worker.tell("content")
      let numbers = try worker.answer("content")
      let content = NotesContent(count: numbers[0], sum: numbers[1])
      if content == expected { return }
      if ContinuousClock.now > end { try requireEqual(content, expected, "the notes in one of several processes") }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  private func change(_ ids: ArraySlice<Int64>, _ worker: WorkerProcess) throws {
    try tell(ids, worker)
    _ = try worker.answer("changed")
  }

  private func tell(_ ids: ArraySlice<Int64>, _ worker: WorkerProcess) throws {
    try worker.tell("change \(number) " + ids.map(String.init).joined(separator: " "))
  }
}
