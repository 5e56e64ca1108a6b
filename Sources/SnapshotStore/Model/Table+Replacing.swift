/// Many changes at once, as a journal has them: one after the other, some of the same records.
extension Table {
  /// The changes that decide, if several change one record: of each id the last.
  @usableFromInline
  struct LatestChanges {
    /// The indices of the boxes that are put in, ascending by their ids.
    @usableFromInline var put: [Int] = []
    /// The ids of the records that are removed, ascending.
    @usableFromInline var removed: [ID] = []
    /// The indices of boxes with the same id, each with the next one.
    @usableFromInline var repeated: [(Int, Int)] = []

    @inlinable init() {}
  }

  /// The changes that decide. O(n log n); O(n) if nothing is removed and the ids ascend.
  ///
  /// - Parameters:
  ///   - boxes: the boxes that are put in, in their order.
  ///   - removed: the ids that are removed, in their order, each with the number of boxes before it.
  @inlinable
  static func latestChanges(_ boxes: [Box], removed: [(id: ID, place: Int)]) -> LatestChanges {
    var latest = LatestChanges()
    var isSorted = removed.isEmpty
    for index in boxes.indices.dropFirst() where isSorted {
      isSorted = boxes[index - 1].record.id < boxes[index].record.id
    }
    if isSorted {
      latest.put = Array(boxes.indices)
      return latest
    }
    // Boxes have odd places, and removed ids the even ones before them.
    var changes: [(id: ID, place: Int)] = []
    changes.reserveCapacity(boxes.count + removed.count)
    for (index, box) in boxes.enumerated() { changes.append((box.record.id, 2 * index + 1)) }
    for (id, place) in removed { changes.append((id, 2 * place)) }
    changes.sort { $0.id < $1.id || !($1.id < $0.id) && $0.place < $1.place }
    for (index, change) in changes.enumerated() {
      let isPut = change.place % 2 == 1
      if index + 1 < changes.count, changes[index + 1].id == change.id {
        let next = changes[index + 1].place
        if isPut, next % 2 == 1 { latest.repeated.append((change.place / 2, next / 2)) }
      } else if isPut {
        latest.put.append(change.place / 2)
      } else {
        latest.removed.append(change.id)
      }
    }
    return latest
  }

  /// Removes records and puts others in. Both have ascending ids. Each index is updated twice at most, and one that was
  /// not needed yet stays deferred. Unique indexes are checked for the result only. If a record is refused, nothing is
  /// changed. O(k log n) for k changes, and O(n) if an index stays deferred.
  ///
  /// - Parameter threads: the most threads that update the indexes.
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken`.
  @inlinable
  mutating func replace(_ boxes: [Box], removing ids: [ID], threads: Int) throws(SnapshotError) {
    if isEmpty {
      self = try Table(sortedBoxes: boxes, threads: threads)
      return
    }
    let unbuilt = unbuiltIndexes
    if !unbuilt.isEmpty, boxes.count + ids.count > count / 16 {
      self = try Table(ascendingBoxes: merged(boxes, removing: ids), threads: threads, defersIndexes: true)
      return
    }
    var copy = self
    var changes: [(old: RecordBox<Value>?, new: RecordBox<Value>?)] = []
    changes.reserveCapacity(Swift.max(ids.count, boxes.count))
    for id in ids {
      if let old = copy.tree.removeValue(forKey: id) { changes.append((old, nil)) }
    }
    copy.updateIndexes(changes, threads: threads, except: unbuilt)
    changes.removeAll(keepingCapacity: true)
    for box in boxes { changes.append((copy.tree.updateValue(box, forKey: box.record.id), box)) }
    copy.updateIndexes(changes, threads: threads, except: unbuilt)
    if !unbuilt.isEmpty { copy.deferIndexes(of: copy.boxes, where: unbuilt.contains) }
    try copy.requireUnique(boxes)
    self = copy
  }

  /// The boxes of all records, without some and with others in their places. Both have ascending ids. O(n + k).
  @inlinable
  func merged(_ boxes: [Box], removing ids: [ID]) -> [Box] {
    var all: [RecordBox<Value>] = []
    all.reserveCapacity(count + boxes.count)
    var (next, doomed) = (0, 0)
    forEachLeaf { _, leaf in
      leaf.fetchObjects(size: RecordBox<Value>.size)
      for old in leaf {
        let id = old.record.id
        while next < boxes.count, boxes[next].record.id < id {
          all.append(boxes[next])
          next += 1
        }
        while doomed < ids.count, ids[doomed] < id { doomed += 1 }
        let isReplaced = next < boxes.count && boxes[next].record.id == id
        let isRemoved = doomed < ids.count && ids[doomed] == id
        if !isReplaced, !isRemoved { all.append(old) }
      }
    }
    all += boxes[next...]
    return all
  }

  /// Updates each index once but some, on several threads if there are many changes.
  @usableFromInline
  mutating func updateIndexes(
    _ changes: [(old: RecordBox<Value>?, new: RecordBox<Value>?)], threads: Int, except excluded: Set<Int>
  ) {
    if changes.isEmpty { return }
    let old = indexes
    indexes = []
    indexes = Parallel.map(old.count, threads: changes.count < 256 ? 1 : threads) { position in
      var single = [old[position]]
      if !excluded.contains(position) { single[0].maintainer.updateMany(&single, 0, changes) }
      return single[0]
    }
  }
}

/// Access to records without copies, for file writers and for work on all records.
extension Table {
  /// Calls `body` with the records of every leaf of the table's tree, in order; see `SortedTree.forEachLeaf`.
  @inlinable
  package func forEachLeaf<E: Error>(
    _ body: (_ leaf: AnyObject, _ boxes: UnsafeBufferPointer<Box>) throws(E) -> Void
  ) throws(E) {
    try tree.forEachLeaf(body)
  }

  /// The box of the record with an id. The record is not copied. O(log n).
  ///
  /// As long as the record is not changed, its box is the same object in every version of the table.
  @inlinable
  public func box(_ id: ID) -> Box? { tree[id] }

  /// The boxes of the records with some ids, in the order given; nil for an id without a record. O(log n) for each.
  ///
  /// The processor fetches 64 records at a time from the memory. So records in no order of the ids, such as a page of a
  /// list by date, are found faster than one by one.
  @inlinable
  public func boxes(_ ids: [ID]) -> [Box?] {
    var boxes: [RecordBox<Value>?] = []
    boxes.reserveCapacity(ids.count)
    // Without counting references, because a count waits for its record.
    var found: [Unmanaged<RecordBox<Value>>?] = []
    var present: [Unmanaged<RecordBox<Value>>] = []
    for start in stride(from: 0, to: ids.count, by: 64) {
      tree.withPositions(of: ids[start..<Swift.min(start + 64, ids.count)]) { place in
        let box = place.map { Unmanaged<RecordBox<Value>>.passUnretained($0.pointee) }
        found.append(box)
        if let box { present.append(box) }
      }
      present.withUnsafeBufferPointer { present in
        present.withMemoryRebound(to: RecordBox<Value>.self) { $0.fetchObjects(size: RecordBox<Value>.size) }
      }
      for box in found { boxes.append(box?.takeUnretainedValue()) }
      found.removeAll(keepingCapacity: true)
      present.removeAll(keepingCapacity: true)
    }
    return boxes
  }

  /// The boxes of all records, in ascending order of their ids. O(n).
  @inlinable
  public var boxes: [Box] {
    var boxes: [RecordBox<Value>] = []
    boxes.reserveCapacity(count)
    forEachLeaf { _, leaf in boxes.append(contentsOf: leaf) }
    return boxes
  }

  /// The records that pass a test, in ascending order of their ids. Other records are not copied. O(n).
  @inlinable
  public func filter(_ isIncluded: (Value) throws -> Bool) rethrows -> [Value] {
    var leaves: [UnsafeBufferPointer<RecordBox<Value>>] = []
    forEachLeaf { _, boxes in leaves.append(boxes) }
    var result: [Value] = []
    try withExtendedLifetime(self) {
      for boxes in leaves {
        for box in boxes where try isIncluded(box.record) { result.append(box.record) }
      }
    }
    return result
  }
}
