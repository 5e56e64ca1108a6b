import SnapshotFoundation

/// A journal as read from its bytes. Every line is verified: its checksum, its number, and the line that it follows.
///
/// What a line changes is read by `replay`.
struct Journal: Sendable {
  /// A line behind the header.
  struct Line: Sendable {
    enum Kind: Equatable, Sendable {
      case changes
      /// From here on the changes stand on this file, which has all that came before.
      case fold(JournalBase)
      /// From here on the changes stand on this file, which may lack what came before.
      case cut(JournalBase)
    }

    /// The number of the line; 1 for the first one behind the header.
    let number: Int
    let kind: Kind
    let date: Date
    /// The place of its bytes, without the line feed.
    let range: Range<Int>
    /// The place of its sections, or of its mark.
    let content: Range<Int>
    /// The checksum of the line.
    var sum: UInt32 = 0
  }

  /// Bytes that are no valid line, or lines that are missing. Only a salvage has losses.
  struct Loss: Equatable, Sendable {
    /// The numbers of the lost lines; nil if they are not known.
    let numbers: ClosedRange<Int>?
    /// The place in the file. Empty for missing lines.
    let range: Range<Int>
    /// The line of the file, from 1.
    let fileLine: Int
  }

  let source: SourceText
  /// What the first line says; nil if there is only a torn one.
  let header: JournalHeader?
  /// The lines behind the header.
  let lines: [Line]
  /// The number of bytes behind the last line.
  let tornBytes: Int
  /// The place behind the last line. Without a header it means nothing.
  let end: JournalPosition
  /// The checksum of the first line.
  let start: UInt32
  /// What a salvage could not use. Empty for a journal that was read strictly.
  let losses: [Loss]

  /// Reads a journal strictly. A last line that was not written to its end is left out. O(bytes).
  ///
  /// - Parameter threads: the most threads that verify lines.
  /// - Throws: `damagedJournal` with the place of the line; `newerVersion`; `tooLarge`.
  init(_ bytes: [UInt8], limits: ReadLimits, threads: Int = 1) throws(SnapshotError) {
    try self.init(bytes, following: JournalChain(), limits: limits, threads: threads)
  }

  /// Reads the bytes behind a known place of a journal in the same way. Places in them count from there.
  ///
  /// - Parameters:
  ///   - header: what the first line of the journal says.
  ///   - end: the place behind the line before the bytes.
  init(
    _ bytes: [UInt8], behind end: JournalPosition, of header: JournalHeader, limits: ReadLimits, threads: Int = 1
  ) throws(SnapshotError) {
    try self.init(bytes, following: JournalChain(header, end), limits: limits, threads: threads)
  }

  private init(
    _ bytes: [UInt8], following known: JournalChain, limits: ReadLimits, threads: Int
  ) throws(SnapshotError) {
    try limits.requireSize(of: bytes)
    let lines = JournalLines(bytes, isStrict: true)
    var chain = known
    let checked = lines.verified(limits, threads: threads)
    for (index, line) in checked.enumerated() {
      switch line {
      case .broken where lines.isTorn(index): break
      case .broken: throw lines.damage(index, "the line is not what its checksum says, and more follows")
      case .wrong(let mistake): throw mistake.error(in: lines.source)
      case .header(let header, let sum):
        if index > 0 || known.header != nil {
          throw lines.damage(index, "the first line of a journal stands in the middle")
        }
        chain.begin(header, sum)
      case .line(let line, let after, let sum):
        if let problem = chain.problem(line, after) { throw lines.damage(index, problem) }
        chain.append(line, sum)
      }
    }
    if lines.holdsWholeLine(from: lines.tail) {
      throw JournalLines.damage("the line feed of the line is damaged", lines.source.position(lines.tail))
    }
    source = lines.source
    header = chain.header
    self.lines = chain.lines
    let count = chain.lines.count + (chain.header == nil || known.header != nil ? 0 : 1)
    tornBytes = bytes.count - (count == 0 ? 0 : lines.end(of: count - 1))
    end = chain.end
    start = chain.start
    losses = []
  }

  /// Reads every line that verifies. The others are in `losses`. O(bytes).
  init(salvaging bytes: [UInt8], limits: ReadLimits) {
    let salvage = JournalSalvage(JournalLines(bytes, isStrict: false), limits)
    source = salvage.lines.source
    header = salvage.chain.header
    lines = salvage.chain.lines
    tornBytes = salvage.tornBytes
    end = salvage.chain.end
    start = salvage.chain.start
    losses = salvage.losses
  }

  /// Whether a fold mark is among the lines. The file in place decides which of them count, so nothing is appended.
  var isMarked: Bool { lines.contains { $0.kind != .changes } }

  /// Whether a mark names another file than the one on which the journal was begun. If that was put in place, it has
  /// what the lines say, and what no line says.
  var mayBeInOtherFile: Bool {
    lines.contains { line in if case .fold(let name) = line.kind { name != header?.base } else { false } }
  }

  /// Whether its last changes stand on a file that may lack what came before.
  var isCut: Bool { lines.contains { if case .cut = $0.kind { true } else { false } } }

  /// The lines behind the last mark that names the file on which the journal was begun. The lines before it count on no
  /// file.
  var ownLines: ArraySlice<Line> {
    guard let base = header?.base, let mark = lines.lastIndex(where: { $0.kind == .fold(base) }) else {
      return lines[...]
    }
    return lines[(mark + 1)...]
  }

  /// Whether the journal was begun on a file, or says that it was put in place.
  func stands(on base: JournalBase) -> Bool {
    header?.base == base || lines.contains { $0.kind == .fold(base) }
  }

  /// The moment of a file behind the last line that counts; nil without a first line.
  func position(on file: JournalBase) -> FilePosition? {
    let counts = lines(since: file)?.isEmpty == false
    return header?.position(on: file, start: start, end: counts ? end : JournalPosition(number: 0, sum: start))
  }

  /// The lines to replay onto a file. Nil if the journal has changes of another file. Empty if there is nothing to
  /// replay.
  ///
  /// A fold mark for another file may be among them. That file was never put in place.
  func lines(since base: JournalBase) -> ArraySlice<Line>? {
    let start: Int
    if header != nil, !lines.contains(where: { $0.kind == .changes }) { return [] }
    if let mark = lines.lastIndex(where: { $0.kind == .fold(base) || $0.kind == .cut(base) }) {
      start = mark + 1
    } else if header?.base == base {
      start = 0
    } else {
      return nil
    }
    let first = lines[start...].firstIndex { $0.kind == .changes } ?? lines.count
    let last = lines[first...].lastIndex { $0.kind == .changes }
    return lines[first..<(last.map { $0 + 1 } ?? first)]
  }
}

/// The lines that follow each other, from the header on.
struct JournalChain {
  private(set) var header: JournalHeader?
  private(set) var lines: [Journal.Line] = []
  private(set) var end = JournalPosition(number: 0, sum: 0)
  /// The checksum of the first line; 0 if it is not known.
  private(set) var start: UInt32 = 0

  init() {}

  /// A chain that goes on behind a known line.
  init(_ header: JournalHeader, _ end: JournalPosition) {
    self.header = header
    self.end = end
  }

  mutating func begin(_ header: JournalHeader, _ sum: UInt32) {
    self.header = header
    start = sum
    end = JournalPosition(number: 0, sum: sum)
  }

  /// Why a line does not follow the last one, in words; nil if it does.
  func problem(_ line: Journal.Line, _ after: UInt32) -> String? {
    if header == nil { return "the first line of the journal is missing" }
    if line.number != end.number + 1 {
      return "the line has the number \(line.number), and \(end.number + 1) was expected"
    }
    return after == end.sum ? nil : "the line follows another line than the one before it"
  }

  mutating func append(_ line: Journal.Line, _ sum: UInt32) {
    lines.append(line)
    lines[lines.count - 1].sum = sum
    end = JournalPosition(number: line.number, sum: sum)
  }
}

extension JournalEnd {
  /// Whether lines up to here are not in the journal. Another program has put an older copy in its place, for example.
  func isMissing(in journal: Journal) -> Bool { self.journal == journal.start && number > journal.end.number }
}
