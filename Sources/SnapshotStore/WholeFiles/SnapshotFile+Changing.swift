public import SnapshotFoundation

/// Changes the whole content of a file in one session.
extension SnapshotFile {
  /// Changes the whole content of a file in one session. It first keeps the old version as a generation.
  ///
  /// Use it for a large change, such as a merge. ``Store/update(at:options:waitingAtMost:_:)`` keeps generations only
  /// at intervals, and does not change unknown content.
  ///
  /// The rules and validations of the schema are run. The generation is kept in addition to those of stores. It may be
  /// removed when it is three hours old and ten others are newer.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - url: the file, which must exist.
  ///   - limits: the limits for size and depth.
  ///   - timeLimit: how long to wait while others have the file open for writing.
  ///   - date: the date of an edit. Records that `body` has changed get it where ``Record/mergeRules`` name dates and
  ///     `body` has set none. Nil for a change that brings its own dates, such as a merge.
  ///   - body: changes the content.
  /// - Returns: the result of `body`, once the file has the change and is synced.
  /// - Throws: the errors of `body`; ``TransactionRefusal``; ``SnapshotError``, with code `locked` if the time limit
  ///   was too short. The file is then unchanged. It is also unchanged if its old version cannot be kept.
  @discardableResult
  public static func change<Root: Model, Result>(
    _ type: Root.Type, at url: URL, limits: ReadLimits = ReadLimits(), waitingAtMost timeLimit: Duration = .seconds(10),
    datingEditsAt date: Date? = nil, _ body: (inout SnapshotContent<Root>) throws -> Result
  ) throws -> Result {
    let replacement = KeepingReplacement<Root>(path: try url.requiredPath(), limits: limits, lockTimeLimit: timeLimit)
    return try replacement.change { content in
      let before = content.value
      let result = try body(&content)
      let transaction = RuledTransaction(revision: 1, origin: .local)
      let kind = date.map { Settlement<Root>.Kind.command(at: $0) } ?? .edit
      return (result, try Settlement(before: before, kind: kind, transaction: transaction).run(content.value))
    }
  }
}
