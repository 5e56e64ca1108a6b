/// The place of a value in a record: a key under a parent. The path is made only when an error needs it.
struct CodingPlace {
  private let parent: (any CodingParent)?
  private let key: (any CodingKey)?

  /// The place of the record itself.
  static var record: CodingPlace { CodingPlace(parent: nil, key: nil) }

  /// The place under a key of a parent.
  init(under parent: any CodingParent, _ key: any CodingKey) {
    self.parent = parent
    self.key = key
  }

  private init(parent: (any CodingParent)?, key: (any CodingKey)?) {
    self.parent = parent
    self.key = key
  }

  /// The keys from the record down to the value.
  var path: [any CodingKey] {
    var keys: [any CodingKey] = []
    var place = self
    while let key = place.key {
      keys.append(key)
      guard let parent = place.parent else { break }
      place = parent.place
    }
    return keys.reversed()
  }

  /// The record that contains the value; nil for the record itself.
  var record: (any CodingParent)? {
    guard var record = parent else { return nil }
    while let next = record.place.parent { record = next }
    return record
  }
}

/// A value that has other values under its keys.
protocol CodingParent: AnyObject {
  var place: CodingPlace { get }
}
