extension Table {
  /// The number of records under one key of an index, without a look at any of them. O(log n + count / 32).
  @inlinable
  public func count<Key>(in index: Index<Value, Key>, at key: Key) -> Int {
    entries(of: index).count(isBelow: { $0.key < key }, isAbove: { key < $0.key })
  }

  /// The number of entries of an index whose keys are neither below nor above a range.
  @inlinable
  package func count<Key>(in index: Index<Value, Key>, isBelow: (Key) -> Bool, isAbove: (Key) -> Bool) -> Int {
    entries(of: index).count(isBelow: { isBelow($0.key) }, isAbove: { isAbove($0.key) })
  }
}
