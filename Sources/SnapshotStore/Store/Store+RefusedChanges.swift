import SnapshotFoundation

/// External changes that a store does not take in. One version of the file is read once, and told once.
extension Store {
  /// Looks at the file of a store that does not share it, and tells the program of a change.
  ///
  /// - Parameter isExplicit: whether to look again at a version that was refused before.
  func lookAtFile(isExplicit: Bool, _ saver: Saver<Root>) -> ExternalChange? {
    // Before the look, so that a change during the look is a new one.
    let (seen, isClean) = (SeenFile(saver.file), core.latest.revision <= saver.durableRevision)
    let refused = saver.file.refused.flatMap { $0.seen == seen ? $0 : nil }
    if !isExplicit, let refused {
      switch refused.retry {
      case .never: return refused.change
      case .onceClean where !isClean: return refused.change
      case .onceClean, .always: break
      }
    }
    let change = reaction(to: saver.file.inspect(), saver)
    saver.file.refused = change.flatMap { change in
      retry(after: change, of: seen, isClean: isClean, saver).map {
        RefusedChange(seen: seen, change: change, retry: $0)
      }
    }
    if let change, refused?.change.saysTheSame(as: change) != true { tell(change, saver) }
    return change
  }

  /// - Returns: nil if the change was taken in.
  private func retry(
    after change: ExternalChange, of seen: SeenFile, isClean: Bool, _ saver: Saver<Root>
  ) -> RefusedChange.Retry? {
    let (isTrusted, hasHistory) = (saver.file.base?.isStatusTrusted != false, saver.file.base?.history != nil)
    let policy = effectivePolicy(saver)
    let retry: RefusedChange.Retry
    switch change {
    case .reloaded, .merged, .replaced, .rejected(_, _?): return nil
    // The store is unsaved then, unless a transaction did not end in time.
    case .removed: return createsAgain(saver) && core.latest.revision <= saver.durableRevision ? .always : .never
    // The system may read it the next time.
    case .unreadable(let error): retry = error.systemError == nil ? .never : .always
    case .rejected(_, nil): retry = policy == .reload ? .never : .always
    case .refused where policy == .fail || policy == .merge && !hasHistory: retry = .never
    case .refused where policy == .reload && !isClean: retry = .onceClean
    // A transaction did not end in time.
    case .refused: retry = .always
    }
    return isTrusted && !isNew(seen, saver) ? retry : .always
  }

  /// Whether the file was changed at this very moment. Then its next version may have the same status.
  private func isNew(_ seen: SeenFile, _ saver: Saver<Root>) -> Bool {
    guard let modified = seen.current?.modified else { return false }
    return abs(saver.scheduler.date.timeIntervalSince1970 - Double(modified) / 1e9) < 0.1
  }
}

extension ExternalChange {
  /// Whether a program that knows one of two reactions to the same version learns nothing from the other.
  fileprivate func saysTheSame(as other: ExternalChange) -> Bool {
    switch (self, other) {
    case (.refused, .refused), (.removed, .removed): true
    case (.unreadable(let a), .unreadable(let b)): a.code == b.code
    case (.rejected(let a, nil), .rejected(let b, nil)): "\(a)" == "\(b)"
    default: false
    }
  }
}
