/// The results of all saves so far, and the lines about them for the log.
///
/// A failed save is repeated while its cause lasts. So each cause is logged once, until a save succeeds.
struct SaveHistory: Sendable {
  private(set) var counters = SaveCounters()
  /// The reason why the last save failed; nil after a save has succeeded.
  private(set) var lastError: SnapshotError?
  /// The reason why the last due generation could not be kept; nil if it was kept.
  private(set) var generationError: SnapshotError?
  private var logged: Set<Cause> = []
  private var loggedGeneration: Cause?

  /// The identity of a failure. The message does not count, because it may have numbers that differ each time.
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
  ///   - result: the result for the file.
  ///   - failure: the reason why the changes are still unsaved; nil if they are safe, even in another file.
  ///   - generationError: the reason why the last due generation could not be kept; nil if it was kept.
  ///   - isRepeated: whether the policy repeats a failed save.
  ///   - isTold: whether the lines are logged. What was not logged does not end either.
  /// - Returns: sentences about the store for the log, without their subject.
  mutating func add(
    _ result: Result<SaveResult, SnapshotError>, _ failure: SnapshotError?,
    _ generationError: SnapshotError?, isRepeated: Bool, isTold: Bool
  ) -> [String] {
    counters.count(result)
    lastError = failure
    self.generationError = generationError
    if !isTold { return [] }
    var lines: [String] = []
    if let failure {
      if logged.insert(Cause(failure)).inserted { lines.append(Self.line(failure, isRepeated: isRepeated)) }
    } else if !logged.isEmpty {
      logged = []
      lines.append("is saved again")
    }
    let cause = generationError.map(Cause.init)
    if let generationError, cause != loggedGeneration {
      lines.append("is saved, but \(generationError.message)")
    }
    loggedGeneration = cause
    if case .success(.written(_, _, let kept?)) = result {
      let path = kept.quotedForMessage(limit: 400)
      lines.append("is saved. Its journal was changed by another program, or cannot be read; it is kept as \(path)")
    }
    return lines
  }

  private static func line(_ failure: SnapshotError, isRepeated: Bool) -> String {
    let next = isRepeated ? "saving is tried again" : "the next flush tries again"
    let advice = failure.advice.map { " \($0)" } ?? ""
    let place = failure.dataPath.map { "\($0): " } ?? ""
    return "cannot be saved: \(place)\(failure.message). Its changes stay in memory, and \(next).\(advice)"
  }
}
