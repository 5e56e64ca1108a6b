/// The growing list of losses.
final class SalvageLog {
  private let original: [UInt8]
  private let source: SourceText
  private var losses: [SalvageLoss] = []
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

  /// Adds a violation that the model has mended.
  func addMending(_ violation: Violation) {
    let error = SnapshotError(.recordNotFound, violation.description)
    add(.mending, nil, nil, nil, error, nil, "")
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
    if isFull { return addUnlisted(1) }
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
    if isFull { return addUnlisted(1) }
    add(.bytes, table, nil, nil, error(), range, source.isText ? text(range) : "")
  }

  /// Adds losses that are counted only.
  func addUnlisted(_ count: Int) { self.count += count }

  private func add(
    _ kind: SalvageLoss.Kind, _ table: String?, _ index: Int?, _ id: String?,
    _ error: SnapshotError,
    _ range: Range<Int>?, _ excerpt: @autoclosure () -> String
  ) {
    count += 1
    if isFull { return }
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
  /// and mended violations last. O(file + losses · log losses).
  func located() -> [SalvageLoss] {
    func rank(_ loss: SalvageLoss) -> Int {
      loss.kind == .mending ? .max : loss.position?.offset ?? -1
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
    var sink = ByteSink()
    JSONText.append(item, to: &sink)
    return String(decoding: sink.bytes.prefix(SalvageLoss.excerptLimit), as: UTF8.self)
  }
}

extension Range<Int> {
  fileprivate func prefix(_ count: Int) -> Range<Int> {
    lowerBound..<Swift.min(upperBound, lowerBound + count)
  }
}

extension Item {
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
