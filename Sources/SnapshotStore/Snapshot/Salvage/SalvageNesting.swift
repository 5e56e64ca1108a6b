/// What the last value that could not be read tells of others, so that they are not read in vain as well.
///
/// A value breaks the rules at some place. All arrays and dictionaries that are open there break them too: whatever is before
/// them, reading them ends at this place, with this error. Without that, a file of beginnings only (`{"a":{"a":{"a":`) would be
/// read as often as values may be nested.
///
/// Nesting itself depends on what is before. So behind a value that is nested too deep, it is looked on from where that was seen, at
/// brackets and tags only, whether the next one is too.
///
/// A value of the same bytes as the last one, up to behind what its reader looked at, breaks the same rule.
struct SalvageNesting {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let form: SalvageGap.Form
  private let depthLimit: Int
  private var last: Failure?
  /// Where the values begin that are open at `end` and belong to the last one that could not be read, the outermost first.
  private var open: [Int] = []
  private var end = 0

  private struct Failure {
    let error: SnapshotError
    /// From where the value begins to behind what was looked at.
    let range: Range<Int>
    /// Where it breaks the rules, and the values that are open there.
    let place: Int
    let open: [Int]
    let depth: Int
    let isTooDeep: Bool

    /// The same of a value with the same bytes.
    func moved(by distance: Int) -> Failure {
      Failure(
        error: error.at(place + distance),
        range: range.lowerBound + distance..<range.upperBound + distance,
        place: place + distance, open: open.map { $0 + distance }, depth: depth,
        isTooDeep: isTooDeep)
    }
  }

  /// Readers look at so many bytes behind the one that they refuse, or fewer.
  private static let lookahead = 16
  /// Longer values are not compared.
  private static let copyLimit = 256

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ form: SalvageGap.Form, _ limits: ReadLimits) {
    self.bytes = bytes
    self.form = form
    depthLimit = limits.depth
  }

  /// Whether a value is known to break the rules.
  func isLost(at offset: Int) -> Bool { open.contains(offset) }

  /// A value could not be read. O(what was read of it).
  ///
  /// - Parameter reach: where reading ended.
  mutating func fail(at start: Int, depth: Int, _ error: SnapshotError, reach: Int) {
    forget()
    guard let place = error.position?.offset, start <= place, place <= bytes.count else { return }
    end = start
    while end < place {
      guard let token = token(before: place) else { return forget() }
      note(token)
    }
    end = place
    last = Failure(
      error: error, range: start..<max(place, reach) + Self.lookahead, place: place, open: open,
      depth: depth,
      isTooDeep: error.code == .limitExceeded && open.count == levels(below: depth))
  }

  /// Why a value cannot be read, if that is known. All calls together take O(bytes) beside those of `fail`.
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
    while end < bytes.count, let token = token(before: bytes.count) {
      if case .beginning = token, open.count == levels { return failure.error.at(end) }
      note(token)
      if open.isEmpty { break }
    }
    forget()
    return nil
  }

  /// How many values may be open in each other, of which the outermost stands at a depth.
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

  private enum Token {
    /// The beginning of an array or a dictionary, its end, or anything else, and where that ends.
    case beginning(Int)
    case ending(Int)
    case other(Int)
  }

  private mutating func note(_ token: Token) {
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

  /// What is next; nil if it cannot be told from brackets and tags only. What is cut off at the limit is something else.
  private func token(before limit: Int) -> Token? {
    switch form {
    case .json: jsonToken(before: limit)
    case .xml: xmlToken(before: limit)
    }
  }

  private func jsonToken(before limit: Int) -> Token? {
    switch bytes[end] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .beginning(end + 1)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return .ending(end + 1)
    case UInt8(ascii: "\""):
      if let quote = ByteText.endOfJSONString(bytes, from: end + 1).end { return .other(quote + 1) }
      return limit < bytes.count ? .other(limit) : nil
    default:
      return .other(end + 1)
    }
  }

  private func xmlToken(before limit: Int) -> Token? {
    guard bytes[end] == UInt8(ascii: "<") else { return .other(end + 1) }
    let isEnding = ByteText.isNext("</", bytes, at: end)
    let name = end + (isEnding ? 2 : 1)
    var next = name
    while next < limit, bytes[next] != UInt8(ascii: ">") { next += 1 }
    // In comments and sections, tags are none.
    if name < limit, bytes[name] == UInt8(ascii: "!") || bytes[name] == UInt8(ascii: "?") {
      return nil
    }
    guard next < limit else { return .other(limit) }
    guard isContainer(at: name, before: next) else { return .other(next + 1) }
    if isEnding { return .ending(next + 1) }
    return bytes[next - 1] == UInt8(ascii: "/") ? .other(next + 1) : .beginning(next + 1)
  }

  private func isContainer(at name: Int, before end: Int) -> Bool {
    for text: StaticString in ["dict", "array"] where ByteText.isNext(text, bytes, at: name) {
      let rest = name + text.utf8CodeUnitCount
      return rest <= end && (rest == end || !isLetter(bytes[rest]))
    }
    return false
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}

extension SnapshotError {
  fileprivate func at(_ offset: Int) -> SnapshotError {
    var copy = self
    copy.position = FilePosition(offset: offset)
    return copy
  }
}
