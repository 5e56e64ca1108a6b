/// Finds the steps from one list to the next.
extension LiveList.Batch {
  /// Converts changes of rows to indexes in the old and the new list.
  mutating func fill(with changes: [RowChange<Value>]) {
    var changes = changes
    for index in changes.indices {
      changes[index].oldIndex = changes[index].old.flatMap { Self.visibleIndex(of: $0, in: before) }
      changes[index].newIndex = changes[index].new.flatMap { Self.visibleIndex(of: $0, in: after) }
    }
    // Closures, because a key path into a generic type is made anew at each use. That took a third of a delivery.
    let olds = changes.compactMap { $0.oldIndex }.sorted()
    let news = changes.compactMap { $0.newIndex }.sorted()
    fillWithPushed(olds: olds, news: news)
    fillWithStaying(changes, olds: olds, news: news)
    for change in changes {
      switch (change.oldIndex, change.newIndex) {
      case (let old?, nil): deletes.append(old)
      case (nil, let new?): inserts.append(new)
      default: break
      }
    }
    deletes.sort()
    inserts.sort()
    fillSections()
  }

  private static func visibleIndex(of box: RecordBox<Value>, in list: LiveList<Value, Section>) -> Int? {
    let rank = list.rows.rank(of: list.row(box))
    return rank < list.count ? rank : nil
  }

  /// Adds rows that did not change but left or entered a list at its end, because of its limit.
  private mutating func fillWithPushed(olds: [Int], news: [Int]) {
    let pulled = (after.count - news.count) - (before.count - olds.count)
    if pulled < 0 { deletes = Self.lastUnchanged(-pulled, of: before.count, changed: olds) }
    if pulled > 0 { inserts = Self.lastUnchanged(pulled, of: after.count, changed: news) }
  }

  /// The last indexes below `count` that are not among the changed ones. The changed ones ascend.
  private static func lastUnchanged(_ number: Int, of count: Int, changed: [Int]) -> [Int] {
    var result: [Int] = []
    var changed = changed[...]
    for index in (0..<count).reversed() {
      if result.count == number { break }
      if changed.last == index { changed.removeLast() } else { result.append(index) }
    }
    return result
  }

  /// Divides the changed rows that stay in the list into moves and updates.
  ///
  /// A row can stay in place if the number of unchanged rows before it did not change. Of the rows that can, those in a
  /// longest run with unchanged order stay.
  private mutating func fillWithStaying(_ changes: [RowChange<Value>], olds: [Int], news: [Int]) {
    var candidates: [(change: RowChange<Value>, places: IndexPair)] = []
    for change in changes {
      guard let old = change.oldIndex, let new = change.newIndex else { continue }
      let places = IndexPair(old: old, new: new)
      if after.isOtherSection(change) || old - olds.rank(of: old) != new - news.rank(of: new) {
        moves.append(places)
      } else {
        candidates.append((change, places))
      }
    }
    candidates.sort { $0.places.old < $1.places.old }
    let staying = candidates.map { $0.places.new }.longestIncreasing()
    for (candidate, stays) in zip(candidates, staying) {
      if !stays {
        moves.append(candidate.places)
      } else if candidate.change.changesContent {
        updates.append(candidate.places)
      }
    }
    moves.sort { $0.new < $1.new }
    updates.sort { $0.new < $1.new }
  }

  private mutating func fillSections() {
    if before.slice.limit == .max {
      after.sizes.forEachDifference(from: before.sizes, areSame: { _, _ in true }) { key, old, new in
        if old == nil { sectionInserts.append(after.sizes.rank(of: key)) }
        if new == nil { sectionDeletes.append(before.sizes.rank(of: key)) }
      }
    } else {
      // Only counting shows which sections are within the limit.
      let (olds, news) = (before.sectionKeys, after.sectionKeys)
      sectionDeletes = olds.indices.filter { !news.containsSorted(olds[$0]) }
      sectionInserts = news.indices.filter { !olds.containsSorted(news[$0]) }
    }
  }
}

extension Array where Element: Comparable {
  /// The number of elements of an ascending array that are less than `element`. O(log n).
  func rank(of element: Element) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func containsSorted(_ element: Element) -> Bool {
    let rank = rank(of: element)
    return rank < count && self[rank] == element
  }

  /// Marks the elements of a longest strictly ascending run. They need not be adjacent. O(n log n).
  func longestIncreasing() -> [Bool] {
    // The smallest last element for each length of run, its index, and the predecessor of each element.
    var lasts: [Element] = []
    var places: [Int] = []
    var previous: [Int?] = []
    for (place, element) in enumerated() {
      let length = lasts.rank(of: element)
      previous.append(length > 0 ? places[length - 1] : nil)
      if length == lasts.count {
        lasts.append(element)
        places.append(place)
      } else {
        lasts[length] = element
        places[length] = place
      }
    }
    var result = Array<Bool>(repeating: false, count: count)
    var next = places.last
    while let place = next {
      result[place] = true
      next = previous[place]
    }
    return result
  }
}
