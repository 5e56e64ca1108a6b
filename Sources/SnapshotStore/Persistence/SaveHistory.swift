/// What saving has come to so far, and what of it is worth a line in the log.
///
/// A save that fails is repeated for as long as the cause is there, so each cause is logged once until a save succeeds.
struct SaveHistory: Sendable {
  private(set) var counters = SaveCounters()
  /// Why the last save failed; nil once one has succeeded.
  private(set) var lastError: SnapshotError?
  private var logged: Set<Cause> = []
  private var loggedGeneration: Cause?

  /// What makes two failures the same. Not the message: it may have numbers that differ each time.
  private struct Cause: Hashable {
    let code: SnapshotError.Code
    let systemError: Int32?
    let dataPath: String?

    init(_ error: SnapshotError) {
      code = error.code
      systemError = error.systemError
      dataPath = error.dataPath
    }
  }

  /// Adds one save.
  ///
  /// - Parameters:
  ///   - result: what became of the file.
  ///   - failure: why the changes are still to be saved; nil if they are safe, be it in another file.
  ///   - generationFailure: why no older version could be kept when one was last due; nil if it was.
  ///   - isRepeated: whether the policy repeats a save that fails.
  /// - Returns: sentences about the store to be logged, without their subject.
  mutating func add(
    _ result: Result<StoreFile.Outcome, SnapshotError>, _ failure: SnapshotError?,
    _ generationFailure: SnapshotError?, isRepeated: Bool
  ) -> [String] {
    counters.count(result)
    lastError = failure
    var lines: [String] = []
    if let failure {
      if logged.insert(Cause(failure)).inserted { lines.append(Self.line(failure, isRepeated: isRepeated)) }
    } else if !logged.isEmpty {
      logged = []
      lines.append("is saved again")
    }
    let cause = generationFailure.map(Cause.init)
    if let generationFailure, cause != loggedGeneration {
      lines.append("is saved, but \(generationFailure.message)")
    }
    loggedGeneration = cause
    return lines
  }

  private static func line(_ failure: SnapshotError, isRepeated: Bool) -> String {
    let next = isRepeated ? "saving is tried again" : "the next flush tries again"
    let advice = failure.advice.map { " \($0)" } ?? ""
    return "cannot be saved: \(failure.message). Its changes stay in memory, and \(next).\(advice)"
  }
}
