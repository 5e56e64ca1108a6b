extension Array {
  /// Sorts the elements and keeps the order of those of which neither is before the other. O(n log n), O(n) if they are in
  /// order already.
  ///
  /// Merging takes from either side without a branch, which a processor could only guess: for the small plain entries
  /// of indexes that is several times as fast as `sort` (decision 0013).
  @inlinable
  mutating func sortStably(by isBefore: (Element, Element) -> Bool) {
    let count = count
    let isSorted = indices.dropFirst().allSatisfy { !isBefore(self[$0], self[$0 - 1]) }
    if isSorted { return }
    let scratch = UnsafeMutablePointer<Element>.allocate(capacity: count)
    defer { scratch.deallocate() }
    withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      var width = 8
      for low in stride(from: 0, to: count, by: width) {
        Self.sortByInsertion(start + low, Swift.min(width, count - low), isBefore)
      }
      var (from, to) = (start, scratch)
      while width < count {
        for low in stride(from: 0, to: count, by: 2 * width) {
          let middle = Swift.min(low + width, count)
          Self.merge(from, low, middle, Swift.min(middle + width, count), into: to, isBefore)
        }
        swap(&from, &to)
        width *= 2
      }
      if from == scratch { start.moveInitialize(from: scratch, count: count) }
    }
  }

  @inlinable
  static func sortByInsertion(
    _ start: UnsafeMutablePointer<Element>, _ count: Int, _ isBefore: (Element, Element) -> Bool
  ) {
    for next in 1..<Swift.max(1, count) {
      var hole = next
      let element = (start + next).move()
      while hole > 0, isBefore(element, start[hole - 1]) {
        (start + hole).moveInitialize(from: start + hole - 1, count: 1)
        hole -= 1
      }
      (start + hole).initialize(to: element)
    }
  }

  /// Moves two sorted neighbours into uninitialized memory, as one.
  @inlinable
  static func merge(
    _ from: UnsafeMutablePointer<Element>, _ low: Int, _ middle: Int, _ high: Int,
    into to: UnsafeMutablePointer<Element>, _ isBefore: (Element, Element) -> Bool
  ) {
    var (left, right, end) = (low, middle, low)
    while left < middle, right < high {
      let takesRight = isBefore(from[right], from[left])
      (to + end).moveInitialize(from: from + (takesRight ? right : left), count: 1)
      right += takesRight ? 1 : 0
      left += takesRight ? 0 : 1
      end += 1
    }
    (to + end).moveInitialize(from: from + left, count: middle - left)
    (to + end + middle - left).moveInitialize(from: from + right, count: high - right)
  }
}
