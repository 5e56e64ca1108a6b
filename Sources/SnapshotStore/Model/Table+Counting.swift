/// The number of records under keys of an index.
extension Table {
  /// The number of records under one key of an index, without access to the records. O(log n + count / 32). It is 0 for
  /// a key that is not equal to itself.
  @inlinable
  public func count<Key>(in index: Index<Value, Key>, at key: Key) -> Int {
    let range = SingleKey(key)
    return entries(of: index).count(isBelow: { range.isBelow($0.key) }, isAbove: { range.isAbove($0.key) })
  }

  /// The number of index entries whose keys lie in a range, without access to the records. O(log n + count / 32).
  @inlinable
  public func count<Key>(in index: Index<Value, Key>, from range: some KeyRange<Key>) -> Int {
    entries(of: index).count(isBelow: { range.isBelow($0.key) }, isAbove: { range.isAbove($0.key) })
  }
}
