/// The list of what was lost, while it grows.
final class SalvageLog {
  private let original: [UInt8]
  private let source: SourceText
  private var losses: [SalvageLoss] = []
  /// How many losses there are, those that are not listed included.
  private(set) var count = 0

  /// Whether no more losses are listed, but only counted.
  var isFull: Bool { losses.count >= SalvageLoss.listLimit }

  /// - Parameters:
  ///   - original: the bytes as they are in the file.
  ///   - source: what is read instead.
  init(_ original: [UInt8], _ source: SourceText) {
    self.original = original
    self.source = source
  }

  /// A loss that concerns the file as a whole.
  func add(_ error: SnapshotError, _ kind: SalvageLoss.Kind = .file, table: String? = nil) {
    add(kind, table, nil, nil, error, nil, "")
  }

  /// What a model has mended.
  func addMending(_ violation: Violation) {
    let error = SnapshotError(.recordNotFound, violation.description)
    add(.mending, nil, nil, nil, error, nil, "")
  }

  /// A record that could not be read, or one that nothing could be done with.
  ///
  /// - Parameters:
  ///   - readable: what of it could be read.
  ///   - range: where it stands in the file.
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

  /// A single value that could not be read.
  func addValue(_ error: SnapshotError, _ name: String, _ range: Range<Int>?) {
    add(
      .value, name, nil, nil, error, range, range.map { source.isText ? text($0) : "" } ?? ""
    )
  }

  /// Bytes that are no record.
  func addBytes(_ error: @autoclosure () -> SnapshotError, table: String?, _ range: Range<Int>) {
    if isFull { return addUnlisted(1) }
    add(.bytes, table, nil, nil, error(), range, source.isText ? text(range) : "")
  }

  /// Losses that are counted only.
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
        position: offset.map { FilePosition(offset: $0) },
        byteCount: range?.count ?? 0, code: isMasked ? .malformed : error.code,
        reason: isMasked ? "the text is not valid UTF-8" : error.message, excerpt: excerpt()))
  }

  /// The losses in the order of the file, each with its line and column if the file is text; those without a place come
  /// first, what was mended last. O(file + losses · log losses).
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
        FilePosition(offset: position.offset, line: line, column: position.offset - lineStart + 1))
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
  /// A text or a number, for a message; nil for what is long or neither.
  var shortText: String? {
    switch content {
    case .string(let text): text.utf8.count <= 200 ? text : nil
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    default: nil
    }
  }
}

extension SalvageLoss {
  fileprivate func at(_ position: FilePosition) -> SalvageLoss {
    SalvageLoss(
      kind: kind, table: table, index: index, id: id, position: position, byteCount: byteCount,
      code: code,
      reason: reason, excerpt: excerpt)
  }
}
