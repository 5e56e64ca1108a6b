/// The number of elements in a range.
extension SortedTree {
  /// The number of keys in the range that two tests describe. Counts a leaf that is entirely inside in one step: O(log
  /// n + count / 32).
  @inlinable
  package func count(isBelow: (Key) -> Bool, isAbove: (Key) -> Bool) -> Int {
    var cursor = Cursor(self, firstWhereNot: isBelow)
    var result = 0
    while true {
      let leaf = cursor.leaf.contents
      // Past the last leaf the position stays behind its end.
      guard cursor.index < leaf.count else { return result }
      let end = leaf.firstIndex(where: isAbove)
      result += Swift.max(0, end - cursor.index)
      guard end == leaf.count else { return result }
      cursor.index = end
      cursor.enterNextLeaf()
    }
  }
}
