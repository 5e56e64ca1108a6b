/// Writes and compares single values.
enum SingleValueCoding {
  /// A value as written in a file, with its unknown members.
  static func item(
    of value: some SingleValue, _ name: String, _ unknown: UnknownContent
  ) throws(SnapshotError) -> Item {
    try ItemEncoder.item(forRecord: value, at: name).adding(unknown.members(ofValue: name))
  }

  /// Whether two values are written as the same bytes. A value that cannot be written differs from every other one, so
  /// that a save is tried and reports the reason. O(1) for values with the same bits.
  static func areStoredAlike<Value: SingleValue>(_ a: Value, _ b: Value) -> Bool {
    let areSameBits = withUnsafeBytes(of: a) { a in
      withUnsafeBytes(of: b) { b in
        guard let first = a.baseAddress, let second = b.baseAddress else { return true }
        return haveSameBytes(first, second, count: a.count)
      }
    }
    if areSameBits { return true }
    guard let first = try? ItemEncoder.item(forRecord: a), let second = try? ItemEncoder.item(forRecord: b) else {
      return false
    }
    return Item.areSame(first, second)
  }
}
