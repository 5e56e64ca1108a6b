/// A quick test whether a transaction changed anything that is saved. Tables are compared by identity first, single
/// values by their written form.
extension Schema where Root: Model {
  /// The difference of two values, one of which was made from the other. Usually O(number of fields + log n), and
  /// O(k · log n) if k records were put in again as they were.
  @usableFromInline
  func difference(_ a: UnsafePointer<Root>, _ b: UnsafePointer<Root>) -> ValueDifference {
    if haveSameBytes(a, b, count: MemoryLayout<Root>.size) { return .none }
    if hasSameTables(a, b) { return .besidesTables }
    return !showsChangedRecord(a, b) && hasSameRecords(a, b) ? .besidesTables : .inTables
  }

  /// Whether the first record that is another object is not equal. It is found without the types and key paths of
  /// tables, in a small part of the time of a transaction. False proves nothing.
  private func showsChangedRecord(_ a: UnsafePointer<Root>, _ b: UnsafePointer<Root>) -> Bool {
    guard let tableReferences else { return false }
    for reference in tableReferences {
      let (one, other) = reference.load(a, b)
      if one == other { continue }
      if NodeHeader.haveOtherSizes(one, other) { return true }
      if let pair = NodeHeader.firstOtherObjects(one, other), !reference.haveEqualRecords(pair.0, pair.1) {
        return true
      }
    }
    return false
  }

  /// Whether all records are equal and are written the same, and all single values are written the same.
  private func hasSameRecords(_ a: UnsafePointer<Root>, _ b: UnsafePointer<Root>) -> Bool {
    var comparison = RecordComparison(a: a, b: b)
    do {
      try visitDifferent(a, b, &comparison)
      return true
    } catch {
      return false
    }
  }

  /// Whether all tables are identical in memory, and all single values are written the same. O(number of fields).
  func hasSameTables(_ a: UnsafePointer<Root>, _ b: UnsafePointer<Root>) -> Bool {
    if let tableReferences {
      let areSame = tableReferences.allSatisfy { reference in
        let (one, other) = reference.load(a, b)
        return one == other
      }
      if !areSame || !hasValues { return areSame }
    }
    var comparison = FieldComparison(a: a, b: b)
    visitDifferent(a, b, &comparison)
    return comparison.areSame
  }
}

extension TableReference {
  /// The references of two values.
  fileprivate func load(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> (UnsafeRawPointer, UnsafeRawPointer) {
    (
      a.load(fromByteOffset: offset, as: UnsafeRawPointer.self),
      b.load(fromByteOffset: offset, as: UnsafeRawPointer.self)
    )
  }
}

/// The difference of two values of a model.
@usableFromInline
enum ValueDifference {
  /// None: they are the same bits.
  case none
  /// At most in stored properties that the schema does not name, and in the identity of equal records.
  case besidesTables
  /// In at least one table or single value.
  case inTables
}

extension Model {
  /// Whether all tables are identical in memory, and all single values are written the same. O(number of fields).
  func hasSameTables(as other: Self) -> Bool {
    withUnsafePointer(to: self) { one in withUnsafePointer(to: other) { Self.schema.hasSameTables(one, $0) } }
  }
}

private struct FieldComparison<Root: Model>: FieldVisitor {
  let a: UnsafePointer<Root>
  let b: UnsafePointer<Root>
  var areSame = true

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    areSame = areSame && a.pointee[keyPath: table].isIdentical(to: b.pointee[keyPath: table])
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {
    areSame = areSame && SingleValueCoding.areStoredAlike(a.pointee[keyPath: value], b.pointee[keyPath: value])
  }
}

private struct RecordComparison<Root: Model>: FieldVisitor {
  let a: UnsafePointer<Root>
  let b: UnsafePointer<Root>

  func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) throws(DifferenceFound) {
    guard a.pointee[keyPath: table].hasSameRecords(as: b.pointee[keyPath: table]) else { throw DifferenceFound() }
  }

  func visit<Value>(_ name: String, value: ValuePath<Root, Value>) throws(DifferenceFound) {
    guard SingleValueCoding.areStoredAlike(a.pointee[keyPath: value], b.pointee[keyPath: value]) else {
      throw DifferenceFound()
    }
  }
}
