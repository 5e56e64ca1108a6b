/// Insertion and removal. A node is copied only if another tree shares it.
extension SortedTree {
  /// The new right part of a node that was divided, for its parent.
  @usableFromInline
  struct Split {
    @usableFromInline let separator: Key
    @usableFromInline let right: Node

    @inlinable
    init(separator: Key, right: Node) {
      self.separator = separator
      self.right = right
    }
  }
}

/// Changes of a node that has only one owner.
extension SortedTree.Node {
  @usableFromInline typealias Node = SortedTree.Node
  @usableFromInline typealias Split = SortedTree.Split

  @inlinable
  func update(_ key: Key, _ value: Value) -> (old: Value?, split: Split?) {
    let contents = contents
    guard !contents.isLeaf else { return updateLeaf(key, value) }
    let index = contents.childIndex(for: key)
    let (old, split) = uniqueChild(at: index).update(key, value)
    if old == nil { contents.below += 1 }
    return (old, split.flatMap { insert($0, after: index) })
  }

  @inlinable
  func updateLeaf(_ key: Key, _ value: Value) -> (old: Value?, split: Split?) {
    let contents = contents
    let index = contents.lowerBound(of: key)
    if index < contents.count, contents.keys[index] == key {
      var old = value
      swap(&old, &contents.values[index])
      contents.keys[index] = key
      return (old, nil)
    }
    guard contents.count == Self.leafCapacity else {
      insert(key, value, at: index)
      return (nil, nil)
    }
    // A key appended at the end leaves the left part full, so ascending insertion fills its leaves.
    let middle = index == contents.count ? index : contents.count / 2
    let right = Node.make(isLeaf: true)
    right.contents.keys.moveInitialize(from: contents.keys + middle, count: contents.count - middle)
    right.contents.values.moveInitialize(from: contents.values + middle, count: contents.count - middle)
    right.contents.count = contents.count - middle
    contents.count = middle
    if index < middle || right.contents.count > 0 && index == middle {
      insert(key, value, at: index)
    } else {
      right.insert(key, value, at: index - middle)
    }
    return (nil, Split(separator: right.contents.keys[0], right: right))
  }

  /// Inserts into a leaf with room.
  @inlinable
  func insert(_ key: Key, _ value: Value, at index: Int) {
    let contents = contents
    contents.keys.insert(key, at: index, count: contents.count)
    contents.values.insert(value, at: index, count: contents.count)
    contents.count += 1
  }

  /// Inserts the right part of a divided child. Divides itself if there is no room.
  @inlinable
  func insert(_ split: Split, after index: Int) -> Split? {
    let contents = contents
    if contents.fill < Self.innerCapacity {
      contents.keys.insert(split.separator, at: index, count: contents.count)
      contents.children.insert(split.right, at: index + 1, count: contents.fill)
      contents.count += 1
      return nil
    }
    let middle = Self.innerCapacity / 2
    let right = Node.make(isLeaf: false)
    right.contents.keys.moveInitialize(from: contents.keys + middle, count: contents.count - middle)
    right.contents.children.moveInitialize(from: contents.children + middle, count: contents.fill - middle)
    right.contents.count = contents.count - middle
    let separator = (contents.keys + middle - 1).move()
    contents.count = middle - 1
    _ = index < middle ? insert(split, after: index) : right.insert(split, after: index - middle)
    contents.countBelow()
    right.contents.countBelow()
    return Split(separator: separator, right: right)
  }

  /// Removes a key that was found before. Returns nil if the order of the keys has changed since. An order that a
  /// user's type defines may do that. The nil prevents an access to memory outside the node.
  @inlinable
  func remove(_ key: Key) -> Value? {
    let contents = contents
    if contents.isLeaf {
      let index = contents.lowerBound(of: key)
      guard index < contents.count else { return nil }
      _ = contents.keys.remove(at: index, count: contents.count)
      let old = contents.values.remove(at: index, count: contents.count)
      contents.count -= 1
      return old
    }
    let index = contents.childIndex(for: key)
    let child = uniqueChild(at: index)
    guard let old = child.remove(key) else { return nil }
    contents.below -= 1
    if child.contents.isUnderfull { repairChild(at: index) }
    return old
  }

  @inlinable
  func uniqueChild(at index: Int) -> Node {
    let child = contents.children + index
    if !isKnownUniquelyReferenced(&child.pointee) { child.pointee = child.pointee.copy() }
    return child.pointee
  }

  /// Replaces an underfull child and a sibling by one node, or by two of equal size if one cannot hold all. It is rare,
  /// so the simple way is fast enough.
  @inlinable
  func repairChild(at index: Int) {
    let contents = contents
    guard contents.fill > 1 else { return }
    let index = index > 0 ? index - 1 : index
    let left = contents.children[index].contents
    let right = contents.children[index + 1].contents
    let fill = left.fill + right.fill
    var keys = left.allKeys
    let replacement: (left: Node, split: Split?)
    if left.isLeaf {
      keys += right.allKeys
      let values = left.allValues + right.allValues
      replacement =
        fill <= Self.leafCapacity
        ? (Node.leaf(keys: keys, values: values), nil)
        : {
          let right = Node.leaf(keys: keys[(fill / 2)...], values: values[(fill / 2)...])
          let left = Node.leaf(keys: keys[..<(fill / 2)], values: values[..<(fill / 2)])
          return (left, Split(separator: keys[fill / 2], right: right))
        }()
    } else {
      keys += [contents.keys[index]] + right.allKeys
      let children = left.allChildren + right.allChildren
      replacement =
        fill <= Self.innerCapacity
        ? (Node.inner(separators: keys, children: children), nil)
        : {
          let right = Node.inner(separators: keys[(fill / 2)...], children: children[(fill / 2)...])
          let left = Node.inner(separators: keys[..<(fill / 2 - 1)], children: children[..<(fill / 2)])
          return (left, Split(separator: keys[fill / 2 - 1], right: right))
        }()
    }
    contents.children[index] = replacement.left
    if let split = replacement.split {
      contents.keys[index] = split.separator
      contents.children[index + 1] = split.right
    } else {
      _ = contents.keys.remove(at: index, count: contents.count)
      _ = contents.children.remove(at: index + 1, count: contents.fill)
      contents.count -= 1
    }
  }
}

extension NodeContents {
  @inlinable var allKeys: [Key] { Array(UnsafeBufferPointer(start: keys, count: count)) }
  @inlinable var allValues: [Value] { Array(UnsafeBufferPointer(start: values, count: count)) }
  @inlinable var allChildren: [Node] { Array(UnsafeBufferPointer(start: children, count: fill)) }
}

extension UnsafeMutablePointer {
  /// Copies elements one by one. `initialize(from:count:)` asks the runtime, which is slower for few references.
  @inlinable
  func initializeEach(from elements: UnsafeMutablePointer<Pointee>, count: Int) {
    for index in 0..<count { (self + index).initialize(to: elements[index]) }
  }

  /// Inserts into the first `count` elements. There must be room behind them.
  @inlinable
  func insert(_ element: Pointee, at index: Int, count: Int) {
    (self + index + 1).moveInitialize(from: self + index, count: count - index)
    (self + index).initialize(to: element)
  }

  /// Removes one of the first `count` elements and closes the gap.
  @inlinable
  func remove(at index: Int, count: Int) -> Pointee {
    let element = (self + index).move()
    (self + index).moveInitialize(from: self + index + 1, count: count - index - 1)
    return element
  }
}
