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
  /// Sets a record and folds, so often that no journal names the moment that a sleeping store knows.
  case foldOften(slot: Int, times: Int)
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
  /// The same store ends, starts again and sets a record there.
  case openInside(after: Int, slot: Int, to: Int)

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
  /// Another program reads the file, and will write what it has read. Stores may save in between.
  case readFile
  /// Another program reads the file, changes or removes a record of its own, and replaces the file.
  case replaceFile(slot: Int, to: Int?)
  /// The folder is moved away, and a copy of it takes its place.
  case moveFolder
  /// A store that only reads looks at the file.
  case readerLooks
  /// Every store looks at the file, one after the other.
  case allLook

  // MARK: The disk

  /// This number of calls fails, each that number of calls that write after the one before.
  case fail(after: Int, count: Int, isFull: Bool)
  /// The next call of this name fails, and so many that write after it. One of the names is “fsync of a name”, behind a
  /// rename. After a failed sync of a line, the call that retracts the line is the next one.
  case failNext(String, then: Int)
  /// All writes fail from one call to another: a full disk.
  case fill(after: Int, count: Int)
}

extension ExplorerStep {
  /// The public functions that save or change a file, and the steps that call them.
  static let functions: [String: [String]] = [
    "write": ["set", "remove", "removeAll"], "commit": ["commit"], "perform": ["perform"], "group": ["perform"],
    "undo": ["undo"], "redo": ["redo"], "flush": ["flush", "fold", "foldOften"], "flushAndWait": ["flush", "fold"],
    "close": ["reopen"], "closeAndWait": ["reopen"], "suspend": ["suspend"], "suspendAndWait": ["suspend"],
    "resume": ["flush"], "checkFile": ["look"], "update": ["update"], "change": ["restore"], "restore": ["restore"],
    "fold": ["foldCommand"], "open": ["reopen"],
    "value": ["reopen"], "migrate": ["migrate"],
  ]

  /// What has no step of its own, and why.
  static let withoutStep: [String: String] = [
    "performBackground": "publishes as a scratchpad does, in Store.publish",
    "importRecords": "publishes as a background block does",
    "runRules": "is a transaction", "afterCommit": "does nothing to the file",
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

  /// Whether a store needs the lock of the file for it.
  var takesLock: Bool {
    switch self {
    case .flush, .fold, .foldOften, .look, .wait, .reopen, .abandon: true
    default: false
    }
  }

  /// Whether it strikes in a later step.
  var isForNext: Bool {
    switch self {
    case .fail, .failNext, .interrupt, .openInside, .kill: true
    default: false
    }
  }
}
