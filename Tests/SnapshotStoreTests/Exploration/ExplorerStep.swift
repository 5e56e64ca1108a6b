@testable import TestSupport

/// What can happen to a file that stores have open. A new way to save, or to change a file, gets a case here.
enum ExplorerStep: Hashable, Sendable {
  // MARK: A program

  /// Sets one of the party's own records. It has a few, so that changes are reverted.
  case set(slot: Int, to: Int)
  case remove(slot: Int)
  case removeAll
  /// The same as a commit of a scratchpad.
  case commit(slot: Int, to: Int)
  /// The same as a step that can be undone.
  case perform(slot: Int, to: Int)
  case undo
  case redo
  case flush
  case fold
  case look
  /// Time passes: the policy saves, the quiet time folds.
  case wait(seconds: Int)
  case suspend
  case reopen
  /// The store is deallocated without `close`.
  case abandon
  case setClock(hours: Int)
  /// The next start is that of a newer version of the program.
  case upgrade

  /// The next store sets a record and saves, in the middle of what this one does after so many calls.
  case interrupt(after: Int, slot: Int, to: Int)

  // MARK: The end of a process

  /// The process is killed after this number of its calls.
  case kill(after: Int)

  // MARK: A command, as a process of its own

  case update(slot: Int, to: Int)
  case foldCommand
  case migrate
  /// The newest generation is put in place.
  case restore

  // MARK: A person, and programs without the library

  case loseLockFile
  /// The file cannot be written, or can be again.
  case protect(Bool)
  /// The file is replaced by one with the same bytes.
  case copyFile
  /// Another program reads the file, changes a record of its own, and replaces the file.
  case replaceFile(slot: Int, to: Int)
  /// The folder is moved away, and a copy of it takes its place.
  case moveFolder
  /// A store that only reads looks at the file.
  case readerLooks
  /// Every store looks at the file, one after the other.
  case allLook

  // MARK: The disk

  /// This number of calls fails, each that number of calls that write after the one before.
  case fail(after: Int, count: Int, isFull: Bool)
  /// The next call of this name fails. One of them is “fsync of a name”, behind a rename.
  case failNext(String)
  /// All writes fail from one call to another: a full disk.
  case fill(after: Int, count: Int)
}

extension ExplorerStep {
  /// The public functions that save or change a file, and the steps that call them.
  static let functions: [String: [String]] = [
    "write": ["set", "remove", "removeAll"], "commit": ["commit"], "perform": ["perform"], "group": ["perform"],
    "undo": ["undo"], "redo": ["redo"], "flush": ["flush", "fold"], "flushAndWait": ["flush", "fold"],
    "close": ["reopen"], "closeAndWait": ["reopen"], "suspend": ["suspend"], "suspendAndWait": ["suspend"],
    "resume": ["flush"], "checkFile": ["look"], "update": ["update"], "change": ["restore"], "restore": ["restore"],
    "fold": ["foldCommand"], "open": ["reopen"], "migrate": ["migrate"],
  ]

  /// What has no step of its own, and why.
  static let withoutStep: [String: String] = [
    "performBackground": "publishes as a scratchpad does, in Store.publish",
    "importRecords": "publishes as a background block does",
    "runRules": "is a transaction",
    "refresh": "changes a scratchpad only", "discard": "changes a scratchpad only",
    "clear": "forgets steps",
    "registerLastStep": "is Foundation's, and calls undo",
    "presentFile": "is for Apple's systems: it asks for turns, looks and saves",
    "create": "makes a file where there is none", "replace": "is restore with other bytes",
    "filled": "fills a salvage, which restore puts in place",
  ]

  /// What reads only.
  static let reading: Set<String> = [
    "decode", "decodeContent", "decodeRecords", "durable", "encode", "generations", "journal", "json",
    "makeAsyncIterator", "read", "readBytes", "readContent", "scratchpad", "search", "snapshot", "users",
  ]

  /// Whether it strikes in a later step.
  var isForNext: Bool {
    switch self {
    case .fail, .failNext, .interrupt, .kill: true
    default: false
    }
  }

  /// What a run may do. Each run leaves out about half of the kinds of steps, and some have only one record. So there
  /// are runs in which the few steps that a mistake needs follow each other.
  struct Choice {
    let slots: Int
    /// A bit for each kind that is left out.
    let leftOut: UInt64

    init(in mode: ExplorerMode, using random: inout SeededGenerator) {
      slots = mode.slots == 3 ? .random(in: 1...3, using: &random) : mode.slots
      leftOut = random.next() | (Bool.random(using: &random) ? random.next() : 0)
    }

    /// A change of one record.
    func change(in mode: ExplorerMode, using random: inout SeededGenerator) -> ExplorerStep {
      let slot = Int.random(in: 0..<slots, using: &random)
      // With few records, their values are few too, so that changes are reverted.
      let value = Int.random(in: 0...(mode.slots == 3 ? 1 : 999), using: &random)
      return Int.random(in: 0..<3, using: &random) == 0 ? .remove(slot: slot) : .set(slot: slot, to: value)
    }
  }

  /// A step at random.
  static func random(
    in mode: ExplorerMode, _ choice: Choice, using random: inout SeededGenerator
  ) -> ExplorerStep {
    let slot = Int.random(in: 0..<choice.slots, using: &random)
    let value = Int.random(in: 0...(mode.slots == 3 ? 1 : 999), using: &random)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    var choices: [(Int, ExplorerStep)] = [
      (20, .set(slot: slot, to: value)), (9, .remove(slot: slot)), (4, .removeAll), (3, .commit(slot: slot, to: value)),
      (3, .perform(slot: slot, to: value)), (3, .undo), (1, .redo), (18, .flush), (9, .fold), (9, .look),
      (5, .wait(seconds: [1, 5, 90].randomElement(using: &random) ?? 1)), (5, .suspend), (7, .reopen), (1, .abandon),
    ]
    if mode.stores > 1 {
      choices += [(5, .interrupt(after: number(1...25), slot: slot, to: value)), (6, .allLook)]
    }
    if mode.hasClockJumps { choices.append((5, .setClock(hours: number(-100_000...100_000)))) }
    if mode.hasKills { choices.append((4, .kill(after: number(0...40)))) }
    if mode.hasCommands {
      choices += [
        (3, .update(slot: slot, to: value)), (2, .foldCommand), (1, .restore), (2, .protect(.random(using: &random))),
      ]
    }
    if mode.hasReader { choices.append((4, .readerLooks)) }
    if mode.losesLockFile { choices.append((3, .loseLockFile)) }
    if mode.hasMoves { choices.append((3, .moveFolder)) }
    if mode.programs == .upgraded { choices += [(2, .upgrade), (1, .migrate)] }
    if mode.hasOthers { choices += [(6, .replaceFile(slot: slot, to: value)), (2, .copyFile)] }
    if mode.hasFaults {
      choices += [
        (
          6,
          .fail(
            after: number(1...25), count: [1, 1, 2, 3].randomElement(using: &random) ?? 1,
            isFull: .random(using: &random))
        ),
        (
          3,
          .failNext(
            ["renameat", "renameat", "fsync", "fsync of a name", "fdatasync", "pwrite"].randomElement(using: &random)
              ?? "")
        ),
        (1, .fill(after: number(1...20), count: number(5...60))),
      ]
    }
    // Without changes and saves, nothing can be lost.
    choices = choices.enumerated().filter { index, weighted in
      switch weighted.1 {
      case .set, .flush: true
      default: choice.leftOut >> index & 1 == 0
      }
    }.map(\.element)
    var place = number(0...choices.reduce(-1) { $0 + $1.0 })
    for (weight, step) in choices {
      place -= weight
      if place < 0 { return step }
    }
    return .flush
  }
}
