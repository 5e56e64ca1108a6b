import Synchronization

/// Reading the records of a table in parts, on several threads.
extension TableReader {
  /// Reads as many parts as possible and moves behind them. One reader has to read the rest, and reports errors.
  ///
  /// - Parameter read: reads all records of a part. A part for which it throws is not used, nor are those behind it. It
  ///   is called on several threads at once.
  /// - Returns: the results of the parts, in the order of the file. Empty if the table is not worth the threads.
  mutating func readParts<Content>(threads: Int, _ read: (inout Self) throws -> Content) -> [Content] {
    guard threads > 1, let first = firstPart else { return [] }
    func content(of part: Self) -> (content: Content, end: Self)? {
      var reader = part
      return (try? read(&reader)).map { ($0, reader) }
    }
    // It may be the whole table, so it is read alone.
    guard let first = content(of: first) else { return [] }
    move(to: first.end)
    let parts = parts()
    // Parts behind one that failed, or that does not end at the next one, are not used.
    let last = Atomic(parts.count)
    let results = Parallel.map(parts.count, threads: threads) { index -> (content: Content, end: Self)? in
      guard index <= last.load(ordering: .relaxed) else { return nil }
      let part = content(of: parts[index])
      let goesOn = index + 1 < parts.count && part?.end.ends(at: parts[index + 1]) == true
      if !goesOn { last.min(index, ordering: .relaxed) }
      return part
    }
    var contents = [first.content]
    contents.reserveCapacity(parts.count + 1)
    for (index, part) in results.enumerated() {
      guard let part else { break }
      contents.append(part.content)
      move(to: part.end)
      guard index + 1 < parts.count, part.end.ends(at: parts[index + 1]) else { break }
    }
    return contents
  }
}
