/// Merging of lists.
extension Array {
  /// Merges two lists that were made from one base, as ``MergeRule/elements(_:modified:)`` does. No list has equal
  /// elements.
  ///
  /// Base `[a, b, c]`, ours `[c, b, x]`, theirs `[a, y, c]`: the result is `[c, x, y]`.
  ///
  /// - If only one side changed the list, the result is that side's list, in its order.
  /// - If both changed it, the order is ours. Elements that theirs removed are removed. Elements that theirs added
  ///   follow, in the order of theirs.
  /// - Ties: two elements are equal if neither is ordered before the other. Of equal elements the result has the one of
  ///   ours, at its place. An element that one side removed and the other kept or moved is removed.
  ///
  /// Dates do not matter, because every added element is in the result. O(n log n) comparisons.
  ///
  /// - Parameters:
  ///   - base: the list that both were made from.
  ///   - ours: one list; the result has its order.
  ///   - theirs: the other list.
  ///   - isOrderedBefore: a strict weak order of the elements.
  public static func merging(
    base: [Element], ours: [Element], theirs: [Element], by isOrderedBefore: (Element, Element) -> Bool
  ) -> [Element] {
    func areSame(_ a: Element, _ b: Element) -> Bool { !isOrderedBefore(a, b) && !isOrderedBefore(b, a) }
    if theirs.elementsEqual(base, by: areSame) { return ours }
    if ours.elementsEqual(base, by: areSame) { return theirs }
    let (sortedBase, sortedOurs, sortedTheirs) = (
      base.sorted(by: isOrderedBefore), ours.sorted(by: isOrderedBefore), theirs.sorted(by: isOrderedBefore)
    )
    let kept = ours.filter {
      !sortedBase.hasSorted($0, by: isOrderedBefore) || sortedTheirs.hasSorted($0, by: isOrderedBefore)
    }
    let gained = theirs.filter {
      !sortedBase.hasSorted($0, by: isOrderedBefore) && !sortedOurs.hasSorted($0, by: isOrderedBefore)
    }
    return kept + gained
  }

  /// Whether this sorted list contains an element. O(log n).
  private func hasSorted(_ element: Element, by isOrderedBefore: (Element, Element) -> Bool) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isOrderedBefore(self[middle], element) { low = middle + 1 } else { high = middle }
    }
    return low < count && !isOrderedBefore(element, self[low])
  }
}

extension Array where Element: Comparable {
  /// Merges two lists without equal elements that were made from one base, such as the tags of a note.
  ///
  /// Elements are compared by `<`. So canonically equivalent texts are equal, and the result has the spelling of ours.
  /// See ``merging(base:ours:theirs:by:)`` for the order of the result. O(n log n) comparisons.
  public static func merging(base: [Element], ours: [Element], theirs: [Element]) -> [Element] {
    merging(base: base, ours: ours, theirs: theirs, by: <)
  }
}
