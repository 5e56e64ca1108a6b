public import SnapshotFoundation

/// Parts of a value that another copy needs.
extension Model {
  /// The value with the records that may have changed since a date, and with all single values. O(n).
  ///
  /// A record is left out if the date of its last change is known, and all its dates of change are earlier. A whole
  /// second counts as its end, because other programs may have removed the fraction. ``MergeRule`` `modified` names the
  /// date of the last change. A record without it counts as changed, and so does one with a number in its place. A
  /// ``Tombstone`` counts by the date of the removal. Single values have no dates.
  ///
  /// Records are chosen one by one. A record to which they refer is left out if it has not changed. A merged or
  /// imported record has the dates that it came with. If they are earlier than the given date, it is left out, however
  /// late it arrived. ``missing(from:)`` is safer.
  public func changed(since date: Date) -> Self { part(.changed(since: date)) }

  /// The value with the records and single values that differ from an earlier value. Other single values are as in the
  /// empty model. O(changes · log n) if this value was made from the earlier one.
  ///
  /// Records are compared as they are written. A removed record is not in the result, but its ``Tombstone`` is. A
  /// record to which they refer is not in the result, if it has not changed.
  ///
  /// A single value that was set back to that of the empty model looks unchanged in the result. A merge of the result
  /// does not set it back elsewhere. Keep such a value in a record, or send it in another way.
  public func changed(since earlier: Self) -> Self { part(.different(from: earlier)) }

  /// The value with the records and single values that another copy lacks, or has with other content. O(n).
  ///
  /// A record to which they refer is not in the result, if the other copy has the same. A single value of the empty
  /// model looks as if both had the same. Properties of the model that the schema does not name stay as they are.
  public func missing(from other: Self) -> Self { part(.different(from: other)) }

  private func part(_ choice: PartialValue<Self>.Choice) -> Self {
    var part = PartialValue(choice: choice, value: self)
    Self.schema.visit(&part)
    return part.value
  }
}

/// A value that keeps some of its records only.
private struct PartialValue<Root: Model>: FieldVisitor {
  enum Choice {
    case changed(since: Date)
    case different(from: Root)
  }

  let choice: Choice
  var value: Root
  private let empty = Root()

  init(choice: Choice, value: Root) {
    self.choice = choice
    self.value = value
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    var part = Table<Value>()
    // They come from one table, so no two have the same key.
    try? part.put(boxes(at: path))
    value[keyPath: path] = part
  }

  private func boxes<Value>(at path: TablePath<Root, Value>) -> [Table<Value>.Box] {
    let table = value[keyPath: path]
    switch choice {
    case .different(let other): return table.storedChanges(from: other[keyPath: path]).compactMap(\.after)
    case .changed(let date):
      let (boxes, dates) = (Array(table.boxes), ChangeDates<Value>())
      let parts = Parallel.map(over: boxes.count, atLeast: 256, threads: Parallel.defaultThreads) { range in
        boxes[range].filter { dates.mayHaveChanged($0.record, since: date) }
      }
      return parts.flatMap { $0 }
    }
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    guard case .different(let other) = choice else { return }
    if SingleValueCoding.areStoredAlike(value[keyPath: path], other[keyPath: path]) {
      value[keyPath: path] = empty[keyPath: path]
    }
  }
}
