/// Merging of lists.
extension Array {
  /// The merge of two lists without equal elements that were made from one, as ``MergeRule/elements(_:modified:)`` merges them.
  ///
  /// Base `[a, b, c]`, ours `[c, b, x]`, theirs `[a, y, c]`: the result is `[c, x, y]`.
  ///
  /// - If only one side changed the list, the result is that side's list, in its order.
  /// - If both changed it, the order is ours. Elements that theirs removed are removed. Elements that theirs added follow, in
  ///   the order of theirs.
  /// - Ties: two elements are equal if neither is ordered before the other. Of equal elements the result has the one of ours,
  ///   at its place. An element that one side removed and the other kept or moved is removed.
  ///
  /// No date decides, because no element is lost that one side added. O(n log n) comparisons.
  ///
  /// - Parameter isOrderedBefore: a strict weak order of the elements.
  public static func merging(
    base: [Element], ours: [Element], theirs: [Element], by isOrderedBefore: (Element, Element) -> Bool
  ) -> [Element] {
    func areSame(_ a: Element, _ b: Element) -> Bool { !isOrderedBefore(a, b) && !isOrderedBefore(b, a) }
    if ours.elementsEqual(base, by: areSame) { return theirs }
    if theirs.elementsEqual(base, by: areSame) { return ours }
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

  /// Whether this sorted list has an element. O(log n).
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
  /// The merge of two lists without equal elements that were made from one, such as the tags of a note.
  ///
  /// Elements are compared by `<`; texts that are canonically equivalent are equal then, and the spelling of ours stays. See
  /// ``merging(base:ours:theirs:by:)`` for the order of the result. O(n log n) comparisons.
  public static func merging(base: [Element], ours: [Element], theirs: [Element]) -> [Element] {
    merging(base: base, ours: ours, theirs: theirs, by: <)
  }
}
