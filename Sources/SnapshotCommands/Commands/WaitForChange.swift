import SnapshotStore

/// Waits until the value in a file is another one.
struct WaitForChangeCommand: StoreCommand {
  static let name = "wait-for-change"
  static let summary = "Wait until the value in a store has changed"
  static var parameters: [Parameter] {
    [
      .store("STORE", "a store of any model"),
      .option(
        "--since", "MARK", .text,
        """
        wait until the value is another one than that with this mark, which may be so already. An empty MARK is that of
        no value
        """
      ),
      .option(
        "--timeout", "SECONDS", .number(0...1_000_000_000),
        "give up after this time: print the mark that was waited for, and exit with 124"
      ),
    ]
  }
  static let discussion = """
    It prints the mark of the new value, 16 digits, and exits with 0. Pass the mark to the next call, so that no change
    in between is missed. This loop runs “make” at once and after each change, also after one while “make” runs:

      mark=
      while mark=$({tool} wait-for-change notes.json --since "$mark"); do
        make
      done

    Without --since it waits for a change of the value that it reads when it begins. STORE must then exist. With --since
    it waits until STORE is there and can be read.

    A change is another record, another single value, another version of the schema, or another order of them. What a
    program saves in its journal counts. A lock, another format, spaces, and a journal that is written to the file do
    not. It looks four times a second. A value that was changed and changed back in between is not noticed. A file that
    is removed, or cannot be read, is waited for; so is a change in the file that follows. Ctrl-C ends it.
    """

  private let file: String
  /// The mark that is waited for; nil for that of the value at the beginning.
  private let since: Since?
  private let timeLimit: Duration?

  /// What the value must differ from.
  private enum Since: Equatable {
    case noValue
    case value(ValueMark)
  }

  init(_ arguments: inout Arguments) throws {
    timeLimit = arguments.number("--timeout").map { .seconds($0) }
    let text = arguments.option("--since")
    file = arguments.operand("STORE")
    try WatchedFile.requireFile(file, arguments)
    since = try text.map { text in
      if text.isEmpty { return .noValue }
      guard let mark = ValueMark(text) else {
        throw arguments.usage("“\(text.shortForMessage)” is no mark; “\(Tool.runningName) wait-for-change” prints them")
      }
      return .value(mark)
    }
  }

  func run() throws {
    let end = timeLimit.map { .now + $0 } as ContinuousClock.Instant?
    // The watch comes first: a save after it is noticed.
    var watched = try WatchedFile(file)
    let old = try since ?? .value(ValueMark(ofFile: file))
    if since == nil {
      if Terminal.error.isTerminal {
        Terminal.error.printLine("waiting for a change of \(file.shortForMessage); Ctrl-C ends it")
      }
    } else if try printNew(&watched, old) {
      return
    }
    while watched.waitForSave(until: end) {
      if try printNew(&watched, old) { return }
    }
    if case .value(let mark) = old { try Terminal.output.print(mark.text + "\n") }
    throw ExitCode.timedOut
  }

  /// Prints the mark of the value, if it is a new one.
  private func printNew(_ watched: inout WatchedFile, _ old: Since) throws -> Bool {
    guard let mark = try watched.reading({ try ValueMark(ofFile: file) }), .value(mark) != old else { return false }
    try Terminal.output.print(mark.text + "\n")
    return true
  }
}
