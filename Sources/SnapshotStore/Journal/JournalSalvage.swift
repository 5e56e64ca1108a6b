/// Reads what can be known to be right in a damaged journal.
///
/// A line counts if its own checksum is right, and if its number is above those of the lines before it. If no line is
/// missing before it, it must also name the checksum of the line before.
struct JournalSalvage {
  let lines: JournalLines
  private(set) var chain = JournalChain()
  private(set) var losses: [Journal.Loss] = []
  private(set) var tornBytes = 0
  /// The offset behind the last line that counts.
  private var end = 0

  init(_ lines: JournalLines, _ limits: ReadLimits) {
    self.lines = lines
    let verified = lines.verified(limits, threads: Parallel.defaultThreads)
    // The places of lines that do not count, since the last one that does.
    var lost: [Int] = []
    for (index, line) in verified.enumerated() {
      switch line {
      case .header(let header, let sum) where index == 0:
        chain.begin(header, sum)
        end = lines.end(of: index)
      case .line(let line, let after, let sum) where follows(line, after):
        note(lost, before: line, at: index)
        lost = []
        chain.append(line, sum)
        end = lines.end(of: index)
      default: lost.append(index)
      }
    }
    tornBytes = lines.source.bytes.count - end
    // A last line that is broken was not written to its end.
    if let last = lost.last, case .broken = verified[last], lines.isTorn(last) { lost.removeLast() }
    for index in lost { losses.append(loss(of: nil, at: index)) }
    if let last = lost.last { tornBytes = lines.source.bytes.count - lines.end(of: last) }
  }

  private func loss(of numbers: ClosedRange<Int>?, at index: Int) -> Journal.Loss {
    Journal.Loss(numbers: numbers, range: lines[index], fileLine: lines.number(of: index))
  }

  private func follows(_ line: Journal.Line, _ after: UInt32) -> Bool {
    // Without its header, a journal begins with any line.
    if chain.header == nil, chain.lines.isEmpty { return true }
    return line.number > chain.end.number && (line.number > chain.end.number + 1 || after == chain.end.sum)
  }

  /// Notes what was lost between the last line that counts and the next one.
  private mutating func note(_ lost: [Int], before line: Journal.Line, at index: Int) {
    let missing = line.number - chain.end.number - 1
    for (place, other) in lost.enumerated() {
      // As many lines as numbers: each is known.
      let number = lost.count == missing ? chain.end.number + 1 + place : nil
      losses.append(loss(of: number.map { $0...$0 }, at: other))
    }
    if missing > 0, lost.count != missing {
      let start = lines[index].lowerBound
      let numbers = chain.end.number + 1...line.number - 1
      losses.append(Journal.Loss(numbers: numbers, range: start..<start, fileLine: lines.number(of: index)))
    }
  }
}
