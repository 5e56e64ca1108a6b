import SnapshotStore

/// What the values at one place of all records have in common, and what is inside them.
///
/// A census of a file is taken in one pass. It is as large as the number of different places, not as the file.
struct ValueCensus {
  private(set) var facts = ColumnFacts()
  /// The number of values, null included.
  private(set) var count = 0
  private var nullCount = 0
  /// The values in all arrays: none or one census.
  private var elementCensus: [ValueCensus] = []
  /// The members of all dictionaries, by their keys.
  private(set) var members = MemberCensus()

  /// The most keys that become columns. A dictionary with more has a row for each member.
  static let mostColumns = 200

  /// The same without the values that are null.
  var withoutNull: ValueCensus {
    var census = self
    census.count -= nullCount
    census.nullCount = 0
    census.facts.removeNull()
    return census
  }

  /// The values in all arrays.
  var elements: ValueCensus { elementCensus.first ?? ValueCensus() }

  /// - Parameter levels: how many levels of arrays and dictionaries are looked into.
  mutating func note(_ value: UntypedValue, levels: Int) {
    count += 1
    facts.note(value)
    if value.isNull { nullCount += 1 }
    if levels == 0 { return }
    if let array = value.array {
      if elementCensus.isEmpty { elementCensus.append(ValueCensus()) }
      for element in array { elementCensus[0].note(element, levels: levels - 1) }
    } else if let record = value.record {
      members.note(record, levels: levels - 1)
    }
  }

  fileprivate mutating func merge(_ other: ValueCensus) {
    count += other.count
    nullCount += other.nullCount
    facts.merge(other.facts)
    if elementCensus.isEmpty {
      elementCensus = other.elementCensus
    } else if let elements = other.elementCensus.first {
      elementCensus[0].merge(elements)
    }
    members.merge(other.members)
  }
}

/// The members of dictionaries: each key with its values, or beyond a limit all values as one.
struct MemberCensus {
  private(set) var keys: [String] = []
  private(set) var censuses: [ValueCensus] = []
  private var places: [ExactText: Int] = [:]
  /// The values of all keys, if there are too many: none or one census.
  private var merged: [ValueCensus] = []
  /// Whether a key cannot be in a column that is part of a primary key.
  private(set) var hasOddKey = false

  /// The longest text in a primary key. PostgreSQL refuses one of more than 2,704 bytes.
  static let longestKey = 1_000

  /// The values of all keys, if there are too many for columns.
  var all: ValueCensus? { merged.first }

  mutating func note(_ record: UntypedRecord, levels: Int) {
    var guess = 0
    for (key, value) in record {
      if key.utf8.count > Self.longestKey || key.hasNUL { hasOddKey = true }
      if !merged.isEmpty {
        merged[0].note(value, levels: levels)
        continue
      }
      // Most records have the keys of the one before.
      let place = place(of: key, near: guess)
      guess = place + 1
      censuses[place].note(value, levels: levels)
    }
    mergeIfTooMany()
  }

  mutating func merge(_ other: MemberCensus) {
    hasOddKey = hasOddKey || other.hasOddKey
    if let all = other.all {
      mergeAll()
      merged[0].merge(all)
      return
    }
    for (key, census) in zip(other.keys, other.censuses) {
      if merged.isEmpty {
        censuses[place(of: key, near: 0)].merge(census)
      } else {
        merged[0].merge(census)
      }
    }
    mergeIfTooMany()
  }

  private mutating func place(of key: String, near guess: Int) -> Int {
    if guess < keys.count, ExactText(keys[guess]) == ExactText(key) { return guess }
    if let place = places[ExactText(key)] { return place }
    places[ExactText(key)] = keys.count
    keys.append(key)
    censuses.append(ValueCensus())
    return keys.count - 1
  }

  private mutating func mergeIfTooMany() {
    if merged.isEmpty, keys.count > ValueCensus.mostColumns { mergeAll() }
  }

  private mutating func mergeAll() {
    guard merged.isEmpty else { return }
    var all = ValueCensus()
    for census in censuses { all.merge(census) }
    self = MemberCensus(hasOddKey: hasOddKey, all)
  }

  init() {}

  private init(hasOddKey: Bool, _ all: ValueCensus) {
    self.hasOddKey = hasOddKey
    merged = [all]
  }
}
