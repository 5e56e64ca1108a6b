/// The growing list of losses.
final class SalvageLog {
  private let original: [UInt8]
  private let source: SourceText
  private var losses: [SalvageLoss] = []
  private var lostValues: Set<ExactText> = []
  /// Whether a record, a value or other bytes are lost.
  private var hasLostContent = false
  /// The places of what cannot be used.
  private var places: [Range<Int>] = []
  /// The number of losses, including those that are not listed.
  private(set) var count = 0

  /// Whether further losses are counted but not listed.
  var isFull: Bool { losses.count >= SalvageLoss.listLimit }

  /// - Parameters:
  ///   - original: the bytes as they are in the file.
  ///   - source: the prepared bytes that salvage reads.
  init(_ original: [UInt8], _ source: SourceText) {
    self.original = original
    self.source = source
  }

  /// Adds a loss that concerns the file as a whole.
  func add(_ error: SnapshotError, _ kind: SalvageLoss.Kind = .file, table: String? = nil) {
    add(kind, table, nil, nil, error, nil, "")
  }

  /// Whether a loss of a single value is noted.
  func hasValue(_ name: String) -> Bool { lostValues.contains(ExactText(name)) }

  /// Reports a table of the schema that was not found.
  func addMissing(table name: String) {
    add(SnapshotError(.missingKey, "the table is missing"), .table, table: name)
  }

  /// Reports a single value of the schema that was not found.
  func addMissing(value name: String) {
    addValue(
      SnapshotError(.missingKey, "the value is missing or damaged; the empty model's value takes its place"), name, nil)
  }

  /// Adds a violation that the model has repaired.
  func addRepair(_ violation: Violation) {
    let error = SnapshotError(.recordNotFound, violation.description)
    add(.repair, nil, nil, nil, error, nil, "")
  }

  /// Adds a record that could not be read or used.
  ///
  /// - Parameters:
  ///   - readable: the readable part of the record.
  ///   - range: the place of the record in the file.
  func addRecord(
    _ error: @autoclosure () -> SnapshotError, table: String?, index: Int?,
    readable: @autoclosure () -> Item?,
    _ range: Range<Int>
  ) {
    if isFull { return addUnlisted(range) }
    let readable = readable()
    let excerpt = source.isText ? text(range) : readable.map(Self.json) ?? ""
    add(.record, table, index, readable?["id"]?.shortText, error(), range, excerpt)
  }

  /// Adds a single value that could not be read.
  func addValue(_ error: SnapshotError, _ name: String, _ range: Range<Int>?) {
    add(
      .value, name, nil, nil, error, range, range.map { source.isText ? text($0) : "" } ?? ""
    )
  }

  /// Adds bytes that are not a record.
  func addBytes(_ error: @autoclosure () -> SnapshotError, table: String?, _ range: Range<Int>) {
    if isFull { return addUnlisted(range) }
    add(.bytes, table, nil, nil, error(), range, source.isText ? text(range) : "")
  }

  /// Adds a loss that is counted only.
  private func addUnlisted(_ range: Range<Int>) {
    count += 1
    hasLostContent = true
    note(range)
  }

  /// Adds the losses of another reading of the same bytes, except for those that both have.
  func append(_ other: SalvageLog) {
    let known = Set(losses.compactMap(\.position?.offset))
    let more = other.losses.filter { $0.position.map { !known.contains($0.offset) } ?? false }
    losses += more.prefix(max(0, SalvageLoss.listLimit - losses.count))
    count += more.count + other.count - other.losses.count
    lostValues.formUnion(other.lostValues)
    hasLostContent = hasLostContent || other.hasLostContent
    for range in other.places { note(range) }
  }

  /// Notes the place of what cannot be used. Places of the same text become one.
  func note(_ range: Range<Int>) {
    if range.isEmpty { return }
    if let last = places.last, range.lowerBound >= last.lowerBound, range.lowerBound <= last.upperBound {
      places[places.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    } else {
      places.append(range)
    }
  }

  /// All bytes that cannot be used, in their order. Each part ends a line. The objects of a binary list are not in one
  /// place, so it is the whole list if anything is lost. O(bytes).
  func unused() -> [UInt8] {
    if !source.isText { return hasLostContent ? original : [] }
    var (result, end): ([UInt8], Int) = ([], 0)
    for range in places.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
      result += original[max(end, range.lowerBound)..<range.upperBound]
      if result.last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
      end = range.upperBound
    }
    return result
  }

  private func add(
    _ kind: SalvageLoss.Kind, _ table: String?, _ index: Int?, _ id: String?,
    _ error: SnapshotError,
    _ range: Range<Int>?, _ excerpt: @autoclosure () -> String
  ) {
    count += 1
    if let range { note(range) }
    if let table, kind == .value { lostValues.insert(ExactText(table)) }
    hasLostContent = hasLostContent || range != nil
    // The few losses of the whole file are always listed.
    if isFull, kind != .file { return }
    let offset = error.position?.offset ?? range?.lowerBound
    let isMasked = offset.map { self.isMasked($0) } ?? false
    losses.append(
      SalvageLoss(
        kind: kind, table: table, index: index, id: id,
        position: offset.map { SnapshotError.Position(offset: $0) },
        byteCount: range?.count ?? 0, code: isMasked ? .malformed : error.code,
        reason: isMasked ? "the text is not valid UTF-8" : error.message, excerpt: excerpt()))
  }

  /// The losses in the order of the file, with line and column if the file is text. Those without a place come first,
  /// and repaired violations last. O(file + losses · log losses).
  func located() -> [SalvageLoss] {
    func rank(_ loss: SalvageLoss) -> Int {
      loss.kind == .repair ? .max : loss.position?.offset ?? -1
    }
    let order = losses.indices.sorted { (rank(losses[$0]), $0) < (rank(losses[$1]), $1) }
    var (line, lineStart, offset) = (1, 0, 0)
    return order.map { index in
      let loss = losses[index]
      guard source.isText, let position = loss.position else { return loss }
      while offset < min(position.offset, original.count) {
        if original[offset] == UInt8(ascii: "\n") { (line, lineStart) = (line + 1, offset + 1) }
        offset += 1
      }
      return loss.at(
        SnapshotError.Position(offset: position.offset, line: line, column: position.offset - lineStart + 1))
    }
  }

  /// Whether a byte was replaced because it is not UTF-8.
  private func isMasked(_ offset: Int) -> Bool {
    source.bytes.indices.contains(offset) && original.indices.contains(offset)
      && source.bytes[offset] != original[offset]
  }

  // MARK: Excerpts

  private func text(_ range: Range<Int>) -> String {
    String(decoding: original[range.prefix(SalvageLoss.excerptLimit)], as: UTF8.self)
  }

  private static func json(_ item: Item) -> String {
    String(decoding: item.jsonBytes.prefix(SalvageLoss.excerptLimit), as: UTF8.self)
  }
}

extension Range<Int> {
  fileprivate func prefix(_ count: Int) -> Range<Int> {
    lowerBound..<Swift.min(upperBound, lowerBound + count)
  }
}

extension Item {
  /// Its JSON.
  var jsonBytes: [UInt8] {
    var sink = ByteSink()
    JSONText.append(self, to: &sink)
    return Array(sink.bytes)
  }

  /// A text or a number, for a message. Nil for a long one and for other kinds.
  var shortText: String? {
    switch content {
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    default: text.flatMap { $0.utf8.count <= 200 ? $0 : nil }
    }
  }
}

extension SalvageLoss {
  fileprivate func at(_ position: SnapshotError.Position) -> SalvageLoss {
    SalvageLoss(
      kind: kind, table: table, index: index, id: id, position: position, byteCount: byteCount,
      code: code,
      reason: reason, excerpt: excerpt)
  }
}
