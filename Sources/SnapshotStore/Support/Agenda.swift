/// Entries that are due in an order, each under a number of its own, until it is due or removed.
///
/// A value, so that the owner guards it with the lock that it has. Entries of equal order are due as they were added.
///
/// Costs: the first order O(1); adding, removing and taking an entry O(log n), on average over many calls.
struct Agenda<Order: Comparable & Sendable, Entry: Sendable>: Sendable {
  /// A place in the heap. It is out of date if its entry was removed or moved.
  private struct Place: Comparable, Sendable {
    let order: Order
    let id: Int

    static func < (a: Place, b: Place) -> Bool { a.order == b.order ? a.id < b.id : a.order < b.order }
  }

  /// A binary heap. Its first place is never out of date, and at most half of the others are.
  private var heap: [Place] = []
  private var entries: [Int: (order: Order, entry: Entry)] = [:]
  private var lastID = 0

  var count: Int { entries.count }

  /// The least order of all entries; nil if there is none.
  var first: Order? { heap.first?.order }

  /// Adds an entry.
  ///
  /// - Returns: what `remove` takes.
  @discardableResult
  mutating func add(_ entry: Entry, at order: Order) -> Int {
    lastID += 1
    entries[lastID] = (order, entry)
    push(Place(order: order, id: lastID))
    return lastID
  }

  /// Removes an entry, unless it was taken. The caller frees it outside its lock.
  mutating func remove(_ id: Int) -> Entry? {
    guard let removed = entries.removeValue(forKey: id) else { return nil }
    tidy()
    return removed.entry
  }

  /// Removes the first entry, if its order is at most a given one.
  mutating func takeFirst(through order: Order) -> Entry? {
    guard let place = heap.first, place.order <= order else { return nil }
    return remove(place.id)
  }

  /// Removes all entries whose order is at most a given one.
  mutating func takeAll(through order: Order) -> [Entry] {
    var taken: [Entry] = []
    while let entry = takeFirst(through: order) { taken.append(entry) }
    return taken
  }

  /// Gives the first entry a later order, if its order is at most a given one.
  ///
  /// - Returns: the entry and its number, which stays the same.
  mutating func postponeFirst(through order: Order, to later: Order) -> (id: Int, entry: Entry)? {
    guard let place = heap.first, place.order <= order, let entry = entries[place.id]?.entry else { return nil }
    entries[place.id]?.order = later
    push(Place(order: later, id: place.id))
    tidy()
    return (place.id, entry)
  }

  /// Removes all entries.
  mutating func removeAll() -> [Entry] {
    defer { (heap, entries) = ([], [:]) }
    return entries.values.map(\.entry)
  }

  // MARK: The heap

  private func isCurrent(_ place: Place) -> Bool { entries[place.id]?.order == place.order }

  /// Removes places that are out of date.
  private mutating func tidy() {
    while let first = heap.first, !isCurrent(first) { popFirst() }
    // The memory of a peak is given back.
    if entries.isEmpty, entries.capacity > 1_000 { (heap, entries) = ([], [:]) }
    guard heap.count > 2 * entries.count + 16 else { return }
    // A sorted array is a heap.
    heap = entries.map { Place(order: $0.value.order, id: $0.key) }.sorted()
  }

  private mutating func push(_ place: Place) {
    heap.append(place)
    var index = heap.count - 1
    while index > 0, heap[index] < heap[(index - 1) / 2] {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func popFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var index = 0
    while true {
      let children = (2 * index + 1)..<min(2 * index + 3, max(heap.count, 2 * index + 1))
      guard let least = children.min(by: { heap[$0] < heap[$1] }), heap[least] < heap[index] else { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
