/// Whether two values of a type that need not be `Equatable` have the same stored properties. It answers no where it cannot tell.
///
/// Bytes alone do not show it: what lies between properties, and the payload of an empty optional, may be anything. `==` alone does not show
/// it either, since it may leave properties out. O(what the values hold) where their bytes differ.
enum PropertySameness {
  static func areSame<Value>(_ a: Value, _ other: Any) -> Bool {
    guard let b = other as? Value else { return false }
    if haveSameBytes(a, b) { return true }
    if Value.self is AnyClass || areUnequal(a, b) { return false }
    let (ours, theirs) = (Mirror(reflecting: a), Mirror(reflecting: b))
    if isLeaf(a, ours) { return a is any Equatable }
    return ours.children.count == theirs.children.count
      && zip(ours.children, theirs.children).allSatisfy { $0.label == $1.label && areSame($0.value, $1.value) }
  }

  /// Whether only `==` can tell two values apart. What a type shows of itself need not be its properties, and a set has no order.
  private static func isLeaf(_ value: some Any, _ mirror: Mirror) -> Bool {
    switch mirror.displayStyle {
    case .optional, .collection: false
    case .set, .dictionary: true
    default: mirror.children.isEmpty || value is any CustomReflectable
    }
  }

  private static func haveSameBytes<Value>(_ a: Value, _ b: Value) -> Bool {
    withUnsafeBytes(of: a) { a in withUnsafeBytes(of: b) { a.elementsEqual($0) } }
  }

  /// Whether `==` says so, if there is one.
  private static func areUnequal<Value>(_ a: Value, _ b: Value) -> Bool {
    guard let a = a as? any Equatable else { return false }
    func isUnequal<Known: Equatable>(_ a: Known) -> Bool { (b as? Known).map { $0 != a } ?? true }
    return isUnequal(a)
  }
}
