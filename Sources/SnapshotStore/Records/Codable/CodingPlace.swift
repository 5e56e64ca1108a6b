/// Where in a record a value is: under a key of something that is itself somewhere. The path is made only when an error
/// needs it.
struct CodingPlace {
  private let parent: (any CodingParent)?
  private let key: (any CodingKey)?

  /// The record itself.
  static var record: CodingPlace { CodingPlace(parent: nil, key: nil) }

  /// Under a key of a value.
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

  /// The record in which the value is; nil for the record itself.
  var record: (any CodingParent)? {
    guard var record = parent else { return nil }
    while let next = record.place.parent { record = next }
    return record
  }
}

/// A value under whose keys others are.
protocol CodingParent: AnyObject {
  var place: CodingPlace { get }
}
