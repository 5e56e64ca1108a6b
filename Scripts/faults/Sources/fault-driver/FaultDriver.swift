import Foundation
import SnapshotNotebook
import SnapshotStore

/// Executes the lines of standard input on one store file, and answers each with a line. So the author of the faults
/// decides when: `fault-driver FILE [--writer NAME] [--policy manual|immediate] [--external NAME] [--notes N]
/// [--padding N] [--journal BYTES]`.
///
/// ```
/// open                   OPEN revision
/// change                 CHANGE revision    the next revision, in memory
/// flush                  ACK revision       the library reports it as durable
/// fold                   ACK revision       the same, in the file itself
/// wait SECONDS           ACK revision       the same, but saved by the store itself
/// close                  CLOSED
/// add ID TAG TEXT        ADDED              a note, in memory
/// copy PATH              COPIED             the value in memory, into another file
/// loop COUNT PAUSE SEED  ACK revision TIME  for each of many revisions, with random pauses of up to PAUSE
///                                           microseconds; the time is that of the monotonic clock
/// ```
///
/// `FAIL command code: message` is the answer to an error.
@main
struct FaultDriver {
  let options: DriverOptions
  let wire = Wire()
  var keeper: (any Keeper)?
  var ledger: Ledger

  static func main() {
    signal(SIGPIPE, SIG_IGN)
    guard let options = DriverOptions(CommandLine.arguments.dropFirst()) else {
      Wire().say(
        "FAIL arguments usage: fault-driver FILE [--writer NAME] [--policy NAME] [--external NAME] [--notes N]")
      exit(64)
    }
    var driver = FaultDriver(options: options, ledger: Ledger(notes: options.notes, padding: options.padding))
    driver.wire.say("READY")
    while let line = driver.wire.nextLine() {
      let words = line.split(separator: " ").map(String.init)
      guard let command = words.first else { continue }
      do {
        switch command {
        case "add": try driver.add(words)
        case "copy": try driver.copy(to: words.dropFirst().joined(separator: " "))
        default: try driver.run(command, words.dropFirst().compactMap { Int($0) })
        }
      } catch {
        driver.report(command, error)
      }
    }
  }

  private mutating func run(_ command: String, _ numbers: [Int]) throws {
    switch command {
    case "open":
      let opened = try options.makeKeeper()
      ledger.revision = Ledger.revision(of: opened.notebook)
      keeper = opened
      wire.say("OPEN \(ledger.revision)")
    case "change":
      try change()
      wire.say("CHANGE \(ledger.revision)")
    case "flush":
      try opened().flush()
      wire.say("ACK \(ledger.revision)")
    case "fold":
      try opened().fold()
      wire.say("ACK \(ledger.revision)")
    case "wait": try wait(seconds: numbers.first ?? 10)
    case "close":
      try opened().close()
      keeper = nil
      wire.say("CLOSED")
    case "loop": try loop(numbers)
    default: throw DriverError("there is no command \(command)")
    }
  }

  private func opened() throws -> any Keeper {
    guard let keeper else { throw DriverError("nothing is open") }
    return keeper
  }

  private mutating func change() throws {
    let notes = ledger.next()
    try opened().change { notebook in
      for note in notes { try notebook.upsert(note) }
    }
    ledger.revision += 1
  }

  private func add(_ words: [String]) throws {
    guard words.count > 3, let id = Int64(words[1]) else { throw DriverError("add takes an id, a tag and a text") }
    try opened().change { notebook in
      var note = Note(id: id, text: words[3...].joined(separator: " "), creationDate: Date())
      note.setTags([notebook.tag(named: words[2]).id], at: note.creationDate)
      try notebook.upsert(note)
    }
    wire.say("ADDED")
  }

  private func copy(to path: String) throws {
    try Data(SnapshotFile.encode(try opened().notebook, as: .json)).write(to: URL(filePath: path))
    wire.say("COPIED")
  }

  /// The seconds of the monotonic clock, which the scripts read too.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private mutating func loop(_ numbers: [Int]) throws {
    guard numbers.count == 3 else { throw DriverError("loop takes three numbers") }
    var random = SplitMix(state: UInt64(bitPattern: Int64(numbers[2])))
    for _ in 0..<numbers[0] {
      try change()
      try opened().flush()
      wire.say("ACK \(ledger.revision) \(Self.now)")
      usleep(UInt32(random.next() % UInt64(max(1, numbers[1]))))
    }
    wire.say("DONE")
  }

  /// Waits until the store has saved by itself. Its first failure is reported in between.
  private func wait(seconds: Int) throws {
    let keeper = try opened()
    let end = ContinuousClock.now + .seconds(seconds)
    var hasFailed = false
    while ContinuousClock.now < end {
      keeper.lookAfter()
      if keeper.isDurable { return wire.say("ACK \(ledger.revision)") }
      if !hasFailed, let error = keeper.lastError {
        hasFailed = true
        report("wait", error)
      }
      usleep(5_000)
    }
    wire.say("TIMEOUT")
  }

  private func report(_ command: String, _ error: any Error) {
    let code = (error as? SnapshotError)?.code.rawValue ?? "other"
    wire.say("FAIL \(command) \(code): \(error)")
  }
}

struct DriverError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Random numbers that a seed repeats.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
