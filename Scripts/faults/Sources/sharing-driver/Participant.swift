import Foundation
import SnapshotStore
import Synchronization

/// A record of the writer NAME: NAME itself with its last number, or `NAME-number` for one of its last numbers. Every
/// writer changes the record `all`.
struct Mark: Record {
  let id: String
  var number: Int
  /// Long enough to prove which version another program has read.
  var text: String
}

struct Marks: Model {
  var marks = Table<Mark>()

  static let schema = Schema<Marks>("marks", version: 1, Field("marks", \.marks))
}

/// One of the programs that share a store.
final class Participant {
  /// How many of its last numbers a writer keeps.
  static let kept = 20

  private let file: URL
  private let name: String
  private let journal: JournalPolicy
  private var store: Store<Marks>?
  private let lastChange = LastChange()

  init(file: URL, name: String, journal: JournalPolicy) {
    self.file = file
    self.name = name
    self.journal = journal
  }

  func perform(_ command: String, _ words: [String]) throws {
    switch command {
    case "open": try open(.shared, waitingAtMost: .zero)
    case "alone": try open(.exclusive, waitingAtMost: .seconds(60))
    case "write": try write(words.compactMap { Int($0) })
    case "flush": try flush()
    case "update": try update(Int(words[0])!)
    case "value":
      let marks = try opened().read { $0.marks.map { "\($0.id)=\($0.number)" } }
      Wire.say("VALUE \(lastChange.seconds) \(marks.joined(separator: " "))")
    case "close":
      try opened().closeAndWait()
      store = nil
      Wire.say("CLOSED")
    default: Wire.say("FAIL \(command) none: there is no such command")
    }
  }

  private func opened() throws -> Store<Marks> {
    guard let store else { throw SnapshotError(.closed, "nothing is open", path: file.path) }
    return store
  }

  private func options(_ access: StoreAccess, waitingAtMost limit: Duration) -> StoreOptions {
    var options = StoreOptions(policy: .manual, access: access, lockTimeLimit: limit, journal: journal)
    options.onExternalChange = { change in
      if case .merged(let outcome, _) = change {
        Wire.say("CONFLICT \(outcome.conflicts.map { "\($0.place)" }.joined(separator: "; "))")
      } else {
        Wire.say("CHANGE \(change)")
      }
    }
    return options
  }

  private func open(_ access: StoreAccess, waitingAtMost limit: Duration) throws {
    let store = try Store<Marks>.open(at: file, options: options(access, waitingAtMost: limit))
    let changes = store.changes
    Task.detached { [lastChange] in
      for await _ in changes { lastChange.note() }
    }
    self.store = store
    Wire.say("OPEN \(store.read { $0.marks[name]?.number ?? -1 })")
  }

  private func write(_ numbers: [Int]) throws {
    let store = try opened()
    for number in numbers[0]..<numbers[0] + numbers[1] {
      let missing = try store.write { try change(&$0, number) }
      missing.forEach { Wire.say("MISSING \($0)") }
      try save()
      Wire.say("ACK \(number) \(LastChange.now)")
      if numbers[2] > 0 { usleep(.random(in: 0...UInt32(numbers[2]))) }
    }
    Wire.say("DONE")
  }

  private func flush() throws {
    try save()
    Wire.say("DONE")
  }

  /// Saves, and tries again as long as it is refused.
  private func save() throws {
    let store = try opened()
    while true {
      do {
        return try store.flushAndWait()
      } catch let error as SnapshotError {
        Wire.say("REFUSED \(error.code.rawValue): \(error)")
        usleep(20_000)
      }
    }
  }

  private func update(_ number: Int) throws {
    let missing = try Store<Marks>.update(
      at: file, options: options(.exclusive, waitingAtMost: .zero), waitingAtMost: .seconds(60)
    ) { try change(&$0, number) }
    missing.forEach { Wire.say("MISSING \($0)") }
    Wire.say("ACK \(number) \(LastChange.now)")
    Wire.say("DONE")
  }

  /// Writes a number.
  ///
  /// - Returns: what this writer has saved before, and is not there.
  private func change(_ value: inout Marks, _ number: Int) throws -> [String] {
    var missing: [String] = []
    let head = Mark(id: name, number: number, text: "the last of \(name) is \(number)")
    let last = try value.marks.upsert(head)?.number ?? -1
    if last != number - 1 { missing.append("\(name) is at \(last) before \(number)") }
    let text = "number \(number) of \(name)"
    try value.marks.upsert(Mark(id: "\(name)-\(number)", number: number, text: text))
    let oldest = number - Self.kept
    if oldest >= 0, value.marks.remove("\(name)-\(oldest)") == nil { missing.append("\(name)-\(oldest)") }
    if number % 50 == 0 { try value.marks.upsert(Mark(id: "all", number: number, text: "for all")) }
    return missing
  }
}

/// When a store has changed last.
final class LastChange: Sendable {
  private let time = Mutex(LastChange.now)

  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  var seconds: Double { time.withLock { $0 } }

  func note() { time.withLock { $0 = Self.now } }
}

/// Lines of answers. Those of several threads do not mix.
enum Wire {
  private static let lock = Mutex(())

  static func say(_ line: String) {
    lock.withLock { _ in
      FileHandle.standardOutput.write(Data((line.replacing("\n", with: "\\n") + "\n").utf8))
    }
  }
}
