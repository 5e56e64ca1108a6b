/// How single values are written and compared.
enum SingleValueCoding {
  /// A value as it stands in a file, with what the file knows of it besides.
  static func item(
    of value: some SingleValue, _ name: String, _ unknown: UnknownContent
  ) throws(SnapshotError) -> Item {
    do {
      return try ItemEncoder.item(forRecord: value).adding(unknown.members(ofValue: name))
    } catch {
      throw SnapshotError.encoding(error, at: name)
    }
  }

  /// Whether two values are written as the same bytes. One that cannot be written is like no other, so that saving it is tried, and says
  /// why it cannot be. O(1) for values that are the same bits.
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
