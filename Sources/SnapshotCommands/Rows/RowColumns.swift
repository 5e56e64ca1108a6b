import SnapshotStore

/// The columns of a table of records, and their values in each record.
///
/// A record may have very many keys. Its keys are visited once for all columns, and not once for each column.
struct RowColumns {
  let paths: [PropertyPath]
  /// The places of the columns that are a single key.
  private var places: [ExactText: [Int]] = [:]
  /// The places of the columns that lead further.
  private var longPaths: [Int] = []
  /// The keys of the last record, with the places of their columns.
  private var last: [(key: ExactText, places: [Int])] = []

  init(_ paths: [PropertyPath]) {
    self.paths = paths
    for (place, path) in paths.enumerated() {
      if path.steps.count == 1, case .key(let key) = path.steps[0] {
        places[key, default: []].append(place)
      } else {
        longPaths.append(place)
      }
    }
  }

  /// The values of the columns in a record; nil where there is none. O(keys + columns) for columns of a single key.
  mutating func values(in record: UntypedValue) -> [UntypedValue?] {
    var values = [UntypedValue?](repeating: nil, count: paths.count)
    for place in longPaths { values[place] = paths[place].value(in: record) }
    guard !places.isEmpty, let members = record.record else { return values }
    var index = 0
    for (text, value) in members {
      let key = ExactText(text)
      // Most records have the keys of the one before.
      if index >= last.count {
        last.append((key, places[key] ?? []))
      } else if last[index].key != key {
        last[index] = (key, places[key] ?? [])
      }
      for place in last[index].places { values[place] = value }
      index += 1
    }
    return values
  }
}
