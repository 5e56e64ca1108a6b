/// How many records are under keys of an index.
extension Table {
  /// The number of records under one key of an index, without a look at any of them. O(log n + count / 32). None for a key that is
  /// not equal to itself.
  @inlinable
  public func count<Key>(in index: Index<Value, Key>, at key: Key) -> Int {
    let range = SingleKey(key)
    return entries(of: index).count(isBelow: { range.isBelow($0.key) }, isAbove: { range.isAbove($0.key) })
  }

  /// The number of entries of an index whose keys lie in a range, without a look at any record. O(log n + count / 32).
  @inlinable
  public func count<Key>(in index: Index<Value, Key>, from range: some KeyRange<Key>) -> Int {
    entries(of: index).count(isBelow: { range.isBelow($0.key) }, isAbove: { range.isAbove($0.key) })
  }
}
