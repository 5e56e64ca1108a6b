/// Notes that an import has added or changed, until all of them are known.
///
/// They are put in all at once, in order, which takes a fraction of the time that many batches at random places of a large table take.
/// They are the notebook's own boxes, so that nothing is held twice.
struct PendingNotes {
  private var boxes: [RecordBox<Note>] = []
  /// Where the box of an id is.
  private var places: [Note.ID: Int] = [:]

  /// Makes room for so many.
  mutating func reserve(_ count: Int) {
    boxes.reserveCapacity(count)
    places.reserveCapacity(count)
  }

  func contains(_ id: Note.ID) -> Bool { places[id] != nil }

  subscript(id: Note.ID) -> Note? { places[id].map { boxes[$0].record } }

  /// Adds a note, or replaces the one with its id.
  mutating func put(_ box: RecordBox<Note>) {
    if let place = places.updateValue(boxes.count, forKey: box.record.id) {
      places[box.record.id] = place
      boxes[place] = box
    } else {
      boxes.append(box)
    }
  }

  /// The boxes in ascending order of their ids. O(n).
  var sorted: [RecordBox<Note>] {
    var order = places.map { (id: $0.key, place: $0.value) }
    RadixSort.sort(&order) { SortRank($0.id) }
    return order.map { boxes[$0.place] }
  }
}
