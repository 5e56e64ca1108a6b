public import SnapshotFoundation

/// A change of all that a file holds, in one session.
extension SnapshotFile {
  /// Changes all that a file holds in one session, and keeps what it held as an older version first: for a change of much at once, such
  /// as a merge. ``Store/update(at:options:waitingAtMost:_:)`` keeps one only now and then, and what the schema does not know as it is.
  ///
  /// The rules and validations of the schema are run. The older version counts beyond those that stores keep; it may go when it is
  /// three hours old and ten others are newer.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - url: the file, which must be there.
  ///   - limits: what is refused for its size or depth.
  ///   - timeLimit: how long to wait while others have the file open for writing.
  ///   - body: changes the content.
  /// - Returns: what `body` returns, once the file holds the change and is synced.
  /// - Throws: what `body` throws; ``TransactionRefusal``; ``SnapshotError``, with code `locked` if the time limit was not enough. The
  ///   file is then as it was: also if what it holds cannot be kept.
  @discardableResult
  public static func change<Root: Model, Result>(
    _ type: Root.Type, at url: URL, limits: ReadLimits = ReadLimits(), waitingAtMost timeLimit: Duration = .seconds(10),
    _ body: (inout SnapshotContent<Root>) throws -> Result
  ) throws -> Result {
    let replacement = KeepingReplacement<Root>(path: try url.requiredPath(), limits: limits, lockTimeLimit: timeLimit)
    return try replacement.change { content in
      let before = content.value
      let result = try body(&content)
      let transaction = RuledTransaction(revision: 1, origin: .local)
      try Root.schema.applyRules(to: &content.value, before: before, transaction)
      try Root.schema.validate(content.value, before: before, transaction)
      return result
    }
  }
}
