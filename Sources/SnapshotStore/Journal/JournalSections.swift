/// The parts of a line with changes, in their order.
enum JournalSection: String, CaseIterable, Sendable {
  /// Where the records of tables have their ids, if that is not `id`.
  case ids
  /// The ids of removed records, by table.
  case removed
  /// Removed and replaced records as they were, of tables in which no key has the id.
  case old
  /// Inserted records, and records that replace those with their ids.
  case put
  /// Single values.
  case set

  /// The place in the order.
  var rank: Int {
    switch self {
    case .ids: 0
    case .removed: 1
    case .old: 2
    case .put: 3
    case .set: 4
    }
  }
}

/// The text of the sections of one line, under construction.
final class JournalSections {
  private let limit: Int
  private var texts: [SectionText]
  /// The number of bytes in all sections.
  private(set) var count = 0

  /// The members of one section.
  private struct SectionText {
    var bytes: [UInt8] = []
    /// Whether a member is open.
    var isOpen = false
  }

  /// - Parameter limit: the most bytes of the line.
  init(limit: Int) {
    self.limit = limit
    texts = Array(repeating: SectionText(), count: JournalSection.allCases.count)
  }

  /// Whether nothing was appended.
  var isEmpty: Bool { count == 0 }

  /// The error for a line that would be too long.
  static func tooLong(_ limit: Int) -> SnapshotError {
    SnapshotError(.limitExceeded, "the changes take more than \(limit.counted("byte")) as a line of a journal")
  }

  /// Refuses a line that is too long already.
  ///
  /// - Parameter additional: bytes that will be appended.
  func requireLimit(_ additional: Int = 0) throws(SnapshotError) {
    if count + additional > limit { throw Self.tooLong(limit) }
  }

  // MARK: Members

  /// Appends a value under a name.
  func append(_ item: Item, as name: String, to section: JournalSection) {
    var sink = ByteSink(capacity: 256)
    JSONText.append(item, to: &sink)
    appendName(name, to: section)
    append(sink.bytes, to: section.rank)
  }

  /// Appends an element to the array of a table.
  func append(_ element: UnsafeBufferPointer<UInt8>, of table: String, to section: JournalSection) {
    let rank = section.rank
    if texts[rank].isOpen {
      append(UInt8(ascii: ","), to: rank)
    } else {
      appendName(table, to: section)
      append(UInt8(ascii: "["), to: rank)
      texts[rank].isOpen = true
    }
    append(element, to: rank)
  }

  /// Ends the arrays of a table.
  func endTable() {
    for rank in texts.indices where texts[rank].isOpen {
      append(UInt8(ascii: "]"), to: rank)
      texts[rank].isOpen = false
    }
  }

  private func appendName(_ name: String, to section: JournalSection) {
    var sink = ByteSink(capacity: 64)
    JSONText.append(plain: name, to: &sink)
    let rank = section.rank
    if !texts[rank].bytes.isEmpty { append(UInt8(ascii: ","), to: rank) }
    append(sink.bytes, to: rank)
    append(UInt8(ascii: ":"), to: rank)
  }

  private func append(_ byte: UInt8, to rank: Int) {
    texts[rank].bytes.append(byte)
    count += 1
  }

  private func append(_ bytes: UnsafeBufferPointer<UInt8>, to rank: Int) {
    texts[rank].bytes += bytes
    count += bytes.count
  }

  // MARK: Going back

  /// The number of bytes in each section.
  var marks: [Int] { texts.map { $0.bytes.count } }

  /// Removes what was appended since.
  func goBack(to marks: [Int]) {
    for (rank, mark) in marks.enumerated() {
      count -= texts[rank].bytes.count - mark
      texts[rank].bytes.removeLast(texts[rank].bytes.count - mark)
      texts[rank].isOpen = false
    }
  }

  /// Appends all sections that have a member.
  func append(to line: inout ByteSink) {
    for (section, text) in zip(JournalSection.allCases, texts) where !text.bytes.isEmpty {
      line.append(",\"")
      line.append(contentsOf: section.rawValue)
      line.append("\":{")
      line.append(contentsOf: text.bytes)
      line.append("}")
    }
  }
}
