extension Table {
  /// The number of records under one key of an index, without a look at any of them. O(log n + count / 32). None for a key that is
  /// not equal to itself.
  @inlinable
  public func count<Key>(in index: Index<Value, Key>, at key: Key) -> Int {
    let range = SingleKey(key)
    return entries(of: index).count(isBelow: { range.isBelow($0.key) }, isAbove: { range.isAbove($0.key) })
  }

  /// The number of entries of an index whose keys are neither below nor above a range.
  @inlinable
  package func count<Key>(in index: Index<Value, Key>, isBelow: (Key) -> Bool, isAbove: (Key) -> Bool) -> Int {
    entries(of: index).count(isBelow: { isBelow($0.key) }, isAbove: { isAbove($0.key) })
  }
}
