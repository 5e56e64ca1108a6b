import SnapshotStore

/// Runs a body that waits up to 30 seconds for a program that has the file. After the first one, a person is told who
/// that is.
///
/// - Parameter body: waits for a time. It changes nothing if that is not enough.
func waitingForOthers<Result>(_ body: (Duration) throws -> Result) throws -> Result {
  guard Terminal.error.isTerminal else { return try body(.seconds(30)) }
  do {
    return try body(.seconds(1))
  } catch let error as SnapshotError where error.code == .locked {
    Terminal.error.printLine("\(error.message); waiting up to 30 seconds for it")
    return try body(.seconds(29))
  }
}
