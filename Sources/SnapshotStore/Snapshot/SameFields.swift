/// A quick test whether a transaction changed anything that is saved. Tables are compared by identity, single values by
/// their written form.
extension Schema where Root: Model {
  /// The difference of two values, as far as it shows without a look into their tables. O(number of fields).
  @usableFromInline
  func difference(_ a: UnsafePointer<Root>, _ b: UnsafePointer<Root>) -> ValueDifference {
    if haveSameBytes(a, b, count: MemoryLayout<Root>.size) { return .none }
    return hasSameTables(a, b) ? .besidesTables : .inTables
  }

  /// Whether all tables are identical in memory, and all single values are written the same. O(number of fields).
  func hasSameTables(_ a: UnsafePointer<Root>, _ b: UnsafePointer<Root>) -> Bool {
    if let identityOffsets {
      let (first, second) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
      let areSame = identityOffsets.allSatisfy {
        first.load(fromByteOffset: $0, as: UInt.self) == second.load(fromByteOffset: $0, as: UInt.self)
      }
      if !areSame || !hasValues { return areSame }
    }
    var comparison = FieldComparison(a: a, b: b)
    visitDifferent(a, b, &comparison)
    return comparison.areSame
  }
}

/// The difference of two values of a model.
@usableFromInline
enum ValueDifference {
  /// None: they are the same bits.
  case none
  /// At most in stored properties that the schema does not name.
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
