import Foundation
import SnapshotNotebook
import SnapshotStore

/// One of the processes that have a file open together. It reads commands, one a line:
///
/// - `change NUMBER ID…` changes notes one after the other, each until it is on the disk. It answers `changed` with
///   three numbers: when the last one was made, when it was on the disk, and the longest time of one.
/// - `follow` shows the notes in a live list, newest first. It answers `following`. Each further update of the list
///   gives a line `seen` with the number of the newest change, and the moment.
/// - `content` answers `content` with the number of notes and the sum of what they hold.
/// - `close` closes the file, and answers `closed`.
///
/// The moments are nanoseconds of a clock that all processes have.
enum SharedWorker {
  private static let flag = "--share-notes"

  /// Starts such a process, which has opened the file when this returns.
  static func start(_ kind: SharedNotes.Kind, _ file: URL) throws -> WorkerProcess {
    let worker = try WorkerProcess([flag, kind.rawValue, file.path])
    _ = try worker.answer("open")
    return worker
  }

  /// In the child: works until its input ends, and returns true.
  static func runIfAsked(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 4, arguments[1] == flag, let kind = SharedNotes.Kind(rawValue: arguments[2]) else {
      return false
    }
    let notes = try SharedNotes(kind, at: URL(fileURLWithPath: arguments[3]))
    say("open")
    while let line = readLine() { try obey(line.split(separator: " "), notes) }
    return true
  }

  private static func obey(_ words: [Substring], _ notes: SharedNotes) throws {
    switch words.first {
    case "change":
      let numbers = words.dropFirst().compactMap { Int64($0) }
      try change(numbers.dropFirst(), Int(numbers[0]), notes)
    case "follow":
      guard case .store(let store) = notes else { throw BenchmarkFailure("a database has no live lists") }
      follow(store)
    case "content":
      let content = try notes.content()
      say("content \(content.count) \(Int64(bitPattern: content.sum))")
    case "close":
      try notes.close()
      say("closed")
    default: throw BenchmarkFailure("unknown command \(words)")
    }
  }

  private static func change(_ ids: ArraySlice<Note.ID>, _ number: Int, _ notes: SharedNotes) throws {
    var (made, durable, longest) = (0, SharedNotes.now(), 0)
    for id in ids {
      let begun = durable
      made = try notes.change(id, number)
      durable = SharedNotes.now()
      longest = max(longest, durable - begun)
    }
    say("changed \(made) \(durable) \(longest)")
  }

  private static func follow(_ store: Store<Notebook>) {
    let updates = store.observe(\.notes, sortedBy: \.sortDate, order: .descending)
    Task {
      for await update in updates {
        let moment = SharedNotes.now()
        if update.batch == nil {
          say("following")
        } else {
          say("seen \(NoteChange(of: update.list[0].sortDate).number) \(moment)")
        }
      }
    }
  }

  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
