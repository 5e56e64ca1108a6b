/// Remembers where values are known to be unreadable, so that they are not read again.
///
/// A value breaks the rules at some place. All arrays and dictionaries that are open at this place break them too,
/// because reading each of them ends there with the same error. Without this memory, a file of beginnings only
/// (`{"a":{"a":{"a":`) would be read as often as values may be nested.
///
/// A value that is nested too deep is different, because its depth depends on the text before it. Behind it, the search
/// continues from the place of the error. It looks at brackets and tags only, to find whether the next value is too
/// deep.
///
/// A value with the same bytes as the last unreadable one, including those that its reader looked at, breaks the same
/// rule.
struct SalvageNesting<Grammar: SalvageGrammar> {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let depthLimit: Int
  private var last: Failure?
  /// The beginnings of the values that are open at `end` in the last unreadable value, the outermost first.
  private var open: [Int] = []
  private var end = 0

  private struct Failure {
    let error: SnapshotError
    /// From the beginning of the value to the last byte that its reader looked at.
    let range: Range<Int>
    /// The place of the error, and the values that are open there.
    let place: Int
    let open: [Int]
    let depth: Int
    let isTooDeep: Bool

    /// The same failure for a value with the same bytes.
    func moved(by distance: Int) -> Failure {
      Failure(
        error: error.at(place + distance),
        range: range.lowerBound + distance..<range.upperBound + distance,
        place: place + distance, open: open.map { $0 + distance }, depth: depth,
        isTooDeep: isTooDeep)
    }
  }

  /// The most bytes that readers look at behind the one that they refuse.
  private static var lookahead: Int { 16 }
  /// The longest value that is compared.
  private static var copyLimit: Int { 256 }

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: ReadLimits) {
    self.bytes = bytes
    depthLimit = limits.depth
  }

  /// Whether a value is known to break the rules.
  func isLost(at offset: Int) -> Bool { open.contains(offset) }

  /// Notes a value that could not be read. O(bytes read of it).
  ///
  /// - Parameter reach: the place where reading ended.
  mutating func fail(at start: Int, depth: Int, _ error: SnapshotError, reach: Int) {
    forget()
    guard let place = error.position?.offset, start <= place, place <= bytes.count else { return }
    end = start
    while end < place {
      guard let token = Grammar.bracket(bytes, at: end, before: place) else { return forget() }
      note(token)
    }
    end = place
    last = Failure(
      error: error, range: start..<max(place, reach) + Self.lookahead, place: place, open: open,
      depth: depth,
      isTooDeep: error.code == .limitExceeded && open.count == levels(below: depth))
  }

  /// The known reason why a value cannot be read; nil if none is known. All calls together take O(bytes) in addition to
  /// those of `fail`.
  mutating func error(at start: Int, depth: Int) -> SnapshotError? {
    if let outermost = open.first, outermost < start { open.removeAll { $0 < start } }
    if let last, open.first == start { return last.isTooDeep ? tooDeep(last, depth) : last.error }
    guard let range = last?.range, isCopy(of: range, start), let last, depth == last.depth else {
      return nil
    }
    let copy = last.moved(by: start - last.range.lowerBound)
    (self.last, open, end) = (copy, copy.open, copy.place)
    return copy.error
  }

  private mutating func tooDeep(_ failure: Failure, _ depth: Int) -> SnapshotError? {
    let levels = levels(below: depth)
    if open.count > levels { return failure.error.at(open[levels]) }
    while end < bytes.count, let token = Grammar.bracket(bytes, at: end, before: bytes.count) {
      if case .beginning = token, open.count == levels { return failure.error.at(end) }
      note(token)
      if open.isEmpty { break }
    }
    forget()
    return nil
  }

  /// How many values may be nested in a value at a depth.
  private func levels(below depth: Int) -> Int { depthLimit - depth + 1 }

  private func isCopy(of range: Range<Int>, _ start: Int) -> Bool {
    guard range.count <= Self.copyLimit, start + range.count <= bytes.count,
      range.upperBound <= bytes.count,
      let base = bytes.baseAddress
    else { return false }
    return ByteText.equal(base + start, base + range.lowerBound, range.count)
  }

  private mutating func forget() {
    last = nil
    open = []
  }

  // MARK: Brackets and tags

  private mutating func note(_ token: SalvageBracket) {
    switch token {
    case .beginning(let next):
      open.append(end)
      end = next
    case .ending(let next):
      _ = open.popLast()
      end = next
    case .other(let next): end = next
    }
  }
}

extension SnapshotError {
  fileprivate func at(_ offset: Int) -> SnapshotError {
    var copy = self
    copy.position = SnapshotError.Position(offset: offset)
    return copy
  }
}
