extension SortedTree {
  /// A node: a leaf of keys and their values, or an inner node of children and the separators between them.
  ///
  /// `keys[i]` of an inner node is greater than every key under `children[i]` and not greater than any key under
  /// `children[i + 1]`. All leaves are at one depth. A node is changed only through a tree that is its one owner
  /// (`isKnownUniquelyReferenced`), and never again once a second tree shares it: that is why it is `Sendable`.
  final class Node: @unchecked Sendable {
    /// The most keys in a leaf, and the most children of an inner node.
    static var capacity: Int { 32 }
    /// A node that falls below this after a removal is joined with a sibling.
    static var minimum: Int { capacity / 4 }

    var keys: [Key]
    var values: [Value]
    var children: [Node]

    init(keys: [Key], values: [Value]) {
      self.keys = keys
      self.values = values
      children = []
    }

    init(keys: [Key], children: [Node]) {
      self.keys = keys
      self.children = children
      values = []
    }

    var isLeaf: Bool { children.isEmpty }
    var fill: Int { isLeaf ? keys.count : children.count }

    func copy() -> Node {
      isLeaf ? Node(keys: keys, values: values) : Node(keys: keys, children: children)
    }

    /// The index of the first key that is not less than `key`.
    func lowerBound(of key: Key) -> Int {
      firstIndex { $0 < key }
    }

    /// The index of the child that holds `key` if any does.
    func childIndex(for key: Key) -> Int {
      firstIndex { !(key < $0) }
    }

    /// The index of the first key for which `isBefore` is false, given that it is true for a prefix of the keys.
    func firstIndex(where isBefore: (Key) -> Bool) -> Int {
      var low = 0
      var high = keys.count
      while low < high {
        let middle = (low + high) / 2
        if isBefore(keys[middle]) { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// What a node hands to its parent when it had to be divided.
  struct Split {
    let separator: Key
    let right: Node
  }
}

// MARK: - Changes; the receiver must be uniquely owned

extension SortedTree.Node {
  typealias Node = SortedTree.Node
  typealias Split = SortedTree.Split

  func update(_ key: Key, _ value: Value) -> (old: Value?, split: Split?) {
    if isLeaf {
      let index = lowerBound(of: key)
      if index < keys.count, keys[index] == key {
        let old = values[index]
        keys[index] = key
        values[index] = value
        return (old, nil)
      }
      keys.insert(key, at: index)
      values.insert(value, at: index)
      return (nil, fill > Self.capacity ? split(appendedLast: index == keys.count - 1) : nil)
    }
    let index = childIndex(for: key)
    let (old, childSplit) = uniqueChild(at: index).update(key, value)
    guard let childSplit else { return (old, nil) }
    keys.insert(childSplit.separator, at: index)
    children.insert(childSplit.right, at: index + 1)
    return (old, fill > Self.capacity ? split(appendedLast: false) : nil)
  }

  /// Removes a key that is known to be present.
  func remove(_ key: Key) -> Value? {
    if isLeaf {
      let index = lowerBound(of: key)
      keys.remove(at: index)
      return values.remove(at: index)
    }
    let index = childIndex(for: key)
    let child = uniqueChild(at: index)
    let old = child.remove(key)
    if child.fill < Self.minimum { mendChild(at: index) }
    return old
  }

  private func uniqueChild(at index: Int) -> Node {
    if !isKnownUniquelyReferenced(&children[index]) {
      children[index] = children[index].copy()
    }
    return children[index]
  }

  /// Divides an overfull node and keeps the left part. A key appended at the end leaves the left part full, so that
  /// ascending insertion fills its leaves.
  private func split(appendedLast: Bool) -> Split {
    if isLeaf {
      let middle = appendedLast ? keys.count - 1 : keys.count / 2
      let right = Node(keys: Array(keys[middle...]), values: Array(values[middle...]))
      keys.removeSubrange(middle...)
      values.removeSubrange(middle...)
      return Split(separator: right.keys[0], right: right)
    }
    let middle = children.count / 2
    let separator = keys[middle - 1]
    let right = Node(keys: Array(keys[middle...]), children: Array(children[middle...]))
    keys.removeSubrange((middle - 1)...)
    children.removeSubrange(middle...)
    return Split(separator: separator, right: right)
  }

  /// Joins an underfull child with a sibling, and divides the result evenly if it does not fit into one node.
  private func mendChild(at index: Int) {
    guard children.count > 1 else { return }
    let leftIndex = index > 0 ? index - 1 : index
    let left = uniqueChild(at: leftIndex)
    let right = children[leftIndex + 1]
    if left.isLeaf {
      left.keys += right.keys
      left.values += right.values
    } else {
      left.keys.append(keys[leftIndex])
      left.keys += right.keys
      left.children += right.children
    }
    if left.fill <= Self.capacity {
      keys.remove(at: leftIndex)
      children.remove(at: leftIndex + 1)
    } else {
      let split = left.split(appendedLast: false)
      keys[leftIndex] = split.separator
      children[leftIndex + 1] = split.right
    }
  }
}
